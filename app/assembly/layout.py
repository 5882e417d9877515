"""The messages of a prompt in the format that a model's provider takes, and the tokens they cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.assembly.render import ACKNOWLEDGED
from app.assembly.window import MESSAGE_OVERHEAD, REPLY_OVERHEAD, Count
from app.domain.requests import Placement, PromptFormat
from app.domain.sessions import Message, Role


@dataclass(frozen=True, slots=True)
class Layout:
    """A prompt ready to send. `system` stands apart for Anthropic and is also the first message for OpenAI."""

    system: str
    messages: Sequence[Mapping[str, Any]]
    token_count: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where recalled text stands, in whose format, and how tokens are counted."""

    placement: Placement
    format: PromptFormat
    count: Count

    def lay_out(self, prompt: str, known: str, turns: Sequence[Message], message: str) -> Layout:
        """The system prompt, what is known, the turns and the current message, in this order."""
        told = [*map(_turn, turns), {"role": Role.USER.value, "content": message}]
        system = prompt
        if known and self.placement is Placement.SYSTEM:
            system = f"{prompt}\n\n{known}" if prompt else known
        elif known:
            told = [
                {"role": Role.USER.value, "content": known},
                {"role": Role.ASSISTANT.value, "content": ACKNOWLEDGED},
                *told,
            ]
        if self.format is PromptFormat.ANTHROPIC:
            told = _alternating(told)
            texts = [system, *map(_text, told)] if system else [*map(_text, told)]
        else:
            told = [{"role": Role.SYSTEM.value, "content": system}, *told] if system else told
            texts = [*map(_text, told)]
        return Layout(system, told, sum(self.count(text) + MESSAGE_OVERHEAD for text in texts) + REPLY_OVERHEAD)


def _turn(message: Message) -> dict[str, Any]:
    # A result without the id of its call is refused in the role of a tool; told in words, it is a turn of the user's.
    role = Role.USER if message.role is Role.TOOL else message.role
    return {"role": role.value, "content": message.text if message.content is None else message.content}


def _alternating(turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Turns as Anthropic wants them: only user and assistant, the user first, never the same role twice in a row."""
    merged: list[dict[str, Any]] = []
    for turn in turns:
        role = Role.ASSISTANT if turn["role"] == Role.ASSISTANT else Role.USER
        parts = _parts(turn["content"])
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"] = [*merged[-1]["content"], *parts]
        elif merged or role is Role.USER:
            merged.append({"role": role.value, "content": parts})
    return merged


def _text(turn: Mapping[str, Any]) -> str:
    return "\n".join(str(part.get("text", "")) for part in _parts(turn["content"]))


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
