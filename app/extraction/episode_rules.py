"""Episodes by rules: a stretch in which something was attempted, or in which the user tells what happened and when.

Pure: the same messages give the same episodes. Limits to state openly: cues are those of English and, far fewer, of
the commonest other languages; how something went is only known where somebody or a tool says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.episodes import (
    MAX_EPISODES,
    MAX_TEXT_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    EpisodeCandidate,
    Outcome,
)
from app.domain.memories import Candidate
from app.domain.sessions import Message, Role
from app.extraction.drafts import EXTRACTOR
from app.extraction.episode_cues import (
    Asked,
    is_filler,
    is_lesson,
    outcome_in,
    said_in,
    task_in,
    tells_of_problem,
    tells_of_work,
)
from app.extraction.episode_stretches import stretches
from app.extraction.episode_tools import tool_outcome
from app.extraction.normalise import Sentence
from app.extraction.pasted import own_words

MAX_MESSAGES: Final = 200
"""Messages that an episode names at most: of a longer stretch the first and the last."""

_MAX_TOOLS: Final = 10
_MAX_NAMES: Final = 20
_LONGEST_TAG: Final = 128
_SHORTLY: Final = 4
"""Messages after an event in which the user may tell on."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What was to be done: the place of the message that says so, its words, and whether it was asked for."""

    place: int
    title: str
    text: str
    asked: bool


@dataclass(frozen=True, slots=True)
class _Sign:
    """What one message says of how it went; None says only that the last attempt did not fail."""

    role: Role
    outcome: Outcome | None
    words: str | None


def episodes_in(messages: Sequence[Message], candidates: Sequence[Candidate] = ()) -> tuple[EpisodeCandidate, ...]:
    """The episodes of `messages` (in the order of the log), at most `MAX_EPISODES`: one for each stretch, if any.

    `candidates` are the statements found in the same messages; dated events among them make an episode where nothing
    was attempted.
    """
    found = (_attempt(stretch) or _event(stretch, candidates) for stretch in stretches(messages))
    return tuple(episode for episode in found if episode is not None)[:MAX_EPISODES]


def _attempt(stretch: Sequence[Message]) -> EpisodeCandidate | None:
    task = _task(stretch)
    if task is None:
        return None
    rest = stretch[task.place + 1 :]
    tools = _tools(rest)
    signs = _signs(rest)
    told = any(sign.role is Role.USER for sign in signs)
    worked = any(one.role is Role.ASSISTANT and tells_of_work(one) for one in rest)
    if not (tools or told or (worked and (task.asked or _asks_in(rest)))):
        return None
    deciding = _deciding(signs)
    end = deciding.words if deciding else None
    return EpisodeCandidate(
        title=cut(task.title, MAX_TITLE_CHARACTERS),
        task=cut(task.text),
        approach=_approach(rest, tools, end),
        outcome=deciding.outcome if deciding else None,
        result_summary=cut(end) if end else None,
        lessons_learned=_lessons(rest),
        participants=speakers(stretch),
        tags=tuple(tool[:_LONGEST_TAG] for tool in tools),
        occurred_at=stretch[task.place].happened_at,
        seqs=bounded([message.seq for message in stretch[task.place :]]),
        extractor=EXTRACTOR,
    )


def _task(stretch: Sequence[Message]) -> _Task | None:
    """The first thing that the user wants done or says is broken; else what they said before a tool was used."""
    last: _Task | None = None
    for place, message in enumerate(stretch):
        if message.tool_name is not None or message.role is Role.TOOL:
            return last
        if message.role is not Role.USER:
            continue
        own = own_words(said_in(message))
        text = " ".join(sentence.text for sentence in own)
        wanted = _wanted(own)
        if wanted is not None:
            return _Task(place, _titled(wanted.task), text, asked=wanted.direct)
        if own and not own[-1].asks and (title := _titled(own[-1].text)):
            last = _Task(place, title, text, asked=False)
    return None


def _wanted(own: Sequence[Sentence]) -> Asked | None:
    """The first request in a message; else what its user is about, else what does not work."""
    asked = [found for sentence in own if (found := task_in(sentence)) is not None]
    direct = next((one for one in asked if one.direct), None)
    broken = next((Asked(one.text, direct=False) for one in own if tells_of_problem(one)), None)
    return direct or next(iter(asked), None) or broken


def _asks_in(rest: Sequence[Message]) -> bool:
    found = (task_in(one) for message in rest if message.role is Role.USER for one in said_in(message))
    return any(asked is not None and asked.direct for asked in found)


def _titled(text: str) -> str:
    text = text.strip().rstrip(".!?。！？ ")
    return text[:1].upper() + text[1:]


