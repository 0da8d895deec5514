"""``refine-magic speed``: what it measures, not how fast it is."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from refine_magic import cli


@pytest.fixture(scope="module")
def found():
    done = CliRunner().invoke(cli.main, ["speed", "--rounds", "1", "--json"])
    return json.loads(done.stdout)


@pytest.mark.parametrize("way", ["stock", "nbclient", "python", "limits", "limits prewarmed", "limits ipykernel"])
def test_it_times_each_way(found, way):
    assert found["ms"][way] > 0


@pytest.mark.parametrize("ratio", ["stock/limits", "python/limits", "nbclient/limits prewarmed"])
def test_it_gives_the_ratios_to_the_usual_ways(found, ratio):
    assert found["ratios"][ratio] > 0


def test_a_ratio_says_how_many_times_longer_the_first_takes(found):
    assert found["ratios"]["stock/limits"] == pytest.approx(found["ms"]["stock"] / found["ms"]["limits"], rel=0.02)


def test_no_rounds_are_wrong_usage():
    assert CliRunner().invoke(cli.main, ["speed", "--rounds", "0"]).exit_code == 2
