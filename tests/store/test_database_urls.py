"""The same database under the names that SQLAlchemy and libpq give it."""

import pytest

from app.store.postgres.database import libpq_url, sqlalchemy_url


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+asyncpg"])
def test_every_scheme_of_postgresql_is_taken(scheme: str) -> None:
    assert sqlalchemy_url(f"{scheme}://a:b@host/db") == "postgresql+psycopg://a:b@host/db"


def test_a_socket_folder_with_a_space_keeps_its_name() -> None:
    url = "postgresql+psycopg://a:p%2Bw@/db?host=/home/a%20home/run"
    assert libpq_url(url) == "postgresql://a:p+w@/db?host=%2Fhome%2Fa%20home%2Frun"
