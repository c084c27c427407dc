"""The small decisions of a start: ports, secrets, pauses, records, addresses."""

import os
import socket
import stat

import pytest

from apps.runtime import parts, serving_start
from apps.runtime.embedded_redis import RedisAddress, command
from apps.runtime.parts import Launch, parts_of
from apps.runtime.ports_free import PortTaken, first_free, free_port, is_free
from apps.runtime.private_files import kept_secret, write_private
from apps.runtime.run_folder import AlreadyRunning, ProcessMark, RunFolder, RunRecord
from apps.runtime.serving_start import Wanted
from apps.runtime.watchers import LONGEST_PAUSE_S, pause_s


def launch(tmp_path, **changes) -> Launch:
    values = {
        "run_dir": tmp_path,
        "host": "127.0.0.1",
        "port": 8000,
        "redis_url": "redis://outside/0",
        "engine_url": "http://outside",
        "redis": None,
        "engine_port": None,
        "workers": 2,
        "concurrency": 4,
    }
    return Launch(**{**values, **changes})


def test_a_bound_port_is_not_free_and_the_next_one_is_found():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert not is_free("127.0.0.1", port)
        assert first_free("127.0.0.1", port) > port
        with pytest.raises(PortTaken, match="DYNBRANCH_PORT"):
            first_free("127.0.0.1", port, tries=1)


def test_a_port_that_was_asked_for_is_never_swapped_for_another():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortTaken):
        serving_start.choose_port(Wanted("127.0.0.1", taken.getsockname()[1], 1), print)


def test_the_default_port_gives_way_and_says_so(monkeypatch):
    said = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(serving_start, "DEFAULT_PORT", taken.getsockname()[1])

        port = serving_start.choose_port(Wanted("127.0.0.1", None, 1), said.append)

    assert port != serving_start.DEFAULT_PORT
    assert str(port) in said[0]


def test_port_zero_takes_any_free_one():
    assert is_free("127.0.0.1", serving_start.choose_port(Wanted("127.0.0.1", 0, 1), print))
    assert free_port() > 0


def test_a_secret_is_generated_once_and_readable_by_its_owner_only(tmp_path):
    first = kept_secret(tmp_path / "key")

    assert len(first) >= 50
    assert kept_secret(tmp_path / "key") == first
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_failed_private_write_leaves_the_old_text_and_no_litter(tmp_path):
    write_private(tmp_path / "record", "old")
    with pytest.raises(TypeError):
        write_private(tmp_path / "record", 7)

    assert [path.name for path in tmp_path.iterdir()] == ["record"]
    assert (tmp_path / "record").read_text() == "old"


def test_pauses_double_up_to_a_limit():
    assert [pause_s(n) for n in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert pause_s(50) == LONGEST_PAUSE_S


def test_a_folder_is_held_by_one_and_free_again_after(tmp_path):
    home = RunFolder(tmp_path).make()

    with home.locked(), pytest.raises(AlreadyRunning, match="DYNBRANCH_VAR"), RunFolder(tmp_path).locked():
        pytest.fail("two hold one folder")
    with home.locked():
        pass


def test_a_record_survives_the_file_and_a_broken_one_counts_as_none(tmp_path):
    home = RunFolder(tmp_path).make()
    mark = ProcessMark.of(os.getpid())
    record = home.write(RunRecord(mark, "token", "http://x", "ipc://y", parts={"web": [mark]}))

    assert home.read() == record
    assert home.running() == record
    (home.run / "manager.json").write_text('{"half":')
    assert home.read() is None


def test_a_pid_with_another_start_time_is_another_process():
    mine = ProcessMark.of(os.getpid())

    assert mine.process() is not None
    assert ProcessMark(mine.pid, mine.created_s - 1).process() is None


def test_a_long_folder_gets_its_sockets_elsewhere_and_they_go_with_it(tmp_path):
    long = RunFolder(tmp_path / ("x" * 60) / ("y" * 60)).make()

    with long.socket_folder() as folder:
        assert folder != long.run
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_outside_parts_are_not_started(tmp_path):
    assert [part.name for part in parts_of(launch(tmp_path))] == [parts.WEB, parts.WORKER, parts.PROBE]


def test_embedded_parts_are_started_first(tmp_path):
    embedded = launch(tmp_path, redis=RedisAddress(7000, "secret"), engine_port=7001)

    assert tuple(part.name for part in parts_of(embedded)) == parts.PARTS


def test_the_password_of_redis_is_in_a_private_file_and_not_in_the_command(tmp_path):
    argv = command(RedisAddress(7000, "secret"), tmp_path / 'a "quoted" folder')
    config = tmp_path / 'a "quoted" folder' / "redis.conf"

    assert not any("secret" in word for word in argv)
    assert "requirepass secret" in config.read_text()
    assert stat.S_IMODE(config.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("chat.local", "http://chat.local:8000"),
    ],
)
def test_the_shown_address_can_be_opened(tmp_path, host, address):
    assert launch(tmp_path, host=host).address == address
