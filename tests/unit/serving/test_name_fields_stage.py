"""For every field of a template's stage: it splits the name, or the list says why it does not."""

from dataclasses import fields, replace

import pytest

from apps.engines.base import IDENTITY_FIELDS
from apps.serving.names import reuse_name
from apps.serving.subtracted import OF_STAGE, OF_STAGE_CALL, OF_WORKFLOW
from apps.serving.workflow import (
    DecisionPoint,
    Lookup,
    LookupMode,
    Semantics,
    Sharing,
    Stage,
    StageCall,
    StageKind,
    Window,
    Workflow,
    fingerprint,
)

REPLY = Stage("reply", StageKind.MODEL, speculable=True, code_version=1, kv_tokens=300)
FIND = Stage("find", StageKind.TOOL, speculable=True, code_version=1)
FLOW = Workflow("concierge", 2, (FIND, REPLY), ())
CALL = StageCall(REPLY, {"body": {"model": "m", "messages": []}}, Sharing.TENANT)
ENGINE = dict.fromkeys(IDENTITY_FIELDS, "x")
# Another value of every field. A new field fails here until it has one, and below until it splits or has a reason.
CHANGED = {
    Workflow: {
        "name": "other",
        "version": 3,
        "stages": (REPLY,),
        "decision_points": (DecisionPoint("reply", Semantics.INDEPENDENT, Window.USER),),
    },
    Stage: {
        "name": "other",
        "kind": StageKind.TOOL,
        "speculable": False,
        "code_version": 2,
        "kv_tokens": 301,
        "lookup": Lookup(LookupMode.REFRESH, 5),
    },
    StageCall: {
        "stage": FIND,
        "rendered": {"body": {"model": "m", "messages": [], "top_k": 1}},
        "sharing": Sharing.SESSION,
        "uses": ("find",),
    },
}
REASONS = {Workflow: OF_WORKFLOW, Stage: OF_STAGE, StageCall: OF_STAGE_CALL}
FIELDS = [(kind, field.name) for kind in CHANGED for field in fields(kind)]


def name(workflow, call, engine):
    """As the runtime makes it; who may share the result is the namespace."""
    return reuse_name(f"t/{call.sharing}", fingerprint(workflow, call.stage, engine), dict(call.rendered))


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_a_change_of_one_declared_field_changes_the_name_unless_the_field_is_on_the_list(kind, field):
    change = {field: CHANGED[kind][field]}
    workflow = replace(FLOW, **change) if kind is Workflow else FLOW
    call = replace(CALL, stage=replace(REPLY, **change)) if kind is Stage else CALL
    call = replace(CALL, **change) if kind is StageCall else call

    changed = name(workflow, call, ENGINE) != name(FLOW, CALL, ENGINE)

    assert changed == (field not in REASONS[kind])


@pytest.mark.parametrize("kind", REASONS)
def test_every_reason_is_one_for_a_field_that_there_is(kind):
    assert set(REASONS[kind]) <= {field.name for field in fields(kind)}
    assert all(reason.endswith(".") for reason in REASONS[kind].values())


@pytest.mark.parametrize("field", [*IDENTITY_FIELDS, "chat_template", "anything_else"])
def test_every_fact_about_the_engine_splits_a_model_stages_name_and_no_tools(field):
    other = {**ENGINE, field: "y"}
    assert name(FLOW, CALL, other) != name(FLOW, CALL, ENGINE)
    tool = replace(CALL, stage=FIND)
    assert name(FLOW, tool, other) == name(FLOW, tool, ENGINE)


def test_a_fact_that_the_engine_does_not_tell_is_not_the_same_as_one_that_it_denies():
    assert name(FLOW, CALL, {**ENGINE, "deterministic": None}) != name(FLOW, CALL, {**ENGINE, "deterministic": False})
