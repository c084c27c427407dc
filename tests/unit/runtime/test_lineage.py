"""Provenance of a run's stages: their names, what they inherit, and what is done where a name is missing."""

from apps.runtime.lineage import Lineage
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result
from apps.serving.workflow import Sharing, Stage, StageCall, StageKind

REPLY = Stage("reply", StageKind.MODEL, True, 1)


def name(stage: str) -> ReuseName:
    return ReuseName("t", stage, "h", 1)


def call(stage: str, uses: tuple[str, ...] | None = None, speculable: bool = True) -> StageCall:
    return StageCall(Stage(stage, StageKind.TOOL, speculable, 1), {}, Sharing.TENANT, uses)


def own(**reads: int) -> Result:
    return Result(stage_output, reads, 2.0, {"tokens": 3})


stage_output = {"text": "x"}


def done(lineage: Lineage, stage: str, uses: tuple[str, ...] = (), **reads: int) -> Lineage:
    asked = call(stage, uses)
    return lineage.after(asked, name(stage), lineage.completed(asked, own(**reads)))


def test_a_result_names_the_stages_that_it_was_made_from_and_no_others():
    lineage = done(done(Lineage(), "a", a=1), "b", b=2)

    made = lineage.completed(call("c", uses=("b",)), own(c=3))

    assert made.upstream == (name("b"),)
    assert made.inherited == {"b": 2}
    assert made.reads == {"c": 3}
    assert (made.output, made.engine_ms, made.notes) == (stage_output, 2.0, {"tokens": 3})


def test_what_is_inherited_reaches_through_all_that_is_above():
    lineage = done(done(Lineage(), "a", a=1), "b", uses=("a",), b=2)

    made = lineage.completed(call("c", uses=("b",)), own())

    assert made.upstream == (name("b"),)
    assert made.inherited == {"a": 1, "b": 2}


def test_a_record_that_was_read_twice_is_inherited_in_the_older_version():
    lineage = done(done(Lineage(), "a", r=1), "b", r=2)

    assert lineage.inherited(call("c", uses=("a", "b"))) == {"r": 1}


def test_a_stage_that_does_not_say_what_it_uses_is_made_from_all_before_it():
    lineage = done(done(Lineage(), "a", a=1), "b", b=2)

    made = lineage.completed(call("c"), own())

    assert made.upstream == (name("a"), name("b"))
    assert made.inherited == {"a": 1, "b": 2}


def test_what_a_stage_without_a_name_had_read_counts_as_read_by_what_is_made_from_it():
    nameless = call("a", uses=())
    lineage = done(Lineage().after(nameless, None, own(a=1)), "b", b=2)

    made = lineage.completed(call("c", uses=("a", "b")), own(c=3))

    assert made.upstream == (name("b"),)
    assert made.reads == {"a": 1, "c": 3}
    assert made.inherited == {"a": 1, "b": 2}


def test_a_stage_that_happens_only_once_is_no_producer():
    booked = call("book", speculable=False)
    lineage = Lineage().after(booked, name("book"), own(a=1))

    made = lineage.completed(call("c", uses=("book",)), own())

    assert made.upstream == ()
    assert made.reads == {"a": 1}


def test_a_result_that_was_served_hands_on_what_it_had_inherited():
    served = Result(stage_output, {"b": 2}, 2.0, {}, (name("elsewhere"),), {"a": 1})

    lineage = Lineage().after(call("b"), name("b"), served)

    assert lineage.inherited(call("c", uses=("b",))) == {"a": 1, "b": 2}


def test_two_stages_under_one_name_are_one_producer():
    lineage = Lineage().after(call("a"), name("same"), own()).after(call("b"), name("same"), own())

    assert lineage.upstream(call("c")) == (name("same"),)


def test_a_stage_that_this_run_has_not_done_is_not_known():
    lineage = done(Lineage(), "a")

    assert lineage.knows(call("c", uses=("a",)))
    assert lineage.knows(call("c"))
    assert not lineage.knows(call("c", uses=("a", "b")))
