"""Each check fires on the setting that it names, says the mend, and is quiet otherwise."""

import pytest
from django.core.checks import Error
from django.core.checks.registry import registry

from apps.runtime import checks
from apps.runtime.ports_free import free_port

OUR_CHECKS = (
    checks.python_is_supported,
    checks.secret_key_is_set,
    checks.hosts_are_named,
    checks.channel_layer_is_shared,
    checks.engine_is_consistent,
    checks.redis_is_reachable,
)


def ids(messages):
    return [message.id for message in messages]


def test_the_shipped_settings_pass_every_check(settings):
    settings.ALLOWED_HOSTS = ["localhost"]

    assert [found for check in OUR_CHECKS for found in check(databases=None)] == []


def test_every_check_is_registered_with_django():
    registered = registry.get_checks(include_deployment_checks=True)

    assert [check for check in OUR_CHECKS if check not in registered] == []


def test_an_old_python_is_refused(monkeypatch):
    monkeypatch.setattr(checks.sys, "version_info", (3, 10, 14))

    (message,) = checks.python_is_supported()

    assert message.id == "runtime.E001"
    assert "3.10.14" in message.msg


def test_an_empty_secret_key_is_refused(settings):
    settings.SECRET_KEY = ""

    assert ids(checks.secret_key_is_set()) == ["runtime.E002"]


@pytest.mark.parametrize(
    ("debug", "hosts", "expected"),
    [
        (False, [], ["runtime.E003"]),
        (False, ["*"], ["runtime.W002"]),
        (True, [], ["runtime.W001"]),
        (False, ["chat.example.org"], []),
    ],
)
def test_hosts_must_be_named_unless_debugging(settings, debug, hosts, expected):
    settings.DEBUG, settings.ALLOWED_HOSTS = debug, hosts

    assert ids(checks.hosts_are_named()) == expected


@pytest.mark.parametrize("layers", [{}, {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}])
def test_a_channel_layer_that_other_processes_cannot_reach_is_refused(settings, layers):
    settings.CHANNEL_LAYERS = layers

    assert ids(checks.channel_layer_is_shared()) == ["runtime.E004"]


def test_an_unknown_model_is_refused_only_where_no_engine_is_named_that_could_have_it(settings):
    settings.ENGINE_MODEL = "some-other-model"
    (message,) = checks.engine_is_consistent()
    settings.ENGINE_URL = "http://gpu-host:30000"

    assert message.id == "runtime.E010"
    assert settings.CONCIERGE_MODEL in message.hint
    assert settings.BASE_MODEL in message.hint
    assert checks.engine_is_consistent() == []


@pytest.mark.parametrize("name", ["BASE_MODEL", "CONCIERGE_MODEL"])
def test_both_embedded_models_need_no_engine(settings, name):
    settings.ENGINE_MODEL = getattr(settings, name)

    assert checks.engine_is_consistent() == []


@pytest.mark.parametrize(
    ("kind", "url", "expected"),
    [
        ("llamacpp", "", []),
        ("sglang", "", ["runtime.E005"]),
        ("sglang", "gpu-host:30000", ["runtime.E006"]),
        ("vllm", "http://", ["runtime.E006"]),
        ("sglang", "http://gpu-host:30000", []),
    ],
)
def test_an_outside_engine_needs_kind_and_address(settings, kind, url, expected):
    settings.ENGINE_KIND, settings.ENGINE_URL = kind, url

    assert ids(checks.engine_is_consistent()) == expected


def test_an_unreachable_redis_is_named_with_its_mend_only_when_databases_are_checked(settings):
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"

    assert checks.redis_is_reachable(databases=None) == []
    (message,) = checks.redis_is_reachable(databases=["default"])

    assert isinstance(message, Error)
    assert message.id == "runtime.E007"
    assert "REDIS_URL" in message.hint


def test_the_running_redis_is_new_enough(settings):
    assert checks.redis_is_reachable(databases=["default"]) == []


def test_an_old_redis_is_refused(settings, monkeypatch):
    monkeypatch.setattr(checks, "MIN_REDIS", (99, 0))

    assert ids(checks.redis_is_reachable(databases=["default"])) == ["runtime.E008"]


def test_a_redis_that_may_drop_any_key_is_refused(settings, redis_client):
    redis_client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert ids(checks.redis_is_reachable(databases=["default"])) == ["runtime.E009"]
    finally:
        redis_client.config_set("maxmemory-policy", "noeviction")


@pytest.mark.parametrize(("text", "version"), [("7.2.4", (7, 2)), ("6.2", (6, 2)), ("8", (8, 0))])
def test_a_version_is_read_as_numbers(text, version):
    assert checks.redis_version(text) == version
