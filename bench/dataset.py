"""The evaluation sets: conversations to replay and questions to ask, read from a folder outside the repository."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

LARGEST_APPEND = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation, as it is sent."""

    turn_id: str
    role: str
    speaker: str
    content: str
    at: datetime

    def body(self) -> dict[str, Any]:
        """The message as the interface takes it; the turn's id comes back in the sources of what is recalled."""
        return {
            "id": self.turn_id,
            "role": self.role,
            "name": self.speaker,
            "content": self.content,
            "created_at": self.at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation: its sessions in order, each with its turns."""

    conv_id: str
    sessions: list[tuple[str, list[Turn]]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one conversation."""

    qid: str
    conv_id: str
    text: str


def conversations(folder: Path) -> Iterator[Conversation]:
    """The conversations of a set."""
    for raw in _lines(folder / "conversations.jsonl.gz"):
        sessions = [(one["session_id"], _turns(one)) for one in raw["sessions"]]
        yield Conversation(raw["conv_id"], sessions)


def questions(folder: Path) -> list[Question]:
    """The questions of a set, in order."""
    return [Question(one["qid"], one["conv_id"], one["question"]) for one in _lines(folder / "questions.jsonl.gz")]


def _turns(session: dict[str, Any]) -> list[Turn]:
    started = _time(session["started_at"])
    return [
        Turn(
            turn_id=raw["turn_id"],
            role=raw.get("role") or "user",
            speaker=raw["speaker"],
            content=raw["text"] + (f" [image: {raw['caption']}]" if raw.get("caption") else ""),
            at=_time(raw["at"]) if raw.get("at") else started + timedelta(seconds=place),
        )
        for place, raw in enumerate(session["turns"])
    ]


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
