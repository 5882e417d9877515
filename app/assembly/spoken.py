"""Turns as a model reads them: a tool's call and its result are words, so that every provider takes them.

The log keeps the name of the tool and what it gave, but not the ids by which one provider's API ties a result to its
call. So both are told in plain text, in the place where they happened.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.domain.sessions import Message, Role


def spoken(messages: Iterable[Message]) -> list[Message]:
    """The messages with tool turns in words, in order. Those that say nothing to a model are left out.

    Done twice it changes nothing more.
    """
    told = (_in_words(message) for message in messages)
    return [message for message in told if message.text.strip() or isinstance(message.content, list)]


def _in_words(message: Message) -> Message:
    if message.tool_name is None and message.tool_result is None:
        return message
    if isinstance(message.content, list):
        return message
    text = _result(message) if message.role is Role.TOOL else _call(message)
    return replace(message, text=text, content=text, tool_name=None, tool_result=None)


def _call(message: Message) -> str:
    call = f"[Called {message.tool_name or 'a tool'}.]"
    if message.tool_result is not None:
        call = f"{call} {_result(replace(message, text=''))}"
    return f"{message.text}\n{call}" if message.text else call


def _result(message: Message) -> str:
    said = [text for text in (message.text, _plain(message.tool_result)) if text]
    return f"[Result of {message.tool_name or 'a tool'}: {' '.join(said)}]"


def _plain(result: Any) -> str:
    if result is None or isinstance(result, str):
        return result or ""
    return json.dumps(result, ensure_ascii=False)
