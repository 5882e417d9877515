"""What a scripted model can do: each behaviour makes the reply to one request."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Item = Mapping[str, Any]
NOTHING: Final = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in. `body` is its JSON."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def system(self) -> str:
        return self._said_by("system")

    @property
    def user(self) -> str:
        return self._said_by("user")

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The messages of the conversation that the prompt shows, as objects."""
        lines = [line for line in self.user.splitlines() if line.startswith('{"n":')]
        return [json.loads(line) for line in lines]

    def number_of(self, said: str) -> int:
        """The number of the last message in the prompt whose text holds `said`, 0 when there is none."""
        return max((turn["n"] for turn in self.turns if said in turn["text"]), default=0)

    def _said_by(self, role: str) -> str:
        return "\n".join(message["content"] for message in self.body.get("messages", ()) if message["role"] == role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back. `drip_seconds` sends one byte at a time; `wait_seconds` None means: never."""

    status: int = 200
    body: Mapping[str, Any] | str = NOTHING
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    wait_seconds: float | None = 0.0
    drip_seconds: float = 0.0


Behaviour = Callable[[Request], Reply]


def memory(content: str, *, said: str | None = None, **fields: Any) -> Item:
    """An item as the model would give it. `said` finds the message it rests on by a piece of its text."""
    item: dict[str, Any] = {"type": "fact", "content": content, "confidence": 0.9, "importance": 3}
    if said is not None:
        item["said"] = said
    return item | fields


def says(text: str, *, cut: bool = False, tokens: int = 30, thoughts: str | None = None) -> Behaviour:
    """Answers `text` as it stands; `cut` as if it had hit the token limit."""
    message = {"role": "assistant", "content": text, "refusal": None}
    if thoughts is not None:
        message["reasoning_content"] = thoughts
    return lambda request: Reply(body=_completion(request, message, cut=cut, tokens=tokens))


def remembers(*items: Item, **options: Any) -> Behaviour:
    """Answers valid JSON with these memories."""
    return lambda request: says(as_json(request, items), **options)(request)


def tells(*episodes: Item, memories: tuple[Item, ...] = (), cut_at: int | None = None) -> Behaviour:
    """Answers valid JSON with these episodes beside memories; `said_all` of an episode finds each of its messages."""

    def reply(request: Request) -> Reply:
        found = [_told(request, episode) for episode in episodes]
        text = json.dumps(
            {"memories": [resolved(request, item) for item in memories], "episodes": found}, ensure_ascii=False
        )
        return says(text[:cut_at], cut=cut_at is not None)(request)

    return reply


def _told(request: Request, episode: Item) -> dict[str, Any]:
    pieces: tuple[str, ...] = episode.get("said_all", ())
    plain = {key: value for key, value in episode.items() if key != "said_all"}
    return {"messages": [request.number_of(piece) for piece in pieces]} | plain


def fenced(*items: Item) -> Behaviour:
    return lambda request: says(f"```json\n{as_json(request, items)}\n```")(request)


def prose(*items: Item) -> Behaviour:
    return lambda request: says(f"Sure! Here is what I found:\n{as_json(request, items)}\nAnything else?")(request)


def thinks(*items: Item) -> Behaviour:
    thoughts = '<think>The user said {"memories": maybe} something.</think>\n'
    return lambda request: says(thoughts + as_json(request, items))(request)


def trailing_comma(*items: Item) -> Behaviour:
    return lambda request: says(as_json(request, items).replace("}]", "},]"))(request)


def single_object(item: Item) -> Behaviour:
    return lambda request: says(json.dumps(resolved(request, item)))(request)


def truncated(*items: Item) -> Behaviour:
    """The last item breaks off, as when the token limit is hit."""
    return lambda request: says(as_json(request, items)[:-12], cut=True)(request)


def says_null() -> Behaviour:
    return says("null")


def wrong_types(*items: Item) -> Behaviour:
    """Every number becomes a string and the message numbers a single value."""
    return lambda request: remembers(*(_as_strings(resolved(request, item)) for item in items))(request)


def refuses(status: int, message: str = "no", *, retry_after: str | None = None, code: str | None = None) -> Behaviour:
    """Answers an error body in OpenAI's shape."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    error = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return lambda _: Reply(status=status, body=error, headers=headers)


def too_long() -> Behaviour:
    return refuses(400, "This model's maximum context length is 100 tokens.", code="context_length_exceeded")


def slowly(seconds: float, then: Behaviour) -> Behaviour:
    def reply(request: Request) -> Reply:
        made = then(request)
        return Reply(status=made.status, body=made.body, headers=made.headers, wait_seconds=seconds)

    return reply


def never() -> Behaviour:
    """Takes the request and never answers."""
    return lambda _: Reply(wait_seconds=None)


def drips(then: Behaviour, *, seconds: float = 0.05) -> Behaviour:
    """Answers one byte at a time, so that no read ever times out."""
    return lambda request: Reply(body=then(request).body, drip_seconds=seconds)


def refusing_json_schema(then: Behaviour, *, status: int = 500) -> Behaviour:
    """Takes `json_object` but not `json_schema`, in llama.cpp's words."""
    complaint = "[{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]"

    def reply(request: Request) -> Reply:
        asked: Mapping[str, Any] = request.body.get("response_format") or {}
        return (refuses(status, complaint) if asked.get("type") == "json_schema" else then)(request)

    return reply


def refusing(parameter: str, then: Behaviour, *, status: int = 400) -> Behaviour:
    """Refuses every request that carries `parameter`."""
    complaint = f"Unsupported parameter: '{parameter}' is not supported with this model."

    def reply(request: Request) -> Reply:
        return (refuses(status, complaint) if parameter in request.body else then)(request)

    return reply


def echoes_prompt() -> Behaviour:
    """A small model that gives its instructions back as memories."""

    def reply(request: Request) -> Reply:
        lines = [line.lstrip("- ")[:200] for line in request.system.splitlines() if len(line.split()) > 3]
        number = max((turn["n"] for turn in request.turns), default=1)
        return remembers(*(memory(line, messages=[number]) for line in lines))(request)

    return reply


def as_json(request: Request, items: tuple[Item, ...]) -> str:
    return json.dumps({"memories": [resolved(request, item) for item in items]}, ensure_ascii=False)


def resolved(request: Request, item: Item) -> dict[str, Any]:
    """The item with the number of the message that `said` names; the newest user message when it names none."""
    plain = {key: value for key, value in item.items() if key != "said"}
    if "messages" in plain:
        return plain
    said = item.get("said")
    users = [turn["n"] for turn in request.turns if turn["role"] == "user"]
    number = request.number_of(said) if said is not None else max(users, default=0)
    return plain | {"messages": [number]}


def _as_strings(item: Mapping[str, Any]) -> dict[str, Any]:
    strings = {key: str(value) if isinstance(value, int | float) else value for key, value in item.items()}
    return strings | {"messages": str(item["messages"][0])}


def _completion(request: Request, message: Mapping[str, Any], *, cut: bool, tokens: int) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}],
        "usage": {"prompt_tokens": tokens - 10, "completion_tokens": 10, "total_tokens": tokens},
    }
