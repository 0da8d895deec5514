from __future__ import annotations

import pytest

from refine_magic.api import make_settings
from refine_magic.core.errors import PluginError
from refine_magic.core.limits import NAMES, LimitSettings
from refine_magic.core.types import Settings
from refine_magic.execution.limits import limits_of


@pytest.mark.parametrize(
    ("word", "name", "value"),
    [
        ("memory=2GiB", "memory", 2 << 30),
        ("memory=512 MiB", "memory", 512 << 20),
        ("file-size=1.5MB", "file_size", 1_500_000),
        ("output=1000", "output", 1000),
        ("result=64kib", "result", 64 << 10),
        ("cpu=3", "cpu", 3),
        ("processes=16", "processes", 16),
        ("files=64", "files", 64),
        ("depth=10", "depth", 10),
        ("network=on", "network", True),
    ],
)
def test_a_limit_is_read_from_a_word(word, name, value):
    assert getattr(make_settings(limits=(word,)).limits, name) == value


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("memory",), "sets no limit"),
        (("disk=1",), "there is no limit disk"),
        (("memory=lots",), "--limit memory: 'lots' is no size"),
        (("memory=0",), "--limit memory"),
        (("processes=1",), "--limit processes"),
        (("network=perhaps",), "--limit network"),
    ],
)
def test_a_wrong_limit_says_what_is_wrong(words, says):
    with pytest.raises(PluginError) as caught:
        make_settings(limits=words)
    assert says in str(caught.value)


def test_an_unknown_limit_lists_those_that_there_are():
    with pytest.raises(PluginError) as caught:
        make_settings(limits=("disk=1",))
    assert all(name in str(caught.value) for name in NAMES)


def test_limits_survive_the_record():
    settings = Settings(limits=LimitSettings(memory=2 << 30, network=True))
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(("timeout", "cpu"), [(10.0, 5), (3.0, 5), (60.0, 60)])
def test_a_longer_timeout_allows_as_much_cpu_time(timeout, cpu):
    assert limits_of(Settings(timeout=timeout)).cpu_seconds == cpu


def test_cpu_time_that_is_given_is_kept():
    assert limits_of(Settings(timeout=60, limits=LimitSettings(cpu=2))).cpu_seconds == 2
