"""The reviewed list: what a name leaves out, with the reason beside it. Everything else is part of the name.

A field is on the list only if it is known that it cannot change the complete answer; in doubt it stays in the name,
which costs a hit and never an answer. Only fields at the top of a request are ever left out: one of the same name
inside a message, a tool or a schema is content.

Some that look like bookkeeping and stay: `store`, `background` and `prompt_cache_options` ask for an effect of their
own, `safety_identifier`, `user_profile_id` and `service_tier` may get another treatment from a provider, `cache_salt`
asks to be kept apart, and `n`, `logprobs`, `include` and the like ask for another answer.
"""

from collections.abc import Mapping
from enum import StrEnum

from apps.serving.names import Json, ReuseName, reuse_name


class WireProtocol(StrEnum):
    """What a request is written in. It is part of the name: the same body can mean two things in two of them."""

    CHAT_COMPLETIONS = "chat-completions"
    RESPONSES = "responses"
    MESSAGES = "messages"


_TRANSPORT = {
    "stream": "How the answer travels. The complete answer is kept, and sent whole or in pieces as each caller asks.",
}
_TRANSPORT_OPTIONS = {
    "stream_options": (
        "How the pieces look on the way: padding, and whether the last one shows the usage. Usage is always kept "
        "with the answer, so each caller gets it shown or not as it asked."
    ),
}
_LABELS = {
    "metadata": (
        "The caller's own labels. No prompt holds them; where a protocol repeats them in its answer, they are "
        "written from the request that is answered, not from the one that was kept."
    ),
}
_CALLER = {
    "user": "Names the end user, for statistics and against abuse. Who may share a result, the namespace decides.",
    "prompt_cache_key": (
        "Chooses the server whose cache of prefixes is likely warm. The prefix itself is in the name, and agents "
        "send a new key for each of their sessions."
    ),
}
_ENGINE = {
    "rid": "SGLang: the id of this one execution, to abort it by. Ours is random and new for each.",
    "request_id": "vLLM: the same.",
    "priority": "SGLang, vLLM: when it runs and what may displace it, not what it says.",
}

SUBTRACTED: Mapping[WireProtocol, Mapping[str, str]] = {
    WireProtocol.CHAT_COMPLETIONS: {
        **_TRANSPORT,
        **_TRANSPORT_OPTIONS,
        **_LABELS,
        **_CALLER,
        **_ENGINE,
        "return_progress": "llama.cpp: events about the prefill, ahead of the answer and no part of it.",
    },
    WireProtocol.RESPONSES: {**_TRANSPORT, **_TRANSPORT_OPTIONS, **_LABELS, **_CALLER, **_ENGINE},
    WireProtocol.MESSAGES: {**_TRANSPORT, **_LABELS},
}

# The same for what a template declares: fields that neither the fingerprint nor the rest of the name holds.
OF_WORKFLOW: Mapping[str, str] = {
    "stages": "The other stages. What of them reaches this one is in its rendered input.",
    "decision_points": "When candidates are thought of, and how long they may wait.",
}
OF_STAGE: Mapping[str, str] = {
    "speculable": "Whether it may run ahead of its demand.",
    "kv_tokens": "What is reserved while it runs; what bounds the answer itself, max_tokens, is in the rendered input.",
    "lookup": "Whether and how old a result may serve, which is asked of the entry under the name.",
}
OF_STAGE_CALL: Mapping[str, str] = {
    "uses": "Which upstream results entered the input. They are in it, by value; by name they are its provenance.",
}


def named_part(protocol: WireProtocol, body: Mapping[str, Json]) -> dict[str, Json]:
    """The request less its subtracted fields."""
    left_out = SUBTRACTED[protocol]
    return {field: value for field, value in body.items() if field not in left_out}


def request_name(namespace: str, fingerprint: str, protocol: WireProtocol, body: Mapping[str, Json]) -> ReuseName:
    """The name of a client's whole request.

    body  as the wire module parsed it. Bookkeeping that a client puts inside the prompt, like an attribution block
          that is new in each call, the module takes out before.
    """
    return reuse_name(namespace, fingerprint, {"protocol": protocol, "request": named_part(protocol, body)})
