"""How much of long texts is read for memories. The rest stays in the log, where search finds it.

Reading takes time that grows with what was sent, for some texts with its square, and it is everybody's time.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.reports import Rejection
from app.domain.sessions import Message, Role
from app.extraction.collect import rejection
from app.extraction.normalise import MAX_SENTENCE_CHARACTERS

READ_CHARACTERS: Final = 20_000
"""What is read of one message: its beginning and its end, half each."""
SESSION_CHARACTERS: Final = 400_000
"""What is read of a session at once; of a longer one each message is read less, and the oldest not at all."""
LEAST_CHARACTERS: Final = 2_000
_MOST_REJECTIONS: Final = 20
_ENDS: Final = ".!?…。！？\n"


def bounded(
    messages: Sequence[Message], most: int = READ_CHARACTERS, session: int = SESSION_CHARACTERS
) -> tuple[list[Message], list[Rejection]]:
    """`messages` with what is to be read of them, at most `most` characters of each, and what of the user is left out.

    No message is taken away, so that their order and number stay; one that is not read at all has an empty text.
    """
    while most > LEAST_CHARACTERS and sum(min(len(message.text), most) for message in messages) > session:
        most = max(LEAST_CHARACTERS, most // 2)
    read: list[Message] = []
    unread: list[Rejection] = []
    for message in reversed(messages):
        text, left_out = _ends_of(message.text, most)
        reason = f"not read: {len(left_out)} characters in the middle of a long message"
        if len(text) > session:
            text, left_out, reason = (
                "",
                message.text,
                "not read: the session is too long, and newer messages came first",
            )
        session -= len(text)
        if left_out and message.role is Role.USER:
            unread.append(rejection(left_out, reason))
        read.append(replace(message, text=text) if left_out else message)
    return read[::-1], unread[:_MOST_REJECTIONS][::-1]


def _ends_of(text: str, most: int) -> tuple[str, str]:
    """The beginning and the end of a text, and what is between; a sentence that is cut must not be read as another.

    One without a stop near the cut is left in pieces too long for a sentence.
    """
    if len(text) <= most:
        return text, ""
    start, end = most // 2, len(text) - most // 2
    near = min(MAX_SENTENCE_CHARACTERS + 1, most // 2)
    stop = max(text.rfind(mark, start - near, start) for mark in _ENDS)
    start = stop + 1 if stop >= 0 else start
    stops = [place for mark in _ENDS if (place := text.find(mark, end, end + near)) >= 0]
    end = min(stops) + 1 if stops else end
    return f"{text[:start]}\n{text[end:]}", text[start:end]
