"""Judges a history of committed writes and served values: was each value fresh at some instant of its request?

Times are ns of one clock that all processes share. A commit happened at an unknown instant between its start and
its end, so version v of a record may have been the committed one from the start of its commit until the end of
the next one's. A served value names the versions that it was made from; there must be one instant, between its
request and its answer, at which all of them may have been the committed ones.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Commit:
    """One committed change of one record. end_ns is NEVER for a writer that did not live to see its end."""

    record: str
    version: int
    start_ns: float
    end_ns: float


@dataclass(frozen=True, slots=True)
class Served:
    """versions  record -> the version in the value, over everything that the value was made from"""

    what: str
    versions: Mapping[str, int]
    start_ns: float
    end_ns: float


@dataclass(frozen=True, slots=True)
class Span:
    """When something may have been so."""

    start_ns: float
    end_ns: float


class BrokenHistory(ValueError):
    """The log itself cannot be: two commits of one version, or one that is missing."""


def lives(commits: Iterable[Commit]) -> dict[str, dict[int, Span]]:
    """Record -> version -> when it may have been the committed one."""
    by_record: dict[str, list[Commit]] = defaultdict(list)
    for commit in commits:
        by_record[commit.record].append(commit)
    return {record: _lives_of(record, found) for record, found in by_record.items()}


def _lives_of(record: str, commits: list[Commit]) -> dict[int, Span]:
    ordered = sorted(commits, key=lambda commit: commit.version)
    versions = [commit.version for commit in ordered]
    if versions != list(range(versions[0], versions[0] + len(versions))):
        raise BrokenHistory(f"{record}: committed versions {versions} are not one after the other")
    ends = [commit.end_ns for commit in ordered[1:]] + [NEVER]
    return {commit.version: Span(commit.start_ns, end) for commit, end in zip(ordered, ends, strict=True)}


def stale_reads(commits: Iterable[Commit], served: Sequence[Served]) -> list[str]:
    """What was served though it was fresh at no instant of its request, in words; empty for a good history."""
    known = lives(commits)
    return [said for one in served if (said := _fault(one, known))]


def _fault(one: Served, known: Mapping[str, Mapping[int, Span]]) -> str:
    since, until, oldest = one.start_ns, one.end_ns, ""
    for record, version in one.versions.items():
        span = known.get(record, {}).get(version)
        if span is None:
            return f"{one.what} was served with {record} in version {version}, which was never committed"
        if span.end_ns < until:
            until, oldest = span.end_ns, f"{record} in version {version}"
        since = max(since, span.start_ns)
    if since <= until:
        return ""
    late_us = (since - until) / 1000
    return f"{one.what} was served {late_us:.0f} µs after {oldest or 'all of it'} had gone: {dict(one.versions)}"
