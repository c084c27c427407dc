"""Imports point down, never sideways: STYLE.md section 1, held by reading every module's syntax tree."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVING = {"serving"}
ADAPTERS = {"stores", "engines", "predictors", "figures"}
APPLICATIONS = {"gateway", "chat", "concierge", "console", "evaluation"}

ALLOWED: Mapping[str, set[str]] = {
    "serving": set(),
    **dict.fromkeys(ADAPTERS, SERVING),
    "runtime": SERVING | ADAPTERS,
    **dict.fromkeys(APPLICATIONS, SERVING | ADAPTERS | {"runtime"}),
}
"""App -> the other apps that it may import."""

BELOW_DJANGO = SERVING | ADAPTERS
FRAMEWORKS = {"django", "channels", "celery", "daphne", "dynbranch_site"}
IMPURE = {
    "asyncio",
    "logging",
    "os",
    "pathlib",
    "queue",
    "selectors",
    "signal",
    "socket",
    "subprocess",
    "threading",
    "time",
}
"""What the core must be given instead of reaching for it: time, effects, other processes."""

LOADERS = {"import_module", "import_string", "find_spec"}


@dataclass(frozen=True, slots=True)
class Module:
    """path from the repository root; `app` is the folder under apps/; nodes are all of its syntax tree"""

    path: Path
    app: str
    nodes: tuple[ast.AST, ...]

    @classmethod
    def of(cls, path: Path, text: str) -> "Module":
        return cls(path, path.parts[1], tuple(ast.walk(ast.parse(text, str(path)))))

    @property
    def package(self) -> list[str]:
        return list(self.path.parent.parts)


def modules() -> list[Module]:
    found = []
    for file in sorted((ROOT / "apps").rglob("*.py")):
        path = file.relative_to(ROOT)
        if len(path.parts) > 2:
            found.append(Module.of(path, file.read_text(encoding="utf-8")))
    return found


MODULES = modules()


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything imported, also inside functions, for typing only, or by name."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.package[: len(module.package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in LOADERS:
            literals = [a.value for a in node.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            yield from ((node.lineno, name) for name in literals)


def _called(node: ast.expr) -> str:
    """The last name of what is called or used as a decorator: `task` for `@app.task(...)`."""
    target = node.func if isinstance(node, ast.Call) else node
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def wrong_imports(module: Module) -> list[str]:
    """Imports of another app that the table does not allow."""
    return [
        f"{module.path}:{line} imports {name}"
        for line, name in imports(module)
        if name.startswith("apps.") and (other := name.split(".")[1]) != module.app and other not in ALLOWED[module.app]
    ]


def foreign_roots(module: Module) -> Iterator[tuple[str, str]]:
    """(where, top-level package) of everything imported from outside the project's apps."""
    for line, name in imports(module):
        root = name.partition(".")[0]
        if root != "apps":
            yield f"{module.path}:{line} imports {name}", root


def test_the_table_names_every_app():
    assert {module.app for module in MODULES} <= set(ALLOWED)
    assert {path.name for path in (ROOT / "apps").iterdir() if (path / "__init__.py").exists()} == set(ALLOWED)


@pytest.mark.parametrize("app", ALLOWED)
def test_an_app_imports_only_what_lies_below_it(app):
    assert [wrong for module in MODULES if module.app == app for wrong in wrong_imports(module)] == []


def test_the_core_needs_the_standard_library_and_numpy_only():
    allowed = sys.stdlib_module_names | {"numpy"}
    core = [module for module in MODULES if module.app == "serving"]
    assert [where for module in core for where, root in foreign_roots(module) if root not in allowed] == []


def test_the_core_reaches_for_no_clock_log_thread_or_process():
    core = [module for module in MODULES if module.app == "serving"]
    assert [where for module in core for where, root in foreign_roots(module) if root in IMPURE] == []


def test_the_core_is_synchronous():
    awaiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    core = [module for module in MODULES if module.app == "serving"]
    found = [f"{m.path}:{n.lineno}" for m in core for n in m.nodes if isinstance(n, awaiting)]
    assert found == []


def test_the_web_framework_begins_at_the_runtime():
    below = [module for module in MODULES if module.app in BELOW_DJANGO]
    assert [where for module in below for where, root in foreign_roots(module) if root in FRAMEWORKS] == []


def test_only_the_stores_know_what_a_redis_key_looks_like():
    """A key literal elsewhere would be a second place that names it."""
    found = [
        f"{module.path}:{node.lineno} {node.value!r}"
        for module in MODULES
        if module.path != Path("apps/stores/keys.py")
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("dynbranch:")
    ]
    assert found == []


def test_no_task_is_a_coroutine_function():
    """Celery would not await it: the task would succeed with a coroutine object, and do nothing."""
    tasks = [
        (f"{module.path}:{node.lineno}", node)
        for module in MODULES
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(_called(decorator) in ("task", "shared_task") for decorator in node.decorator_list)
    ]
    assert tasks, "no task was found: is this test still looking for the right decorators?"
    assert [where for where, node in tasks if isinstance(node, ast.AsyncFunctionDef)] == []


def test_no_registered_task_is_a_coroutine_function():
    from dynbranch_site.celery import app

    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
    assert ours
    assert [name for name, task in ours.items() if inspect.iscoroutinefunction(task.run)] == []


@pytest.mark.parametrize(
    ("app", "line", "wrong"),
    [
        ("serving", "import apps.stores.keys", True),
        ("stores", "from apps import engines", True),
        ("stores", "from ..engines import base", True),
        ("stores", "from . import keys", False),
        ("runtime", "from importlib import import_module; import_module('apps.chat.services')", True),
        ("runtime", "from apps.stores import keys", False),
        ("chat", "def f():\n    from apps.console import rows", True),
        ("chat", "from apps.runtime.driver import Driver", False),
    ],
)
def test_the_table_is_held_against_every_form_of_import(app, line, wrong):
    module = Module.of(Path(f"apps/{app}/made_up.py"), line)
    assert bool(wrong_imports(module)) is wrong
