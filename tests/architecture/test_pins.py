"""What is installed is the same everywhere: every version is exact, also of what our requirements bring along."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
FILES = ("requirements.txt", "requirements-dev.txt", "constraints.txt")


def requirements(name: str) -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def names(name: str) -> list[str]:
    return [canonicalize_name(requirement.name) for requirement in requirements(name)]


def brought_along(requirement: Requirement, seen: set[str]) -> set[str]:
    """Names of everything that this requirement needs here, itself included."""
    name = canonicalize_name(requirement.name)
    if name in seen and not requirement.extras:
        return seen
    seen.add(name)
    for text in distribution(name).requires or ():
        needed = Requirement(text)
        extras = requirement.extras or {""}
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
            brought_along(needed, seen)
    return seen


@pytest.mark.parametrize("name", FILES)
def test_every_version_is_exact_and_named_once(name):
    specifiers = [str(requirement.specifier) for requirement in requirements(name)]

    assert [text for text in specifiers if not re.fullmatch(r"==[\w.]+", text)] == []
    assert len(set(names(name))) == len(names(name))


def test_what_the_requirements_bring_along_is_pinned_too():
    pinned = {name for file in FILES for name in names(file)}
    needed: set[str] = set()
    for file in FILES[:2]:
        for requirement in requirements(file):
            brought_along(requirement, needed)

    assert needed - pinned == set()
