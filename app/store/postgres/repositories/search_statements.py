"""How the statements of search are built: words by true BM25, vectors by exact distance, every filter inside both.

Each statement takes the owner, the kind and what is asked as parameters (`bucket`, `owner_id`, `kind`, `terms`,
`vector`, `most`, `now`). Only a filter's own values stand in the statement, so without one it is built once.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    CTE,
    ColumnElement,
    DateTime,
    Float,
    FromClause,
    Integer,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    cast,
    func,
    literal_column,
    or_,
    select,
    text,
)
from sqlalchemy.dialects.postgresql.psycopg import dialect

from app.domain.episodes import EpisodeFilter
from app.domain.requests import MemoryFilter
from app.store.postgres.repositories.episodes import conditions as episode_conditions
from app.store.postgres.repositories.graph import OVER_FETCH, Scan
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.memory_filters import conditions, metadata_condition
from app.store.postgres.tables.episodes import episodes
from app.store.postgres.tables.index import passages
from app.store.postgres.tables.memories import memories
from app.store.postgres.tables.sessions import messages, sessions

# Robertson's BM25 with k1 = 1.2 and b = 0.75 and Lucene's idf, over the owner's own passages of one kind; equal to the
# reference to 1e-6. `df` is counted by the scan that finds the postings.
_SCORED: Final = """
  with hit as materialized (
    select doc, term, tf, len, count(*) over (partition by term) df
    from postings where bucket = :bucket and owner_id = :owner_id and kind = :kind and term = any(:terms)),
  size as (
    select greatest(docs, 1)::float8 n, greatest(tokens, 1)::float8 / greatest(docs, 1) average
    from corpus where bucket = :bucket and owner_id = :owner_id and kind = :kind)
  select doc,
    sum(ln(1 + (n - df + .5) / (df + .5)) * tf * 2.2 / (tf + 1.2 * (.25 + .75 * len / average))) score,
    (select jsonb_object_agg(term, df)::text from (select distinct term, df from hit) terms) frequencies
  from hit, size group by doc"""

_DIALECT: Final = dialect()
_DEFAULT: Final = MemoryFilter()
_NOTHING: ColumnElement[Any] = literal_column("null::float8")
_ONE: Final = literal_column("1", Float)
_OVER_FETCH: Final = literal_column(str(OVER_FETCH), Integer)
Wanted = MemoryFilter | EpisodeFilter
"""A filter; the one of episodes is asked of episodes only."""


@lru_cache(maxsize=64)
def found_by_default(kind: IndexKind, vectors: Table | None, scan: Scan) -> bytes:
    """`found` without a filter, as the driver takes it; with the parameters of this module's heading."""
    # The time stands in the statement as a parameter, whatever is given here.
    return found(kind, vectors, _DEFAULT, None, scan).compile(dialect=_DIALECT).string.encode()


def found(
    kind: IndexKind, vectors: Table | None, wanted: Wanted, now: datetime | None, scan: Scan
) -> Select[*tuple[Any, ...]]:
    """What words or, given their table, vectors find, joined with what ranking needs to know."""
    arms = _arms(kind, vectors, wanted, now, scan).cte("arms").prefix_with("materialized")
    source, known = _known(kind, arms.join(passages, _passage(arms.c.doc)))
    p = passages.c
    place = (p.item_id, p.seq, p.part, p.starts, p.ends, p.occurred_at)
    return select(*place, arms.c.words, arms.c.cosine, arms.c.frequencies, *known).select_from(source)


def _arms(
    kind: IndexKind, vectors: Table | None, wanted: Wanted, now: datetime | None, scan: Scan
) -> Select[*tuple[Any, ...]]:
    """The `doc` of each passage that an arm finds, and what the arms say of it: `words`, `cosine`, `frequencies`."""
    by_words = words(kind, wanted, now).cte("by_words")
    told = (by_words.c.score.label("words"), by_words.c.frequencies)
    if vectors is None:
        return select(by_words.c.doc, _NOTHING.label("cosine"), *told)
    by_meaning = meaning(kind, vectors, wanted, now, scan).cte("by_meaning")
    doc: ColumnElement[int] = func.coalesce(by_words.c.doc, by_meaning.c.doc)
    both = by_words.join(by_meaning, by_words.c.doc == by_meaning.c.doc, full=True)
    return select(doc.label("doc"), by_meaning.c.score.label("cosine"), *told).select_from(both)


def words(kind: IndexKind, wanted: Wanted, now: datetime | None) -> Select[*tuple[Any, ...]]:
    """The passages (`doc`, `score`, `frequencies`) that hold any of the terms, best first."""
    scored = text(_SCORED).columns(doc=Integer, score=Float, frequencies=Text).cte("scored")
    source, where = _filtered(scored, kind, wanted, now)
    return (
        select(scored.c.doc, scored.c.score, scored.c.frequencies)
        .select_from(source)
        .where(*where)
        .order_by(scored.c.score.desc(), scored.c.doc.desc())
        .limit(bindparam("most", type_=Integer))
    )


