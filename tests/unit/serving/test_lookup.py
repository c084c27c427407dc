"""A caller's lookup header: what it asks for, and what is wrong with it."""

import re

import pytest

from apps.serving.lookup import parse_lookup
from apps.serving.workflow import NORMAL, Lookup, LookupMode


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", NORMAL),
        (" , ,", NORMAL),
        ("no-cache", Lookup(LookupMode.REFRESH)),
        ("No-Cache", Lookup(LookupMode.REFRESH)),
        ("no-store", Lookup(LookupMode.NO_STORE)),
        ("no-store,no-cache", Lookup(LookupMode.BYPASS)),
        ("only-if-cached", Lookup(LookupMode.ONLY_IF_CACHED)),
        ("max-age=60", Lookup(max_age_ms=60_000)),
        ("max-age=0", Lookup(max_age_ms=0)),
        ("Max-Age = 60", Lookup(max_age_ms=60_000)),
        ("only-if-cached, max-age=5", Lookup(LookupMode.ONLY_IF_CACHED, 5_000)),
        ("max-age=5 , no-store", Lookup(LookupMode.NO_STORE, 5_000)),
        ("no-store, no-store", Lookup(LookupMode.NO_STORE)),
    ],
)
def test_a_header_says_how_a_demand_is_looked_up(header, expected):
    assert parse_lookup(header) == expected


@pytest.mark.parametrize("header", ["no-cache, max-age=60", "no-store, no-cache, max-age=60"])
def test_where_nothing_is_served_no_age_is_asked_for(header):
    assert parse_lookup(header).max_age_ms is None


@pytest.mark.parametrize("seconds", ["2147483648", "9999999999", "9" * 5_000])
def test_an_age_beyond_all_ages_is_the_greatest_one(seconds):
    assert parse_lookup(f"max-age={seconds}").max_age_ms == 2**31 * 1000


@pytest.mark.parametrize(
    ("header", "named", "mend"),
    [
        ("no-cash", "'no-cash'", "use no-cache, no-store, only-if-cached or max-age=SECONDS"),
        ("no-store, private", "'private'", "use no-cache"),
        ("max-stale=5", "'max-stale=5'", "use no-cache"),
        ("no-cache=yes", "'no-cache=yes'", "write no-cache alone"),
        ("max-age", "'max-age'", "whole seconds"),
        ("max-age=", "'max-age='", "whole seconds"),
        ("max-age=-1", "'max-age=-1'", "whole seconds"),
        ("max-age=1.5", "'max-age=1.5'", "whole seconds"),
        ("max-age=٣", "'max-age=٣'", "whole seconds"),
        ("max-age=soon", "'max-age=soon'", "as in max-age=60"),
        ("max-age=1, max-age=2", "'max-age=2'", "give it once"),
        ("only-if-cached, no-cache", "only-if-cached with no-cache", "leave no-cache out"),
        ("no-store, only-if-cached", "only-if-cached with no-store", "leave no-store out"),
    ],
)
def test_what_a_header_cannot_say_is_refused_by_name_with_its_mend(header, named, mend):
    with pytest.raises(ValueError, match=f"{re.escape(named)}.*{mend}"):
        parse_lookup(header)
