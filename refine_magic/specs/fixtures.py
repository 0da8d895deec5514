"""Fixtures and parametrize: where the arguments of a test come from."""

from __future__ import annotations

import ast

from refine_magic.core.errors import SpecError

Function = ast.FunctionDef | ast.AsyncFunctionDef
OF_PYTEST = frozenset(
    """cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace monkeypatch pytestconfig
    record_property record_testsuite_property recwarn request subtests testdir tmp_path tmp_path_factory tmpdir
    tmpdir_factory""".split()
)


def decorators(node: ast.AST) -> list[ast.expr]:
    """Return the decorators of a function or a class."""
    found: list[ast.expr] = getattr(node, "decorator_list", [])
    return found


def is_fixture(node: ast.AST) -> bool:
    """Tell whether a function is a fixture, by its decorator."""
    return isinstance(node, Function) and any(map(makes_fixture, decorators(node)))


def makes_fixture(decorator: ast.expr) -> bool:
    """Tell ``@pytest.fixture`` and its like."""
    made = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(made) in ("pytest.fixture", "fixture", "pytest.yield_fixture")


def fixture_names(node: ast.AST) -> set[str]:
    """Return the name that tests ask for a fixture by: its own, or that of ``name=``."""
    if not isinstance(node, Function):
        return set()
    for decorator in filter(makes_fixture, decorators(node)):
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else []:
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                return {str(keyword.value.value)}
    return {node.name}


def known(tree: ast.Module) -> set[str]:
    """Return the names of the fixtures that the code defines, in classes too, and of those that pytest has."""
    return set(OF_PYTEST).union(*(fixture_names(node) for node in ast.walk(tree) if is_fixture(node)))


def parametrized(marks: list[ast.expr]) -> set[str] | None:
    """Return the arguments that ``parametrize`` gives; None where another decorator, or no literal, may give any."""
    found: set[str] = set()
    for mark in marks:
        text = ast.unparse(mark.func if isinstance(mark, ast.Call) else mark)
        if text.endswith("mark.parametrize") and isinstance(mark, ast.Call):
            names = argument_names(mark)
            if names is None:
                return None
            found |= names
        elif "mark." not in text:
            return None
    return found


def argument_names(mark: ast.Call) -> set[str] | None:
    """Return the argument names of one ``parametrize``; None where they are no literal."""
    given = [*mark.args[:1], *(keyword.value for keyword in mark.keywords if keyword.arg == "argnames")]
    try:
        value = ast.literal_eval(given[0])
    except (IndexError, ValueError, TypeError):
        return None
    names = value.split(",") if isinstance(value, str) else value
    return {str(name).strip() for name in names}


def module_marks(tree: ast.Module) -> list[ast.expr]:
    """Return the marks of ``pytestmark``."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=ast.List(elts=marks) | ast.Tuple(elts=marks)):
                return marks
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=mark):
                return [mark]
    return []


def arguments(node: Function) -> list[str]:
    """Return the arguments that a function must be given."""
    positional = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    positional = positional[: len(positional) - len(node.args.defaults)]
    kwonly = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return positional + [arg.arg for arg, default in kwonly if default is None]


def reject_unknown(tree: ast.Module, tests: list[ast.stmt], lines_before: int) -> None:
    """Raise SpecError, with the line, for a test's argument that is no fixture here and is not parametrized."""
    there, marks = known(tree), module_marks(tree)
    for test in tests:
        if isinstance(test, Function):
            reject_arguments(test, arguments(test), there, [*marks, *decorators(test)], lines_before)
        elif isinstance(test, ast.ClassDef):
            own = [*marks, *decorators(test)]
            for method in test.body:
                if isinstance(method, Function) and method.name.startswith("test") and not is_fixture(method):
                    reject_never_awaited(test, method, lines_before)
                    given = arguments(method)[0 if is_static(method) else 1 :]
                    reject_arguments(method, given, there, [*own, *decorators(method)], lines_before)


def reject_never_awaited(case: ast.ClassDef, method: Function, lines_before: int) -> None:
    """Raise SpecError for a coroutine in a plain ``TestCase``, which would never run."""
    bases = [ast.unparse(base) for base in case.bases]
    plain = any(base.endswith("TestCase") and "Async" not in base for base in bases)
    if plain and isinstance(method, ast.AsyncFunctionDef):
        raise SpecError(
            f"line {method.lineno + lines_before}: {method.name} is async, but unittest.TestCase would never run it; "
            "use unittest.IsolatedAsyncioTestCase"
        )


def is_static(method: Function) -> bool:
    """Tell a method without ``self``."""
    return any(ast.unparse(mark) == "staticmethod" for mark in decorators(method))


def reject_arguments(
    test: Function, given: list[str], there: set[str], marks: list[ast.expr], lines_before: int
) -> None:
    """Raise SpecError for the first argument that nothing gives."""
    values = parametrized(marks)
    if values is None:
        return  # another decorator may give it, such as hypothesis' given
    for name in given:
        if name not in there | values:
            raise SpecError(
                f"line {test.lineno + lines_before}: {test.name} takes {name!r}, which is no fixture of these checks "
                "nor of pytest, and not parametrized; define it with @pytest.fixture, or write the value into the test"
            )