def _signs(rest: Sequence[Message]) -> list[_Sign]:
    """What is said about how it went. The user's words count once somebody has answered."""
    found: list[_Sign] = []
    answered = False
    for message in rest:
        if message.role is Role.USER:
            said = outcome_in(message) if answered else None
            if said is not None:
                found.append(_Sign(Role.USER, *said))
            continue
        answered = True
        if message.role is Role.TOOL or message.tool_result is not None:
            outcome = tool_outcome(message)
            words = " ".join(message.text.split())
            found.append(_Sign(Role.TOOL, outcome, words if outcome is not None and words else None))
        elif message.role is Role.ASSISTANT and (said := outcome_in(message)) is not None:
            found.append(_Sign(Role.ASSISTANT, *said))
    return found


def _deciding(signs: Sequence[_Sign]) -> _Sign | None:
    """The last word of the user or of a tool; where neither says anything, the assistant's."""
    weighty = [sign for sign in signs if sign.role is not Role.ASSISTANT]
    if weighty and weighty[-1].outcome is not None:
        last = weighty[-1]
        spoken = [sign for sign in signs if sign.role is Role.ASSISTANT and sign.outcome is last.outcome]
        return last if last.role is Role.USER or not spoken else _Sign(last.role, last.outcome, spoken[-1].words)
    spoken = [sign for sign in signs if sign.role is Role.ASSISTANT]
    return spoken[-1] if spoken else None


def _tools(rest: Sequence[Message]) -> tuple[str, ...]:
    """The tools that were used, by name, in order."""
    used = [one.tool_name or "tool" for one in rest if one.tool_name is not None or one.role is Role.TOOL]
    return tuple(dict.fromkeys(used))[:_MAX_TOOLS]


def _approach(rest: Sequence[Message], tools: Sequence[str], end: str | None) -> str | None:
    """Which tools were used, and what the assistant said first and last of what it does; not the `end` once more."""
    said = [
        one.text
        for message in rest
        if message.role is Role.ASSISTANT
        for one in [sentence for sentence in said_in(message) if not is_filler(sentence.text)][:1]
        if not one.asks and one.text != end
    ]
    used = [f"Used {', '.join(tools)}."] if tools else []
    return cut(" ".join([*used, *dict.fromkeys([*said[:1], *said[-1:]])])) or None


def _lessons(rest: Sequence[Message]) -> str | None:
    told = [
        one.text
        for message in rest
        if message.role is Role.USER
        for one in said_in(message)
        if not one.asks and is_lesson(one.text)
    ]
    return cut(" ".join(dict.fromkeys(told))) or None


def _event(stretch: Sequence[Message], candidates: Sequence[Candidate]) -> EpisodeCandidate | None:
    """What the user tells of the past with its date: the first event names the episode, the others tell on."""
    told = {message.seq: message for message in stretch}
    events = [one for one in candidates if _is_past_event(one) and all(ref.seq in told for ref in one.sources)]
    if not events:
        return None
    first = events[0]
    named = {ref.seq for one in events for ref in one.sources}
    telling = [message for message in stretch if message.seq in named or _tells_on(message, max(named))]
    signs = [(message.seq, *said) for message in telling if (said := outcome_in(message)) is not None]
    # What the event's own message says of it is told already, with dates that outlast the moment of speaking.
    further = [one.content for one in events[1:]] + [words for seq, _, words in signs[-1:] if seq not in named]
    return EpisodeCandidate(
        title=cut(first.content.rstrip("."), MAX_TITLE_CHARACTERS),
        outcome=signs[-1][1] if signs else None,
        result_summary=cut(" ".join(further)) or None,
        lessons_learned=_lessons(telling),
        participants=speakers(telling),
        occurred_at=first.event_at or first.stated_at,
        seqs=bounded([message.seq for message in telling]),
        extractor=EXTRACTOR,
    )


def _tells_on(message: Message, last: int) -> bool:
    """Whether the user says shortly after an event how it went or what it taught."""
    if message.role is not Role.USER or not 0 < message.seq - last <= _SHORTLY:
        return False
    return outcome_in(message) is not None or _lessons([message]) is not None


def _is_past_event(candidate: Candidate) -> bool:
    dated = candidate.event_at is not None and candidate.event_at <= candidate.stated_at
    return dated and candidate.key == "event" and bool(candidate.sources)


def speakers(messages: Sequence[Message]) -> tuple[str, ...]:
    """The names of those who speak in `messages`, in order."""
    return tuple(dict.fromkeys(message.speaker for message in messages if message.speaker))[:_MAX_NAMES]


def bounded(seqs: Sequence[int]) -> tuple[int, ...]:
    """`seqs`; of too many the first and the last, `MAX_MESSAGES` together."""
    half = MAX_MESSAGES // 2
    return tuple(seqs) if len(seqs) <= MAX_MESSAGES else (*seqs[:half], *seqs[-half:])


def cut(text: str, most: int = MAX_TEXT_CHARACTERS) -> str:
    """`text` in at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
