"""What a matched stretch of words is worth as the value of a slot: cut to the value itself, or refused."""

import re
from typing import Final

_I: Final = re.IGNORECASE

_TAIL: Final = re.compile(
    r"[,;:\s.!?\"-]*(?:\b(?:now|these days|currently|at the moment|by the way|btw|lol|haha|too|as well|any ?more"
    r"|please|though"
    r"|still|again|right now|nowadays|at present|of course|actually|tbh|honestly|overall|in general|a lot|very much"
    r"|so much"
    r"|for now|instead|already|sometimes|obviously|period|the most|so far|at least|from now on|going forward|in future"
    r"|in the future|thanks|thank you|:\)|for me|to me|to be honest|for example|you know|unfortunately|after all"
    r"|sadly))?[,;:\s.!?\")-]*$",
    _I,
)
_CUT: Final = re.compile(
    r"(?:,? (?:because|since (?=i\b|it\b|we\b|the\b)|but|which|who|whom|although|though|so that|so (?=i\b|we\b|it\b"
    r"|that\b)|where"
    r"|while|whereas|if|when(?=\b)|whenever|and (?=i\b|we\b|it\b|it's\b|my \w+(?: \w+)? (?:is|are|was|has|have|lives"
    r"|works)\b|that\b|they\b|he\b|she\b|i'm\b|i've\b"
    r"|then\b)|"
    r"as (?=i\b|it\b|we\b|well\b)|especially|particularly|unless|until i|after (?=i\b|we\b))\b.*"
    r"| (?:-|–|—) .*| ?\(.*|; .*|: .*)$",
    _I,
)
_NEXT_NAMED: Final = re.compile(r",? (?:and|plus) (?:an?|one|another|my|our|the|i|we)\b.*$", _I)
_OF_THEM: Final = re.compile(r",? and (?:his|her|its|their|it|he|she)\b.*$", _I)
_NEXT_CLAUSE: Final = re.compile(r", (?:only\b|just\b|(?:my|our|the) [\w ]+ \w+s\b|(?:i|it|we|he|she|they)\b).*$", _I)
_ITEMS: Final = re.compile(r"health\.allergy|diet\.avoid|profile\.language|preference\.(?:dis)?like")
_REASON: Final = re.compile(r",? (?:because|since (?=i\b|it\b|we\b)|as (?=i\b|it\b)|so that|so (?=i\b)|but)\b.*$", _I)
"""A wish for the answers keeps its "when" and "if", which say where it holds."""
_COMMA: Final = re.compile(r", (?!(?-i:[A-Z])).*$", _I)
_TIME_TAIL: Final = re.compile(
    r"(?:,? (?:since|as of|starting|effective) .*|,? for (?:the (?:last|past) |about |over |almost |nearly "
    r"|more than )*[\w-]+"
    r" (?:years?|months?|weeks?|days?)\b.*|,? (?:for|since) (?:ages|a while|forever|years|months|now)\b.*"
    r"|,? (?:as|when i was) a (?:kid|child|teen|teenager|boy|girl|baby|student).*|,? (?:a|an|one|two|three|four|five"
    r"|six|seven|eight"
    r"|nine|ten|\d+|several|a few|some|many|a couple of) (?:years?|months?|weeks?|days?) ago.*|,? (?:all"
    r"|most of) my life.*"
    r"|,? (?:earlier|later) this (?:year|month|week)|,? (?:last|this|next) (?:week|month|year|spring|summer|autumn"
    r"|fall|winter"
    r"|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july"
    r"|august"
    r"|september|october|november|december)|,? (?:in|on|around|back in|by|from|until) (?:early |mid "
    r"|late )?(?:the (?:summer|spring"
    r"|autumn|fall|winter) of )?(?:\d{1,2} )?(?:\d{4}|january|february|march|april|may|june|july|august|september"
    r"|october|november"
    r"|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b(?: \d+)?.*|,? (?:yesterday|today|tomorrow"
    r"|recently"
    r"|lately|just now|at that time|back then))$",
    _I,
)
_TIMELESS: Final = re.compile(
    r"profile\.(?!birthday|age|rent|salary)|company|diet|health\.(?:allergy|condition)|relation\.\w+\.(?:name"
    r"|location|occupation"
    r"|employer)|pet|preference\.(?:like|dislike|favourite|prefers)|possession|tech"
)
_COMPANY_KEPT: Final = re.compile(r" (?:with|to|for|because of|thanks to|due to) .*$", _I)
"""With whom and what for somebody moved is no part of the place."""
_ARTICLE: Final = re.compile(r"(?:an? |the )(?=.)", _I)
_KEEPS_ARTICLE: Final = ("preference.", "goal", "habit", "decision", "event", "possession")
_CALLED: Final = re.compile(r".*\b(?:called|named) (?=\S)", _I)
_OWN: Final = re.compile(r"\b(?:my|our|your) ", _I)


def trimmed(text: str) -> str:
    """`text` without the adverbs and marks that trail behind it."""
    while (shorter := _TAIL.sub("", text)) != text:
        text = shorter
    return text.strip(" ,;")


