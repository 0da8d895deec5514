from __future__ import annotations

import pytest

from refine_magic.core.types import Candidate, ExecutionResult, Iteration, RemoteError
from refine_magic.words import outcome_words


@pytest.mark.parametrize(
    ("ename", "words"), [("SyntaxError", "not valid Python"), ("NameError", "cannot work, so it was not run")]
)
def test_code_that_was_not_run_says_why(ename: str, words: str) -> None:
    result = ExecutionResult(outcome="invalid", error=RemoteError(ename=ename, evalue="x"))
    assert outcome_words(Iteration(index=1, candidate=Candidate(code="", digest=""), result=result)) == words
