"""The declared shape of a workflow, and the fingerprint of its stages."""

from dataclasses import replace

import pytest

from apps.serving.errors import UnknownStage
from apps.serving.names import Coordinate
from apps.serving.workflow import DecisionPoint, Semantics, Stage, StageKind, Window, Workflow, fingerprint

LOOKUP = Stage("lookup", StageKind.TOOL, speculable=True, code_version=1)
REPLY = Stage("reply", StageKind.MODEL, speculable=True, code_version=1, kv_tokens=300)
OFFER = DecisionPoint("offer", Semantics.INDEPENDENT, Window.USER)
FLOW = Workflow("concierge", 2, (LOOKUP, REPLY), (OFFER,))
ENGINE = {"kind": "llamacpp", "version": "1", "model": "m", "deterministic": True}


def test_a_coordinate_is_known_before_anything_ran():
    assert FLOW.coordinate("offer") == Coordinate("concierge", 2, "offer")


def test_stages_and_decision_points_are_found_by_name():
    assert FLOW.stage("reply") is REPLY
    assert FLOW.decision_point("offer") is OFFER


@pytest.mark.parametrize("ask", [FLOW.stage, FLOW.decision_point, FLOW.coordinate])
def test_an_unknown_stage_is_a_bug_that_names_the_known_ones(ask):
    with pytest.raises(UnknownStage, match=r"concierge: no stage 'nonsense' \(known: \w+"):
        ask("nonsense")


@pytest.mark.parametrize(
    "changed",
    [
        fingerprint(replace(FLOW, name="other"), REPLY, ENGINE),
        fingerprint(replace(FLOW, version=3), REPLY, ENGINE),
        fingerprint(FLOW, replace(REPLY, name="other"), ENGINE),
        fingerprint(FLOW, replace(REPLY, code_version=2), ENGINE),
        fingerprint(FLOW, REPLY, {**ENGINE, "version": "2"}),
        fingerprint(FLOW, REPLY, {**ENGINE, "deterministic": False}),
        fingerprint(FLOW, REPLY, {}),
    ],
)
def test_whatever_can_change_a_model_stages_output_changes_its_fingerprint(changed):
    assert changed != fingerprint(FLOW, REPLY, ENGINE)


def test_a_fingerprint_is_the_same_whenever_it_is_made():
    assert fingerprint(FLOW, REPLY, ENGINE) == fingerprint(FLOW, REPLY, dict(reversed(ENGINE.items())))
    assert len(fingerprint(FLOW, REPLY, ENGINE)) == 64


def test_a_change_outside_the_stage_never_splits_its_name():
    grown = replace(FLOW, stages=(*FLOW.stages, Stage("new", StageKind.TOOL, True, 1)))
    assert fingerprint(grown, REPLY, ENGINE) == fingerprint(FLOW, REPLY, ENGINE)
    assert fingerprint(FLOW, replace(REPLY, kv_tokens=999), ENGINE) == fingerprint(FLOW, REPLY, ENGINE)


def test_a_tool_does_not_depend_on_the_engine():
    assert fingerprint(FLOW, LOOKUP, ENGINE) == fingerprint(FLOW, LOOKUP, {"kind": "sglang"})