def clean(key: str, value: str) -> str:
    """`value` cut to what belongs to the slot `key`: no reasons, no times where the slot has none, no possessives."""
    value = value.strip()
    if key == "preference.response_style":
        value = _REASON.sub("", value)
    elif key not in {"decision", "event"} and not value.lower().startswith("when "):
        value = _CUT.sub("", value)
    value = _without_next(key, value)
    if not _takes_commas(key):
        value = _COMMA.sub("", value)
    value = trimmed(value)
    if key.endswith(("location", "origin")):
        value = _COMPANY_KEPT.sub("", value)
    if _TIMELESS.match(key):
        value = trimmed(_TIME_TAIL.sub("", value))
    if key in {"preference.response_style", "decision", "goal", "habit"}:
        value = _OWN.sub("", value) if key == "preference.response_style" else value
    if not key.startswith(_KEEPS_ARTICLE):
        value = _ARTICLE.sub("", value, count=1) if _ARTICLE.match(value) else value
    elif key in {"possession", "decision", "preference.prefers", "preference.like", "preference.dislike"}:
        value = re.sub(r"^(?:an? |the )(?=\w)", "", value, flags=_I)
    if key == "profile.employer" and (named := _CALLED.match(value)):
        value = value[named.end() :]
    quoted = re.fullmatch(r"[\"'](.+)[\"']", value)
    return (quoted.group(1) if quoted else value).strip()


def _without_next(key: str, value: str) -> str:
    """`value` without the next thing that the clause goes on to name or tell."""
    if key.startswith(("relation.", "pet.", "project.", "company.")):
        value = _OF_THEM.sub("", value)
    if key.endswith(".name"):
        return _NEXT_NAMED.sub("", value)
    return _NEXT_CLAUSE.sub("", value) if _ITEMS.match(key) else value


def _takes_commas(key: str) -> bool:
    return (
        key in {"decision", "event", "goal", "habit", "preference.response_style", "profile.address", "preference.like"}
        or key.endswith(("kids.name", "children.name", "sons.name", "daughters.name", "sisters.name", "brothers.name"))
        or key in {"health.allergy", "diet.avoid", "profile.language"}
    )


_SPLIT: Final = re.compile(r"\s*,\s*(?:and |or |as well as )?|\s+(?:and|or|as well as|plus|&)\s+", _I)
_LEVEL: Final = re.compile(
    r"(?:fluent|native|basic|good|some|conversational|a bit of|a little(?: bit of)?|decent|also|any|all|even) ", _I
)


def listed(value: str) -> list[str]:
    """The items of an enumeration, each without its degree: "French and a bit of Italian" → French, Italian."""
    items = (_without_level(item.strip()) for item in _SPLIT.split(value))
    return [item for item in items if item]


def _without_level(item: str) -> str:
    level = _LEVEL.match(item)
    return item[level.end() if level else 0 :].strip(" .")


_ADJECTIVES: Final = re.compile(r"\b(?:an?|the|my|our|such|more) [\w-]+, [\w-]+ [a-z]", _I)
"""Two adjectives of one thing, as in "a safe, inviting place", which are no list."""


_PAIR: Final = 2
_ONE_THING: Final = re.compile(
    r"fish and chips|mac(?:aroni)? and cheese|salt and (?:vinegar|pepper)|gin and tonic|rock (?:and|&|'?n'?) roll"
    r"|drum (?:and|&) bass|rhythm (?:and|&) blues|bread and butter|peanut butter and \w+|ham and \w+|black and \w+"
    r"|bed and breakfast|arts and crafts|rum and coke|cookies and cream|peace and quiet|surf and turf|sweet and \w+"
    r"|hide and seek|dungeons (?:and|&) dragons|bacon and eggs|rice and \w+|cheese and \w+|nuts and bolts|odds and ends"
    r"|ups and downs|pros and cons|\w+ and (?:so on|such|more|stuff|all|everything|beyond|co)\b.*",
    _I,
)
_JOINED: Final = re.compile(
    r"[^\w' -]|(?-i:[A-ZÀ-Ý])|\b(?:of|between|with|in|at|for|about|to|by|on|from|or|the|my|our|a|an|both)\b", _I
)


def _are_two(value: str, items: list[str]) -> bool:
    """Whether "x and y" are two things of which each may end alone, not one that bears the name of both."""
    if _ONE_THING.fullmatch(value) or _JOINED.search(value):
        return False
    first, second = (item.split() for item in items)
    if first[0].endswith("ing"):
        return len(first) == 1
    alike = len(first) == len(second) == 1
    return len(second) <= _MOST_OF_ITEM and (alike or 1 < len(first) <= _MOST_OF_ITEM)


_MOST_OF_ITEM: Final = 3


def enumerated(value: str) -> list[str]:
    """The items of what is clearly a list (three or more by commas, or gerunds); else the value whole."""
    items = listed(value)
    if _ADJECTIVES.search(value):
        return [value]
    if len(items) == _PAIR and _are_two(value, items):
        return [item.strip() for item in _SPLIT.split(value)]
    gerunds = len(items) > 1 and all(item.split()[0].endswith("ing") for item in items)
    commas = value.count(",") > 0 and len(items) > 2 and all(len(item.split()) < 5 for item in items)  # noqa: PLR2004
    return items if gerunds or commas else [value]
