"""For tests, ours and other people's: fakes of the parts, and what any executor must do.

A model that replies as it is told, and an executor that decides by a function, take the place of the real ones:

    model = ScriptedModel(fenced("def f(x): return x"), fenced("def f(x): return x + 1"))
    executor = FakeExecutor(lambda code, check: "x + 1" in code)

And for an executor of your own, in one test:

    def test_my_executor():
        check_executor(lambda: MyExecutor(timeout=3.0))
"""

from refine_magic.core.errors import ModelError
from refine_magic.testing.executors import check_executor
from refine_magic.testing.fakes import FakeExecutor, ScriptedModel, fenced

__all__ = ["FakeExecutor", "ModelError", "ScriptedModel", "check_executor", "fenced"]
