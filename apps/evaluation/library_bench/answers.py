"""A measurement of something that did not happen is worth nothing."""

from typing import TypeVar

T = TypeVar("T")


class Unexpected(Exception):
    def __init__(self, wanted: type, got: object) -> None:
        super().__init__(f"the store answered {got!r} where a {wanted.__name__} was due, so nothing was measured")


def expect(wanted: type[T], got: object) -> T:
    if not isinstance(got, wanted):
        raise Unexpected(wanted, got)
    return got


class Unreached(Exception):
    def __init__(self, due: int, ended: int) -> None:
        super().__init__(f"a write ended {ended} entries where {due} were due, so its cascade was not measured")
