from pathlib import Path

import psycopg.conninfo
import pytest
import redis
from sqlalchemy.engine import make_url

from app.store.embedded.addresses import LONGEST_SOCKET_PATH, PostgresAddress, ValkeyAddress, fits

FOLDERS = ["/srv/p", "/srv/my data", "/srv/50% off + tax", "/srv/a b'c\"d", "/srv/märz?x=1&y#z"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_sqlalchemy_libpq_and_redis_read_a_socket_in_any_folder(folder: str) -> None:
    address = PostgresAddress(Path(folder), 5432)
    read = make_url(address.url("p:w/d", "postgresql+psycopg"))
    assert (read.query["host"], read.password, read.database) == (folder, "p:w/d", "postgres")
    known = psycopg.conninfo.conninfo_to_dict(address.url("p:w/d", "postgresql"))
    assert (known["host"], known["password"], known["port"]) == (folder, "p:w/d", "5432")
    connection = redis.Redis.from_url(ValkeyAddress(Path(folder) / "v.sock", 0).url("p:w/d")).connection_pool
    assert connection.connection_kwargs["path"] == f"{folder}/v.sock"
    assert connection.connection_kwargs["password"] == "p:w/d"
    connection.close()


def test_without_a_socket_both_listen_on_loopback() -> None:
    assert PostgresAddress(None, 5).url("pw", "postgresql") == "postgresql://postgres:pw@127.0.0.1:5/postgres"
    assert ValkeyAddress(None, 6).url("pw") == "redis://:pw@127.0.0.1:6/0"


def test_the_length_of_a_socket_path_counts_bytes() -> None:
    assert fits(Path("/" + "a" * (LONGEST_SOCKET_PATH - 1)))
    assert not fits(Path("/" + "a" * LONGEST_SOCKET_PATH))
    assert not fits(Path("/" + "ä" * (LONGEST_SOCKET_PATH - 10)))


@pytest.mark.parametrize("path", ["/srv/a,b", "/srv/a b"])
def test_a_path_that_urls_lose_is_no_path_for_sockets(path: str) -> None:
    assert not fits(Path(path))
