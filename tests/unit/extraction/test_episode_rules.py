"""Which stretches of a session become episodes by rules, and what they say."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.episodes import MAX_EPISODES, MAX_TEXT_CHARACTERS, MAX_TITLE_CHARACTERS, EpisodeCandidate, Outcome
from app.domain.sessions import Message, Role
from app.extraction.episode_rules import MAX_MESSAGES, episodes_in
from app.extraction.episode_stretches import SILENCE, stretches
from tests.unit.extraction.speech import WEDNESDAY, extracted, said

U, A, T = "user", "assistant", "tool"
SUCCESS, FAILURE, PARTIAL = Outcome.SUCCESS, Outcome.FAILURE, Outcome.PARTIAL
Line = tuple[str, str] | tuple[str, str, dict[str, Any]]
PAUSE: Line = ("pause", "")


def session(*lines: Line) -> list[Message]:
    """Messages a minute apart; `PAUSE` is a silence long enough to end a stretch."""
    found: list[Message] = []
    at = WEDNESDAY
    for line in lines:
        at += timedelta(minutes=1) if line is not PAUSE else SILENCE
        if line is not PAUSE:
            role, text, *more = line
            message = said(text, role, seq=len(found) + 1, at=at)
            found.append(replace(message, **more[0]) if more else message)
    return found


def told(*lines: Line) -> list[EpisodeCandidate]:
    messages = session(*lines)
    return list(episodes_in(messages, extracted(*messages).candidates))


def used(name: str, result: Any, text: str = "") -> Line:
    return (T, text, {"tool_name": name, "tool_result": result})


SMALL_TALK: dict[str, list[Line]] = {
    "greetings": [(U, "Hi! How are you?"), (A, "Fine, thanks! How can I help?"), (U, "Just saying hello.")],
    "a question": [(U, "What's the capital of France?"), (A, "Paris."), (U, "Thanks!")],
    "a recommendation": [(U, "Can you recommend a good book?"), (A, "Here's a good one: Dune."), (U, "Great, thanks")],
    "statements": [(U, "I live in Berlin."), (A, "Nice."), (U, "I love tea.")],
    "an appointment ahead": [(U, "I have a meeting tomorrow at nine."), (A, "Noted.")],
    "a supposition": [(U, "If it works now, we could celebrate."), (A, "Sure.")],
    "advice about things that work": [
        (U, "How do people fix squeaky doors?"),
        (A, "Oil works well. If it fails, the problem is solved by new hinges."),
    ],
    "a plan without work": [(U, "I need to call my mother."), (A, "Good idea!"), (U, "Yes.")],
    "nobody": [(A, "I've booked your flight."), used("book", {"success": True})],
    "nothing": [],
    "our own context": [(U, "<memory>\n- Please fix the build. It works now.\n</memory>"), (A, "I've fixed it.")],
}


@pytest.mark.parametrize("name", SMALL_TALK)
def test_a01_small_talk_makes_no_episode(name: str) -> None:
    assert told(*SMALL_TALK[name]) == []


ATTEMPTS: dict[str, tuple[list[Line], str, Outcome | None]] = {
    "fixed at last": (
        [
            (U, "Can you please help me fix the Docker build? It fails with exit code 1."),
            (A, "Try pinning the base image."),
            (U, "It still fails."),
            (A, "Then add libpq-dev."),
            (U, "Works now, thanks!"),
        ],
        "Fix the Docker build",
        SUCCESS,
    ),
    "given up": (
        [
            (U, "Help me set up the printer."),
            (A, "Reinstall the driver."),
            (U, "No luck. I gave up, it's not worth it."),
        ],
        "Set up the printer",
        FAILURE,
    ),
    "half of it": (
        [
            (U, "Please migrate the reports to the new database."),
            (A, "I've migrated them."),
            (U, "It works, but the totals are still not right."),
        ],
        "Migrate the reports to the new database",
        PARTIAL,
    ),
    "partly, in so many words": (
        [(U, "Could you clean up the inbox?"), (A, "I've moved some."), (U, "Only half of it is sorted.")],
        "Clean up the inbox",
        PARTIAL,
    ),
    "nobody says how it went": (
        [(U, "Write a poem about autumn."), (A, "Here is a poem: leaves fall."), (U, "Lovely.")],
        "Write a poem about autumn",
        None,
    ),
    "the assistant says so": (
        [(U, "Can you book me a flight to Oslo?"), (A, "Done, I've booked flight SK123.")],
        "Book me a flight to Oslo",
        SUCCESS,
    ),
    "the assistant could not": (
        [(U, "Please cancel my gym membership."), (A, "I was unable to cancel it: the site wants your number.")],
        "Cancel my gym membership",
        FAILURE,
    ),
    "the user knows better than the assistant": (
        [(U, "Please fix the login page."), (A, "Done, it's fixed."), (U, "It still doesn't work.")],
        "Fix the login page",
        FAILURE,
    ),
    "a problem without a request": (
        [(U, "My laptop won't start after the update."), (A, "Hold the power button."), (U, "That did it!")],
        "My laptop won't start after the update",
        SUCCESS,
    ),
    "what one is about": (
        [
            (U, "I'm trying to compile the parser."),
            (A, "Install flex first."),
            (U, "Now it compiles. Everything works."),
        ],
        "Compile the parser",
        SUCCESS,
    ),
    "german": (
        [
            (U, "Kannst du mir helfen, den Drucker einzurichten?"),
            (A, "Starte den Spooler neu."),
            (U, "Jetzt funktioniert es, danke!"),
        ],
        "Kannst du mir helfen, den Drucker einzurichten",
        SUCCESS,
    ),
    "german, in vain": (
        [(U, "Bitte hilf mir mit dem Drucker."), (A, "Starte ihn neu."), (U, "Er funktioniert immer noch nicht.")],
        "Bitte hilf mir mit dem Drucker",
        FAILURE,
    ),
    "spanish": (
        [(U, "¿Puedes reparar la factura?"), (A, "Un momento."), (U, "Ya funciona, gracias.")],
        "¿Puedes reparar la factura",
        SUCCESS,
    ),
    "chinese": (
        [(U, "帮我订一张去奥斯陆的机票"), used("book", {"success": True}), (A, "订好了")],
        "帮我订一张去奥斯陆的机票",
        SUCCESS,
    ),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_is_an_episode_with_the_last_word_on_how_it_went(name: str) -> None:
    lines, title, outcome = ATTEMPTS[name]
    (episode,) = told(*lines)
    assert (episode.title, episode.outcome) == (title, outcome)
    assert episode.seqs == tuple(range(1, len(lines) + 1))
    assert episode.occurred_at == WEDNESDAY + timedelta(minutes=1)


TOOLS: list[tuple[Any, str, Outcome | None]] = [
    ({"error": "fully booked"}, "", FAILURE),
    ({"success": False}, "", FAILURE),
    ({"exit_code": 2}, "", FAILURE),
    ({"exit_code": 0}, "", SUCCESS),
    ({"status": "Failed"}, "", FAILURE),
    ({"status_code": 503}, "", FAILURE),
    ({"status": "confirmed"}, "", SUCCESS),
    ({"ok": True, "error": None}, "", SUCCESS),
    ({"free": ["21:00"]}, "", None),
    (["21:00"], "", None),
    (None, "Traceback: connection refused", FAILURE),
    (None, "12 passed, 0 failed, no errors", None),
    ("timed out", "", FAILURE),
]


@pytest.mark.parametrize(("result", "text", "outcome"), TOOLS)
def test_a_tools_result_says_how_it_went_where_nobody_else_does(
    result: Any, text: str, outcome: Outcome | None
) -> None:
    (episode,) = told((U, "Reserve a table for two at Luigi's."), used("book_table", result, text))
    assert (episode.outcome, episode.tags, episode.approach) == (outcome, ("book_table",), "Used book_table.")


def test_a_later_tool_call_that_succeeds_makes_good_what_failed_before() -> None:
    (episode,) = told(
        (U, "Reserve a table for two at Luigi's."),
        used("book_table", {"error": "fully booked"}),
        used("book_table", {"status": "confirmed"}),
        (A, "Your table is booked for nine."),
    )
    assert (episode.outcome, episode.result_summary) == (SUCCESS, "Your table is booked for nine.")


def test_an_episode_says_how_it_was_done_what_it_taught_and_who_took_part() -> None:
    messages = session(
        (U, "Please fix the nightly backup.", {"speaker": "Ana"}),
        (A, "Let me look at the log.", {"speaker": "Bot"}),
        used("read_log", {"lines": 3}),
        (A, "The disk is full, so the old archives go first.", {"speaker": "Bot"}),
        (U, "It works now. Turns out the disk was full. Next time we should watch the disk.", {"speaker": "Ben"}),
    )
    (episode,) = episodes_in(messages)
    assert episode.approach == "Used read_log. Let me look at the log. The disk is full, so the old archives go first."
    assert episode.result_summary == "It works now."
    assert episode.lessons_learned == "Turns out the disk was full. Next time we should watch the disk."
    assert episode.participants == ("Ana", "Bot", "Ben")
    assert (episode.task, episode.extractor) == ("Please fix the nightly backup.", "rules/1")


def test_c03_a_dated_event_is_an_episode_of_its_own_day_told_without_the_moment_of_speaking() -> None:
    (episode,) = told(
        (U, "I ran my first marathon last Sunday."),
        (A, "Congrats! How was it?"),
        (U, "It went really well. I learned that pacing matters."),
        (U, "I love tea."),
    )
    assert episode.title == "User ran their first marathon on Sunday 21 May 2023"
    assert episode.occurred_at.isoformat() == "2023-05-21T00:00:00+00:00"
    assert (episode.outcome, episode.result_summary) == (SUCCESS, "It went really well.")
    assert (episode.lessons_learned, episode.seqs) == ("I learned that pacing matters.", (1, 3))


def test_an_event_that_is_still_ahead_has_not_happened() -> None:
    assert told((U, "I'm running a marathon next Sunday."), (A, "Good luck!")) == []


CUTS: dict[str, tuple[list[Line], list[list[int]]]] = {
    "a long silence": ([(U, "Hi."), (A, "Hi."), PAUSE, (U, "Back again.")], [[1, 2], [3]]),
    "said so": (
        [(U, "Fix the build."), (A, "Done."), (U, "Another thing: book a flight.")],
        [[1, 2], [3]],
    ),
    "a request for something else": (
        [(U, "Fix the Docker build."), (A, "I've fixed it."), (U, "Please book a flight to Oslo.")],
        [[1, 2], [3]],
    ),
    "a request for the same": (
        [(U, "Fix the Docker build."), (A, "I've fixed it."), (U, "Please fix the Docker cache too.")],
        [[1, 2, 3]],
    ),
    "something else after thanks": (
        [(U, "Fix the build."), (A, "Done."), (U, "Thanks!"), (U, "Yesterday my sister visited Lisbon.")],
        [[1, 2, 3], [4]],
    ),
    "a user who goes on": ([(U, "Fix the Docker build."), (U, "Please book a flight to Oslo.")], [[1, 2]]),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_session_is_cut_where_the_talk_moves_on(name: str) -> None:
    lines, expected = CUTS[name]
    assert [[message.seq for message in stretch] for stretch in stretches(session(*lines))] == expected


def test_each_thing_that_was_attempted_is_an_episode_of_its_own() -> None:
    episodes = told(
        (U, "Please fix the Docker build."),
        (A, "I've fixed it."),
        (U, "Works now, thanks!"),
        (U, "Another thing: can you cancel my gym membership?"),
        (A, "I was unable to cancel it."),
        PAUSE,
        (U, "Yesterday I visited my sister in Lisbon."),
    )
    assert [(one.title, one.outcome, one.seqs) for one in episodes] == [
        ("Fix the Docker build", SUCCESS, (1, 2, 3)),
        ("Cancel my gym membership", FAILURE, (4, 5)),
        ("On 23 May 2023 User visited their sister in Lisbon", None, (6,)),
    ]


def test_long_sessions_give_bounded_episodes() -> None:
    line = "Please fix the build of module " + "x" * 3_000 + "."
    lines: list[Line] = [(U, line), *[(A, "I've tried. " * 500)] * (MAX_MESSAGES + 50), (U, "Works now.")]
    (episode,) = told(*lines)
    assert len(episode.seqs) == MAX_MESSAGES
    assert (episode.seqs[0], episode.seqs[-1]) == (1, len(lines))
    assert len(episode.title) <= MAX_TITLE_CHARACTERS
    assert all(len(part or "") <= MAX_TEXT_CHARACTERS for part in (episode.task, episode.approach))
    many = [part for _ in range(MAX_EPISODES + 5) for part in ((U, "Fix the build."), (A, "I've fixed it."), PAUSE)]
    assert len(told(*many)) == MAX_EPISODES


words = st.sampled_from(
    [
        "please",
        "fix",
        "the",
        "build",
        "it",
        "works",
        "now",
        "still",
        "fails",
        "I",
        "gave",
        "up",
        "yesterday",
        ".",
        "?",
        "```",
    ]
)
lines_of_talk = st.tuples(
    st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM]), st.lists(words, max_size=12).map(" ".join)
)


@given(st.lists(lines_of_talk, max_size=15))
def test_whatever_is_said_episodes_rest_on_distinct_messages_of_the_session_and_come_out_the_same(
    talk: list[tuple[Role, str]],
) -> None:
    messages = session(*((role.value, text) for role, text in talk))
    episodes = episodes_in(messages, extracted(*messages).candidates)
    assert episodes == episodes_in(messages, extracted(*messages).candidates)
    named = [seq for episode in episodes for seq in episode.seqs]
    assert len(named) == len(set(named))
    assert set(named) <= {message.seq for message in messages}
    assert all(episode.title and episode.seqs for episode in episodes)


@pytest.mark.parametrize(
    "piece", ["please " * 5_000, "so, " * 5_000, "```" * 2_000, "it works " * 3_000, "未" * 20_000]
)
@pytest.mark.timeout(20)
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    messages = [said(piece, role, seq=seq) for seq, role in enumerate((U, A, U, A, U), 1)]
    episodes_in(messages)
