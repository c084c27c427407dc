"""Load and identity, from what the engines' side routes are known to answer."""

from collections.abc import Mapping

import httpx
import pytest

from apps.engines.base import EngineLoad, EngineRefused, EngineRequest, Lane
from apps.engines.factory import make_engine
from apps.engines.metrics import Gauges

ID = "0123456789abcdef0123456789abcdef"


def engine_answering(kind: str, routes: Mapping[str, object], **options):
    """An adapter whose engine answers these paths: text, or JSON; every other path is 404."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        found = routes.get(request.url.path)
        if found is None:
            return httpx.Response(404)
        return httpx.Response(200, text=found) if isinstance(found, str) else httpx.Response(200, json=found)

    engine = make_engine(kind, "http://engine.test:1", "m", **options)
    engine._client = httpx.AsyncClient(base_url="http://engine.test:1", transport=httpx.MockTransport(answer))
    return engine, asked


@pytest.mark.parametrize("kind", ["sglang", "vllm", "llamacpp", "openai"])
async def test_what_an_engine_does_not_report_is_unknown_and_never_zero(kind):
    engine, _ = engine_answering(kind, {})

    assert await engine.load() == EngineLoad(None, None, None, None)


@pytest.mark.parametrize("separator", [":", "_"])
async def test_sglang_gauges_are_read_under_either_prefix_and_by_their_total(separator):
    page = "".join(
        f'sglang{separator}{name}{{priority="{priority}"}} {value}\n'
        for name, priority, value in [
            ("num_running_reqs", "", 3),
            ("num_running_reqs", "0", 2),
            ("num_running_reqs", "1", 1),
            ("num_queue_reqs", "", 4),
            ("token_usage", "", 0.25),
        ]
    )
    engine, _ = engine_answering("sglang", {"/metrics": page, "/get_server_info": {"max_running_requests": 8}})

    assert await engine.load() == EngineLoad(running=3, waiting=4, kv_frac=0.25, slots=8)


async def test_sglang_loads_are_added_over_its_replicas():
    replica = {"num_running_reqs": 2, "num_waiting_reqs": 1, "num_used_tokens": 100, "max_total_num_tokens": 400}
    routes = {"/v1/loads": {"loads": [replica, replica]}, "/server_info": {"max_running_requests": 8}}
    engine, _ = engine_answering("sglang", routes)

    assert await engine.load() == EngineLoad(running=4, waiting=2, kv_frac=0.25, slots=16)


async def test_a_replica_that_leaves_out_a_number_makes_it_unknown():
    routes = {"/v1/loads": {"loads": [{"num_running_reqs": 2}, {"num_running_reqs": 0, "num_waiting_reqs": 1}]}}
    engine, _ = engine_answering("sglang", routes)

    assert await engine.load() == EngineLoad(running=2, waiting=None, kv_frac=None, slots=None)


@pytest.mark.parametrize("name", ["vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"])
async def test_vllm_kv_is_read_under_its_old_and_its_new_name(name):
    page = (
        'vllm:num_requests_running{engine="0"} 1\nvllm:num_requests_running{engine="1"} 2\n'
        f'vllm:num_requests_waiting{{engine="0"}} 5\n{name}{{engine="0"}} 0.2\n{name}{{engine="1"}} 0.4\n'
    )
    engine, _ = engine_answering("vllm", {"/metrics": page})

    load = await engine.load()

    assert (load.running, load.waiting, load.slots) == (3, 5, None)
    assert load.kv_frac == pytest.approx(0.3)


async def test_llamacpp_kv_counts_slots_at_work_and_not_what_idle_ones_keep():
    slots = [
        {"is_processing": True, "n_ctx": 1000, "n_prompt_tokens": 500},
        {"is_processing": False, "n_ctx": 1000, "n_prompt_tokens": 900},
    ]
    page = "llamacpp:requests_processing 1\nllamacpp:requests_deferred 2\n"
    engine, _ = engine_answering("llamacpp", {"/slots": slots, "/metrics": page})

    assert await engine.load() == EngineLoad(running=1, waiting=2, kv_frac=0.25, slots=2)


async def test_llamacpp_is_not_asked_again_within_a_quarter_second():
    engine, asked = engine_answering("llamacpp", {"/slots": []})

    for _ in range(20):
        await engine.load()

    assert asked.count("/slots") == 1


async def test_tokens_without_a_tokenizer_are_a_third_of_the_bytes_rounded_up():
    engine, asked = engine_answering("vllm", {})

    assert [await engine.tokens(text) for text in ("", "abc", "abcd", "€€")] == [0, 1, 2, 2]
    assert asked == ["/tokenize"]  # a route that is not there is asked for once


async def test_a_side_route_that_answers_something_unexpected_leaves_facts_unknown():
    engine, _ = engine_answering("openai", {"/v1/models": ["m"]})

    assert (await engine.identity())["revision"] is None


async def test_a_side_route_whose_json_is_broken_is_an_engines_error():
    engine, _ = engine_answering("openai", {})
    broken = httpx.Response(200, headers={"content-type": "application/json"}, text="{")
    engine._client = httpx.AsyncClient(
        base_url="http://engine.test:1", transport=httpx.MockTransport(lambda request: broken)
    )

    with pytest.raises(EngineRefused, match="/v1/models answered JSON that is none"):
        await engine.identity()


async def test_llamacpp_names_the_parameters_that_a_request_may_leave_out():
    async def defaults(temperature):
        props = {"default_generation_settings": {"params": {"temperature": temperature}}}
        engine, _ = engine_answering("llamacpp", {"/props": props})
        return (await engine.identity())["defaults"]

    assert await defaults(0.8) == await defaults(0.8) != await defaults(0.2)


async def test_sglang_names_its_determinism_and_the_options_that_decide_answers():
    server = {"version": "0.5", "enable_deterministic_inference": True, "dtype": "bfloat16", "port": 30000}
    server |= {"attention_backend": "triton", "chat_template": None}
    engine, _ = engine_answering("sglang", {"/server_info": server, "/model_info": {"model_path": "/models/a"}})

    identity = await engine.identity()

    assert identity["deterministic"] is True
    assert identity["backend"] == "triton"
    assert identity["options"] == {"attention_backend": "triton", "dtype": "bfloat16"}
    assert identity["revision"] == "/models/a"


async def test_sglang_is_not_asked_to_abort_an_id_that_finished():
    engine, asked = engine_answering("sglang", {"/abort_request": ""})
    engine._remember_finished(ID)

    await engine.abort(ID)
    await engine.abort(ID[::-1])

    assert asked == ["/abort_request"]


async def test_sglang_refuses_an_id_so_short_that_it_would_match_others():
    engine, asked = engine_answering("sglang", {"/abort_request": ""})

    with pytest.raises(ValueError, match="prefix"):
        await engine.abort("p1")

    assert asked == []


@pytest.mark.parametrize(
    ("kind", "options", "fill", "canonical"),
    [
        ("sglang", {}, {"rid": ID, "priority": 0}, {"rid": ID, "priority": 100}),
        ("vllm", {"priorities": True}, {"priority": 1}, {"priority": 0}),
        ("vllm", {}, {}, {}),
        ("openai", {}, {}, {}),
    ],
)
def test_a_demand_goes_before_a_fill_in_each_engines_own_order(kind, options, fill, canonical):
    engine = make_engine(kind, "http://engine.test:1", "m", **options)

    assert engine.extras(EngineRequest({}, ID, Lane.FILL)) == fill
    assert engine.extras(EngineRequest({}, ID, Lane.CANONICAL)) == canonical


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'tgi' \(known: llamacpp, openai, sglang, vllm\)"):
        make_engine("tgi", "http://engine.test:1", "m")


@pytest.mark.parametrize("url", ["", "engine:8000", "ftp://engine/", "http://"])
def test_a_url_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match="is not like http://host:port"):
        make_engine("vllm", url, "m")


@pytest.mark.parametrize("url", ["http://e:1", "http://e:1/", "http://e:1/v1", "http://e:1/v1/"])
def test_a_url_with_v1_behind_it_is_the_same_engine(url):
    assert make_engine("openai", url, "m").url == "http://e:1"


async def test_a_side_call_that_fails_says_route_and_status():
    engine, _ = engine_answering("llamacpp", {})
    engine._client = httpx.AsyncClient(
        base_url="http://engine.test:1",
        transport=httpx.MockTransport(lambda request: httpx.Response(503, text="loading")),
    )

    with pytest.raises(EngineRefused, match="/metrics answered 503: loading"):
        await engine.load()


def test_a_page_without_a_gauge_gives_none():
    assert Gauges("").total("a:b") is None
    assert Gauges("other 1\n").mean("a:b") is None
