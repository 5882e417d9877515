"""The statements of the hot paths read what they need by the indexes they name, as the role that the walls bind.

Each is sent by its own repository and then explained as it was sent: what is held is where it reads and how much, not
how it is written.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from sqlalchemy import text

from app.core.paging import Order, PageRequest
from app.domain.episodes import EpisodeFilter
from app.domain.jobs import JobKind
from app.domain.requests import MemoryFilter, Once, RecallRequest
from app.services.house import House
from app.store.postgres.database import APPLICATION_ROLE, Transaction, libpq_url
from app.store.postgres.repositories.conflicts import ConflictRepository
from app.store.postgres.repositories.decisions import DecisionRepository
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.jobs import JobRepository
from app.store.postgres.repositories.links import LinkRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.owners import IdempotencyRepository, OwnerRepository
from app.store.postgres.repositories.search import ArmQuery, SearchRepository
from app.store.postgres.repositories.sessions import SessionRepository
from app.store.postgres.spaces import Space
from tests.conftest import Stores
from tests.statements import statements
from tests.store.large import FUTURE, MANY, OWNERS, UNFINISHED, Large, clear, fill
from tests.store.plans import Plan, explain, explain_inside

Superuser = psycopg.Connection[tuple[object, ...]]

NOW = datetime(2026, 6, 1, tzinfo=UTC)
TEN = PageRequest(limit=10)
OLDEST = PageRequest(limit=10, order=Order.ASCENDING)
ALL = MemoryFilter()
UP = np.ones(384, dtype=np.float32)


Ask = Callable[[Transaction, Large, Space], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Hot:
    """What is asked, the indexes that answer, and the rows that may be read for it."""

    ask: Ask
    indexes: set[str]
    most: int


async def waiting(db: Transaction, large: Large, _space: Space) -> object:
    """What is flagged in the way of five memories that are shown."""
    known = await MemoryRepository(db).about([], [], [large.id(n) for n in range(11, 16)])
    return await ConflictRepository(db).waiting([replace(memory, single=True) for memory in known], NOW)


HOT = {
    "an owner is locked": Hot(lambda db, _, __: OwnerRepository(db).lock(), {"owners_pkey"}, 1),
    "a session is found by its name": Hot(lambda db, _, __: Directory(db).session("s1"), {"names_pkey"}, 1),
    "a session is read": Hot(lambda db, o, _: SessionRepository(db).get(o.id(1)), {"sessions_pkey"}, 1),
    "a page of sessions": Hot(
        lambda db, _, __: SessionRepository(db).page(agent_id=None, state=None, now=NOW, page=TEN),
        {"sessions_timeline_idx"},
        11,
    ),
    "append takes the next places": Hot(
        lambda db, o, _: SessionRepository(db).reserve(o.id(1), 20, NOW), {"sessions_pkey", "sessions_unended_idx"}, 1
    ),
    "append looks for repeats": Hot(
        lambda db, o, _: MessageRepository(db).known(o.id(1), ["m5", "m6", "new"]), {"messages_client_id_key"}, 2
    ),
    "messages between two places": Hot(
        lambda db, o, _: MessageRepository(db).between(o.id(1), 400, 464), {"messages_pkey"}, 64
    ),
    "a window without Redis": Hot(
        lambda db, o, _: MessageRepository(db).between(o.id(1), MANY - 64, MANY), {"messages_pkey"}, 64
    ),
    "a page of messages": Hot(lambda db, o, _: MessageRepository(db).page(o.id(1), OLDEST), {"messages_pkey"}, 11),
    "messages by their places": Hot(
        lambda db, o, _: MessageRepository(db).named([(o.id(n), 1) for n in range(1, 21)]),
        {"messages_pkey", "messages_client_id_key"},
        20,
    ),
    "a memory is read": Hot(
        lambda db, o, _: MemoryRepository(db).get(o.id(7)), {"memories_pkey", "memory_usage_pkey", "sources_pkey"}, 3
    ),
    "a page of memories": Hot(
        lambda db, _, __: MemoryRepository(db).page(ALL, NOW, TEN),
        {"memories_recent_idx", "memories_pkey", "memory_usage_pkey", "sources_pkey"},
        60,
    ),
    "an episode is read": Hot(lambda db, o, _: EpisodeRepository(db).get(o.id(7)), {"episodes_pkey"}, 1),
    "a page of episodes": Hot(
        lambda db, _, __: EpisodeRepository(db).page(EpisodeFilter(), TEN), {"episodes_timeline_idx"}, 11
    ),
    "the episodes of a session": Hot(
        lambda db, o, _: EpisodeRepository(db).of_session(o.id(7)), {"episodes_session_idx"}, 1
    ),
    "episodes outside the index": Hot(
        lambda db, _, __: EpisodeRepository(db).unindexed(EpisodeFilter(), limit=20),
        {"jobs_unfinished_idx", "episodes_pkey"},
        40,
    ),
    "what holds whatever is asked": Hot(
        lambda db, _, __: MemoryRepository(db).standing(NOW, 5), {"memories_standing_idx"}, 20
    ),
    "what a new statement may meet": Hot(
        lambda db, o, _: MemoryRepository(db).about(["slot.7"], [b"nothing has it"], [o.id(9)]),
        {"memories_key_idx", "memories_fingerprint_idx", "memories_pkey"},
        3,
    ),
    "a memory's history": Hot(
        lambda db, o, _: DecisionRepository(db).history(o.id(7), TEN),
        {"decisions_memory_idx", "decision_others_memory_idx", "decisions_pkey", "decision_others_pkey"},
        12,
    ),
    "the sides of conflicts": Hot(
        lambda db, o, _: DecisionRepository(db).sides([o.id(7), o.id(8)]), {"conflict_sides_pkey"}, 2
    ),
    "the conflicts of what is shown": Hot(
        lambda db, o, _: ConflictRepository(db).disputes([o.id(7), o.id(8)]),
        # While hardly anything is in dispute, the few rows of that status are read instead.
        {"conflicts_pkey", "conflict_sides_pkey", "memories_pkey", "memories_timeline_idx"},
        6,
    ),
    "what waits for a decision": Hot(
        waiting,
        {
            "memories_pkey",
            "memories_key_idx",
            # While hardly anything is flagged, the few rows of that status are read instead of those of the slots.
            "memories_timeline_idx",
            "decisions_pkey",
            "decisions_memory_idx",
            "decision_others_pkey",
            "decision_others_memory_idx",
        },
        60,
    ),
    "a job is claimed": Hot(lambda db, o, _: JobRepository(db).claim(o.id(5), uuid4(), NOW), {"jobs_pkey"}, 1),
    "a job waits behind another": Hot(
        lambda db, o, _: JobRepository(db).park(o.id(5)), {"jobs_unfinished_idx", "jobs_pkey"}, UNFINISHED
    ),
    "a job is found that waited": Hot(
        lambda db, _, __: JobRepository(db).first_parked(7), {"jobs_unfinished_idx"}, UNFINISHED
    ),
    "jobs wait behind the next one": Hot(
        lambda db, _, __: JobRepository(db).move_parked(7, 8), {"jobs_unfinished_idx"}, UNFINISHED
    ),
    "the job of a session": Hot(
        lambda db, o, _: JobRepository(db).of_session(o.id(5), JobKind.INDEX), {"jobs_session_idx", "sessions_pkey"}, 2
    ),
    "a request sent before is recognised": Hot(
        lambda db, _, __: IdempotencyRepository(db).begin(0, Once("k5", b"\0"), NOW),
        {"idempotency_pkey", "idempotency_expiry_idx"},
        1,
    ),
    "sessions with messages outside the index": Hot(
        lambda db, _, __: MessageRepository(db).unindexed(sessions=20, limit=200),
        {"sessions_unended_idx", "messages_pkey"},
        MANY,
    ),
    "what memories have replaced": Hot(
        lambda db, o, _: MemoryRepository(db).replaced_by([o.id(n) for n in range(20)]),
        {"memories_superseded_idx", "memories_pkey", "memory_usage_pkey", "sources_pkey"},
        MANY,
    ),
    "what names a memory": Hot(
        lambda db, o, _: LinkRepository(db).naming([o.id(n) for n in range(20)]),
        {"memories_superseded_idx", "memories_supersedes_idx"},
        4,
    ),
    "what the past says of a memory": Hot(
        lambda db, o, _: LinkRepository(db).forget([o.id(7)], "It is gone."),
        {"memory_versions_superseded_idx", "decisions_memory_idx", "decisions_pkey", "conflicts_pkey"}
        | {"decision_others_memory_idx", "decision_others_pkey", "memories_pkey"},
        4,
    ),
    "memories outside the index": Hot(
        lambda db, _, space: SearchRepository(db, space).unindexed_memories(ALL, limit=20, now=NOW),
        {"jobs_unfinished_idx", "memories_pkey"},
        40,
    ),
    "passages by words": Hot(
        lambda db, _, space: SearchRepository(db, space).words(
            IndexKind.MEMORY, ["term7", "term8"], ALL, limit=10, now=NOW
        ),
        {"postings_pkey", "corpus_pkey", "passages_pkey"},
        MANY + 100,
    ),
    "passages by meaning": Hot(
        lambda db, _, space: SearchRepository(db, space).nearest(IndexKind.MEMORY, UP, ALL, limit=10, now=NOW),
        {"vectors_1_pkey"},
        MANY,
    ),
    "passages by words and meaning, with what ranking needs": Hot(
        lambda db, _, space: SearchRepository(db, space).found(
            IndexKind.MEMORY, ArmQuery(terms=["term7", "term8"], vector=UP, wanted=ALL, limit=10, now=NOW)
        ),
        {"postings_pkey", "corpus_pkey", "passages_pkey", "passages_item_key", "vectors_1_pkey", "memories_pkey"},
        # Both arms read what is live: of the words arm's passages, too, that is quickest told by all of them.
        2 * MANY + 200,
    ),
}


@pytest.fixture(scope="module")
async def large(house: House, stores: Stores) -> AsyncIterator[Large]:
    with psycopg.connect(libpq_url(stores.database_url), autocommit=True) as superuser:
        yield await fill(house, superuser)
        clear(superuser, house)


@pytest.mark.parametrize("name", HOT)
async def test_a_hot_statement_reads_little_and_by_index(house: House, large: Large, name: str) -> None:
    plan = await _explained(house, large, HOT[name].ask)
    assert plan.scanned == set()
    assert plan.indexes <= HOT[name].indexes
    assert plan.touched <= HOT[name].most
    assert all(len(read) == 1 for read in plan.partitions.values()), plan.partitions


async def _explained(house: House, large: Large, ask: Ask) -> Plan:
    """The plans of what `ask` sends, each for what it finds as if it were the first to come."""
    async with house.parts.db.transaction(large.scope) as db:
        assert (await db.execute(text("select current_user"))).scalar_one() == APPLICATION_ROLE
        await db.tune_for_vectors()
        await db.driver.execute(b"savepoint before", prepare=False)
        with statements(house.parts.db) as sent:
            await ask(db, large, house.parts.space)
        assert sent
        await db.driver.execute(b"rollback to before", prepare=False)
        plan = await explain(db, sent)
        await db.driver.execute(b"rollback to before", prepare=False)
    return plan


async def test_the_words_arm_never_visits_the_table_of_postings(house: House, large: Large) -> None:
    assert "postings" in (await _explained(house, large, HOT["passages by words"].ask)).by_index_alone


async def test_recall_reads_one_partition_of_each_table_by_index(house: House, large: Large) -> None:
    async def ask(_db: Transaction, large: Large, _space: Space) -> object:
        return await house.search.recall(large.caller, RecallRequest(query="term7 term8", user_id="ana"))

    plan = await _explained(house, large, ask)
    assert plan.scanned == set()
    assert plan.indexes >= {"postings_pkey", "passages_pkey", "vectors_1_pkey"}
    assert all(len(read) == 1 for read in plan.partitions.values()), plan.partitions


@dataclass(frozen=True, slots=True)
class Inside:
    """A call of a function in the database, the index that it rests on, and the rows that may be read for it."""

    call: str
    values: Callable[[Large], list[object]]
    index: str
    most: int


INSIDE = {
    "the sweeper finds due sessions": Inside(
        "select * from due_sessions(%s, %s)", lambda _: [FUTURE + timedelta(days=1), 10], "sessions_sweep_idx", 26
    ),
    "the worker finds jobs that nothing would wake": Inside(
        "select * from orphaned_jobs(%s, %s)",
        lambda _: [FUTURE + timedelta(days=1), 10],
        "jobs_unfinished_idx",
        # Of all jobs in the database: other tests leave some, too.
        OWNERS * MANY,
    ),
    "a memory is located by its id": Inside(
        "select locate('memory', %s, %s)", lambda o: [o.owner.bucket, o.id(7)], "memories_pkey", 1
    ),
    "a job is located by its id": Inside(
        "select locate('job', %s, %s)", lambda o: [o.owner.bucket, o.id(7)], "jobs_pkey", 1
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_no_scope_covers_reads_by_index_too(large: Large, superuser: Superuser, name: str) -> None:
    """The other partitions hold next to nothing, which is quickest read from one end to the other."""
    home = superuser.execute(
        "select tableoid::regclass::text from jobs where tenant_id = %s limit 1", [large.owner.tenant_id]
    )
    (partition,) = home.fetchone() or ("",)
    hot = INSIDE[name]
    plan = explain_inside(superuser, hot.call, hot.values(large), tenant_id=large.owner.tenant_id)
    assert hot.index in plan.indexes
    assert not any(table.endswith(str(partition)[-3:]) for table in plan.scanned)
    assert plan.touched <= hot.most
