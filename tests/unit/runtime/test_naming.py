"""Who may share a result, and by which engine's name."""

from dataclasses import replace

import pytest

from apps.engines.base import IDENTITY_FIELDS, EngineUnreachable
from apps.runtime.naming import name_of
from apps.runtime.scope import Scope
from apps.serving.config import Mode
from apps.serving.workflow import Sharing, Stage, StageCall, StageKind, Workflow

REPLY = Stage("reply", StageKind.MODEL, speculable=True, code_version=1)
FIND = Stage("find", StageKind.TOOL, speculable=True, code_version=1)
FLOW = Workflow("concierge", 1, (FIND, REPLY), ())
SCOPE = Scope("concierge", "t", "s", "c", "turn", Mode.FULL)
BODY = {"body": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}}
SHARED, OWN = StageCall(REPLY, BODY, Sharing.TENANT), StageCall(REPLY, BODY, Sharing.SESSION)
OTHER = {"tenant": "u", "session": "s2", "conversation": "c2", "turn": "turn-2", "workflow": "other"}
# What splits a name, by sharing and by mode. `workflow` is in the fingerprint, by the workflow itself.
SPLITS = {
    (Sharing.TENANT, Mode.FULL): {"tenant"},
    (Sharing.SESSION, Mode.FULL): {"tenant", "session"},
    (Sharing.TENANT, Mode.C2): {"tenant", "conversation"},
    (Sharing.SESSION, Mode.C2): {"tenant", "conversation"},
}


class Identified:
    """An engine that says who it is, or cannot be reached."""

    def __init__(self, **facts):
        self.facts = {**dict.fromkeys(IDENTITY_FIELDS), **facts}

    async def identity(self):
        return self.facts


class Away:
    async def identity(self):
        raise EngineUnreachable("away")


async def named(call, scope=SCOPE, mode=Mode.FULL, engine=None):
    return await name_of(call, scope, mode, FLOW, engine or Identified(kind="llamacpp"))


@pytest.mark.parametrize(("sharing", "mode"), SPLITS)
@pytest.mark.parametrize("field", OTHER)
async def test_only_the_partition_of_a_scope_splits_a_name(sharing, mode, field):
    call = replace(SHARED, sharing=sharing)
    elsewhere = replace(SCOPE, **{field: OTHER[field]})

    split = await named(call, elsewhere, mode) != await named(call, mode=mode)

    assert split == (field in SPLITS[sharing, mode])


async def test_what_is_a_sessions_own_and_what_is_shared_never_meet():
    assert await named(SHARED) != await named(OWN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (replace(SCOPE, tenant="t", session="s/shared"), replace(SCOPE, tenant="t/session/s")),
        (replace(SCOPE, tenant="t", session="s"), replace(SCOPE, tenant="t/session", session="s")),
        (replace(SCOPE, tenant="t", session="a%2Fb"), replace(SCOPE, tenant="t", session="a/b")),
    ],
)
async def test_no_id_reaches_into_another_partition(one, other):
    assert await named(OWN, one) not in {await named(OWN, other), await named(SHARED, other)}


async def test_without_the_engines_identity_a_model_stage_has_no_name_and_a_tool_has_one():
    assert await named(SHARED, engine=Away()) is None
    assert await named(replace(SHARED, stage=FIND), engine=Away()) is not None


async def test_another_model_behind_the_same_url_answers_under_another_name():
    first, second = Identified(model="m", revision="a"), Identified(model="m", revision="b")
    assert await named(SHARED, engine=first) != await named(SHARED, engine=second)