def meaning(
    kind: IndexKind, vectors: Table, wanted: Wanted, now: datetime | None, scan: Scan
) -> Select[*tuple[Any, ...]]:
    """The passages (`doc`, `score`) nearest to the vector by cosine, nearest first."""
    query = cast(bindparam("vector", type_=Text), vectors.c.embedding.type)
    distance = vectors.c.embedding.op("<=>", return_type=Float())(query)
    source, where = _filtered(vectors, kind, wanted, now)
    where = [_mine(vectors), vectors.c.kind == bindparam("kind"), *where]
    most = bindparam("most", type_=Integer)
    if scan is Scan.EXACT:
        exact = select(vectors.c.doc, (_ONE - distance).label("score")).select_from(source).where(*where)
        return exact.order_by(distance, vectors.c.doc.desc()).limit(most)
    # Only a statement that names the condition of the graphs can be answered by one.
    walk = select(vectors.c.doc, distance.label("distance")).select_from(source).where(vectors.c.in_ann, *where)
    near = walk.order_by(distance).limit(most * _OVER_FETCH).cte("near").prefix_with("materialized")
    score = _ONE - near.c.distance
    # By the score and not by the distance: by that, the planner takes the walk for sorted and ends it at `most` rows.
    return select(near.c.doc, score.label("score")).order_by(score.desc(), near.c.doc.desc()).limit(most)


def passing(kind: IndexKind, wanted: Wanted, now: datetime | None) -> Select[*tuple[int]]:
    """How many of the passages numbered `sample` fulfil the filter."""
    sample = select(func.unnest(bindparam("sample", type_=ARRAY(Integer)), type_=Integer).label("doc")).cte("sample")
    source, where = _filtered(sample, kind, wanted, now)
    return select(func.count()).select_from(source).where(*where)


def asks_nothing(wanted: Wanted) -> bool:
    """Whether the filter leaves everything in that stands."""
    return wanted in (_DEFAULT, EpisodeFilter())


def _mine(table: FromClause) -> ColumnElement[bool]:
    return and_(table.c.bucket == bindparam("bucket"), table.c.owner_id == bindparam("owner_id"))


def _passage(doc: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(_mine(passages), passages.c.kind == bindparam("kind"), passages.c.doc == doc)


def _known(kind: IndexKind, arms: FromClause) -> tuple[FromClause, list[ColumnElement[Any]]]:
    """The arms joined with what moves an item's score, and those columns."""
    if kind is IndexKind.EPISODE:
        return arms, []
    if kind is IndexKind.MESSAGE:
        told = messages.alias("known")
        here = and_(_mine(told), told.c.session_id == passages.c.item_id, told.c.seq == passages.c.seq)
        return arms.join(told, here), [told.c.speaker]
    m = memories.alias("known")
    columns = [m.c.type, m.c.confidence, m.c.importance, m.c.pinned, m.c.last_confirmed_at]
    return arms.join(m, and_(_mine(m), m.c.id == passages.c.item_id)), list(columns)


def _filtered(
    arm: CTE | Table, kind: IndexKind, wanted: Wanted, now: datetime | None
) -> tuple[FromClause, list[ColumnElement[bool]]]:
    """The arm joined with what its filters need, and the filters."""
    if asks_nothing(wanted):
        # The index itself knows what stands: in the table of vectors, too.
        stands = arm if isinstance(arm, Table) else passages
        over = stands.c.expires_at <= bindparam("now", type_=DateTime(timezone=True))
        where = [stands.c.live, or_(stands.c.expires_at.is_(None), ~over)]
        return (arm if isinstance(arm, Table) else arm.join(passages, _passage(arm.c.doc))), where
    source = arm.join(passages, _passage(arm.c.doc))
    if isinstance(wanted, EpisodeFilter):
        here = and_(_mine(episodes), episodes.c.id == passages.c.item_id)
        return source.join(episodes, here), episode_conditions(wanted)
    if kind is IndexKind.MESSAGE:
        return _message_filters(source, wanted)
    if now is None:
        raise ValueError("A filter needs the time at which it is asked.")
    return source.join(memories, and_(_mine(memories), memories.c.id == passages.c.item_id)), conditions(wanted, now)


def _message_filters(source: FromClause, wanted: MemoryFilter) -> tuple[FromClause, list[ColumnElement[bool]]]:
    p = passages.c
    where: list[ColumnElement[bool]] = [p.live]
    if wanted.agent_id is not None:
        where.append(p.agent_id == wanted.agent_id)
    if wanted.since is not None:
        where.append(p.occurred_at >= wanted.since)
    if wanted.until is not None:
        where.append(p.occurred_at < wanted.until)
    if wanted.session_id is not None:
        source = source.join(sessions, and_(_mine(sessions), sessions.c.id == p.item_id))
        where.append(sessions.c.client_id == wanted.session_id)
    if wanted.metadata:
        here = and_(_mine(messages), messages.c.session_id == p.item_id, messages.c.seq == p.seq)
        source = source.join(messages, here)
        where += [metadata_condition(messages.c.metadata, one) for one in wanted.metadata]
    return source, where
