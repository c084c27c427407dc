"""The reviewed list leaves out bookkeeping at the top of a request, and nothing else."""

import pytest

from apps.serving.subtracted import SUBTRACTED, WireProtocol, named_part, request_name

CHAT = {"model": "m", "messages": [{"role": "user", "content": "Is it open on Monday?"}], "max_tokens": 20}
LISTED = [(protocol, field) for protocol, fields in SUBTRACTED.items() for field in fields]


def name_of(body, protocol=WireProtocol.CHAT_COMPLETIONS, tenant="a/shared", fingerprint="f" * 64):
    return request_name(tenant, fingerprint, protocol, body)


def says(*texts, **fields):
    roles = ("user", "assistant")
    messages = [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]
    return {"model": "m", "temperature": 0, "seed": 0, "messages": messages, **fields}


def tool(name, **parameters):
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


@pytest.mark.parametrize(("protocol", "field"), LISTED)
def test_a_listed_field_does_not_split_a_name(protocol, field):
    asked = {"model": "m", "messages": []}
    names = {name_of(asked | added, protocol) for added in ({}, {field: None}, {field: "x"}, {field: {"y": [1]}})}
    assert len(names) == 1


@pytest.mark.parametrize(("protocol", "field"), LISTED)
@pytest.mark.parametrize("holder", ["messages", "tools", "input", "text", "unknown"])
def test_a_field_of_a_listed_name_further_down_is_content(protocol, field, holder):
    within = {name_of({"model": "m", holder: [{field: value}]}, protocol) for value in ("x", "y")}
    assert len(within | {name_of({"model": "m", holder: [{}]}, protocol)}) == 3


@pytest.mark.parametrize("protocol", WireProtocol)
def test_a_field_that_nobody_knows_is_part_of_the_name(protocol):
    assert name_of(CHAT | {"new_in_2030": 1}, protocol) != name_of(CHAT, protocol)


@pytest.mark.parametrize(("protocol", "field"), LISTED)
def test_every_listed_field_has_a_reason(protocol, field):
    assert SUBTRACTED[protocol][field].endswith((".", "same."))


def test_the_same_body_in_two_protocols_has_two_names():
    assert len({name_of(CHAT, protocol) for protocol in WireProtocol}) == len(WireProtocol)


def test_what_is_named_is_the_request_itself_and_the_request_stays_as_it_was():
    asked = CHAT | {"stream": True, "user": "u"}
    assert named_part(WireProtocol.CHAT_COMPLETIONS, asked) == CHAT
    assert asked["stream"] is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (says("Book Oro.", "Done.", "Thanks!"), says("Cancel Oro.", "Done.", "Thanks!")),
        (says("And on Sunday?"), says("Is it open?", "Yes.", "And on Sunday?")),
        (says("Hi"), says("Hi", model="other")),
        (says("Hi"), says("Hi", temperature=0.7)),
        (says("Hi"), {key: value for key, value in says("Hi").items() if key != "temperature"}),
        (says("Hi"), says("Hi", seed=1)),
        (says("Turn the light on."), says("Turn the light off.")),
        (says("Is it open?"), says("Is it not open?")),
        (says("Is it open?"), says("Isn't it open?")),
        (says("Is it open?"), says("is it open?")),
        (says("Hi", tools=[tool("find")]), says("Hi", tools=[tool("book")])),
        (says("Hi", tools=[tool("find")]), says("Hi", tools=[tool("find", type="object")])),
        (says("Hi", tools=[tool("find"), tool("book")]), says("Hi", tools=[tool("book"), tool("find")])),
        (says("Hi"), says("Hi", tools=[])),
        (says("Hi"), says("Hi", response_format={"type": "json_object"})),
        (
            {"messages": [{"role": "system", "content": "Be brief."}, *says("Hi")["messages"]]},
            {"messages": [{"role": "system", "content": "Be kind."}, *says("Hi")["messages"]]},
        ),
        (
            {"messages": [{"role": "system", "content": "Be brief."}]},
            {"messages": [{"role": "user", "content": "Be brief."}]},
        ),
        (says("Hi"), says("Hi", prefill="Well")),
    ],
)
def test_two_requests_that_ask_for_two_things_never_share_a_name(one, other):
    assert len({name_of(one), name_of(other)}) == 2


@pytest.mark.parametrize("system", ["Be brief.", [{"type": "text", "text": "Be kind."}], None])
def test_a_system_prompt_beside_the_messages_is_part_of_the_name(system):
    asked = says("Hi", system="Be kind.")
    assert name_of(asked, WireProtocol.MESSAGES) != name_of(asked | {"system": system}, WireProtocol.MESSAGES)


def test_two_tenants_never_share_a_name():
    assert name_of(CHAT, tenant="a/shared") != name_of(CHAT, tenant="b/shared")


def test_a_fallback_models_answer_never_has_the_name_of_the_first_ones():
    assert name_of(CHAT, fingerprint="f" * 64) != name_of(CHAT, fingerprint="e" * 64)
