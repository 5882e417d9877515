"""Services without stores, to try the doors alone: they answer what a test lays in and remember what they were asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from app.core.errors import Unauthenticated
from app.core.paging import Page
from app.core.scope import ALL_RIGHTS, Caller, Right
from app.domain.decisions import Action, Decision
from app.domain.episodes import Episode, Outcome
from app.domain.jobs import Job, JobKind, JobState
from app.domain.memories import Author, Memory, MemoryStatus, MemoryType, Polarity, Source
from app.domain.results import (
    CreatedMemory,
    EpisodeHit,
    EpisodeSearchResult,
    EpisodeView,
    MemoryView,
    RecallResult,
    SearchHit,
    SearchResult,
    SourceView,
)
from app.domain.sessions import Session, SessionState
from app.services.house import House

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
MEMORY_ID = UUID("0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e")
EPISODE_ID = UUID("0198c1e4-b002-7c0c-8000-2f3e4d5c6b7a")
JOB_ID = UUID("0198c1e4-9d7a-7c0c-9f1b-6a5b1e0d2c3f")


def a_session(**changes: Any) -> Session:
    values: dict[str, Any] = {
        "id": UUID(int=1),
        "client_id": "trip-42",
        "user_id": "ana",
        "agent_id": None,
        "state": SessionState.OPEN,
        "cause": None,
        "next_seq": 3,
        "extracted_seq": 0,
        "indexed_seq": 0,
        "ttl_seconds": 60,
        "expires_at": NOON,
        "created_at": NOON,
        "updated_at": NOON,
        "ended_at": None,
        "system_prompt": None,
        "settings": {},
        "metadata": {},
        "version": 7,
    }
    return Session(**values | changes)


def a_view(**changes: Any) -> MemoryView:
    values: dict[str, Any] = {
        "id": MEMORY_ID,
        "type": MemoryType.FACT,
        "content": "Ana lives in Lisbon.",
        "key": "home_city",
        "value": "Lisbon",
        "polarity": Polarity.POSITIVE,
        "single": True,
        "status": MemoryStatus.CURRENT,
        "confidence": 0.9,
        "importance": 3,
        "source": Source.EXPLICIT,
        "author": Author.USER,
        "valid_from": NOON,
        "valid_to": None,
        "recorded_at": NOON,
        "last_confirmed_at": NOON,
        "version": 4,
    }
    source = SourceView(session_id="trip-42", message_id="m-1", seq=1, text="I moved to Lisbon.")
    return MemoryView(memory=Memory(**values | changes), user_id="ana", pool_id=None, sources=[source])


def an_episode(**changes: Any) -> EpisodeView:
    values: dict[str, Any] = {
        "id": EPISODE_ID,
        "title": "Book a table",
        "task": None,
        "approach": None,
        "outcome": Outcome.PARTIAL,
        "result_summary": "Only nine was free.",
        "lessons_learned": None,
        "context": None,
        "participants": ("Ana",),
        "tags": ("dining",),
        "occurred_at": NOON,
        "recorded_at": NOON,
        "updated_at": NOON,
        "version": 4,
    }
    source = SourceView(session_id="trip-42", message_id="m-1", seq=1, text="Book a table.")
    episode = Episode(**values | changes)
    return EpisodeView(episode=episode, user_id="ana", pool_id=None, session_id="trip-42", sources=[source])


def a_job(**changes: Any) -> Job:
    values: dict[str, Any] = {
        "id": JOB_ID,
        "kind": JobKind.EXTRACT,
        "state": JobState.QUEUED,
        "attempts": 0,
        "session_client_id": "trip-42",
        "error": None,
        "created_at": NOON,
        "started_at": None,
        "finished_at": None,
    }
    return Job(**values | changes)


def a_decision() -> Decision:
    return Decision(action=Action.CREATED, rule="new", because="Nothing was known of it.")


@dataclass
class Call:
    """One call of a service."""

    name: str
    given: tuple[Any, ...]
    named: dict[str, Any]


@dataclass
class FakeService:
    """Answers each method with what stands under its name: a value, an error to raise, or a function."""

    room: str
    answers: dict[str, Any]
    calls: list[Call]

    def __getattr__(self, method: str) -> Callable[..., Any]:
        name = f"{self.room}.{method}"

        async def answer(*given: Any, **named: Any) -> Any:
            self.calls.append(Call(name, given, named))
            found = self.answers[name]
            if isinstance(found, BaseException):
                raise found
            return found(*given, **named) if callable(found) else found

        return answer


def _answers() -> dict[str, Any]:
    session, view, job, episode = a_session(), a_view(), a_job(), an_episode()
    hit = SearchHit(view=view, score=0.8, below_threshold=False)
    return {
        "sessions.create": (session, True),
        "sessions.get": session,
        "sessions.patch": session,
        "sessions.delete": None,
        "sessions.list": Page([session], "bmV4dA"),
        "sessions.append": [],
        "sessions.messages": Page([], None),
        "memories.create": CreatedMemory(kept=view, decision=a_decision()),
        "memories.get": view,
        "memories.patch": view,
        "memories.delete": None,
        "memories.list": Page([view], None),
        "memories.history": Page([], None),
        "memories.sources": Page(view.sources, None),
        "memories.invalidate": view,
        "memories.restore": view,
        "memories.pin": view,
        "episodes.create": episode,
        "episodes.get": episode,
        "episodes.patch": episode,
        "episodes.delete": None,
        "episodes.list": Page([episode], None),
        "search.search_episodes": EpisodeSearchResult(
            retrieval_id=UUID(int=5), items=[EpisodeHit(view=episode, score=0.8, below_threshold=False)]
        ),
        "search.search": SearchResult(retrieval_id=UUID(int=5), items=[hit]),
        "search.recall": RecallResult(retrieval_id=UUID(int=5), items=[], token_count=0, degraded=["dense"]),
        "jobs.get": job,
        "jobs.list": Page([job], None),
        "jobs.cancel": job,
        "jobs.retry": job,
        "operations.ready": SimpleNamespace(is_ready=True, checks={"postgres": "ok"}),
    }


@dataclass
class FakeHouse:
    """A house of fakes. `rights` are those of whoever comes with the key `opensesame`, or with none."""

    answers: dict[str, Any] = field(default_factory=_answers)
    calls: list[Call] = field(default_factory=list[Call])
    rights: frozenset[Right] = ALL_RIGHTS
    needs_key: bool = False

    def __post_init__(self) -> None:
        def authenticate(key: str | None) -> Caller:
            if key != "opensesame" and (key is not None or self.needs_key):
                raise Unauthenticated
            return Caller(tenant_id=1, rights=self.rights)

        self.answers["keys.authenticate"] = authenticate

    def house(self) -> House:
        rooms = ("sessions", "memories", "episodes", "windows", "search", "context", "jobs", "keys", "operations")
        return cast("House", SimpleNamespace(**{room: FakeService(room, self.answers, self.calls) for room in rooms}))

    def asked(self, name: str) -> Call:
        """The only call of that name."""
        (found,) = [call for call in self.calls if call.name == name]
        return found
