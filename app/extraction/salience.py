"""How much a sentence is worth keeping, by what it is made of. Weights were set by hand; see `THRESHOLD`."""

import re
from dataclasses import dataclass
from typing import Final

from app.extraction.gates import is_doubtful, is_passing, is_request, is_seeking, is_small_talk, is_work_talk
from app.extraction.verbs import is_past

THRESHOLD: Final = 1.5
"""The score from which a statement is kept (importance 3). At 1.0 more is kept and more of it is chatter."""

_I: Final = re.IGNORECASE
_WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_OWN_START: Final = re.compile(r"(?:i|we|my|our)\b", _I)
_OWN: Final = re.compile(r"\b(?:i|we|my|our|me|us|myself|mine)\b", _I)
_YOU: Final = re.compile(r"\b(?:you|your|yours)\b", _I)
_VAGUE_START: Final = re.compile(
    r"(?:it|that|this|they|there|these|those|he|she|which|what|such|so|the (?:whole|best) thing)\b", _I
)
_NAMED: Final = re.compile(r"(?<=[\w,] )(?!I\b|I')[A-Z][\w'-]*[a-z]")
_NUMBER: Final = re.compile(
    r"\b\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|twice|hundred|thousand)\b", _I
)
_PEOPLE: Final = re.compile(
    r"\b(?:wife|husband|partner|girlfriend|boyfriend|m[uo]m|mother|dad|father|parents?|brothers?|sisters?|sons?"
    r"|daughters?|kids?"
    r"|child(?:ren)?|boss|manager|colleagues?|co-?workers?|friends?|cousins?|aunt|uncle|grand\w+|famil(?:y|ies)"
    r"|roommates?|neighbou?rs?"
    r"|dogs?|cats?|pupp(?:y|ies)|kitten|pets?|team|company)\b",
    _I,
)
_LASTING: Final = re.compile(
    r"\b(?:love|like|enjoy|prefer|hate|favou?rite|fan of|into|passion\w*|dream\w*|goal|want to|hope to|plan(?:s|ning"
    r"|ned)?|learn\w*|study\w*"
    r"|stud(?:ied|ying)|decid\w+|chose\w*|agreed|always|never|usually|often|every (?:day|week|morning|year|month"
    r"|weekend)|used to|grew up"
    r"|since|for (?:\w+ )?(?:years|months)|own|bought|sold|work(?:ed|ing)? (?:at|for|as|in|on|with)|live[sd]?"
    r"|mov(?:ed|ing)|job|career|degree"
    r"|school|college|university|allerg\w+|diagnos\w+|doctor|medic\w+|budget|deadline|married|divorced|birthday"
    r"|anniversary|hobb(?:y|ies)"
    r"|born|named|called|volunteer\w*|adopt\w+|graduat\w+|started|joined|quit|signed up|training|inspired|taught"
    r"|painted?|wrote|project"
    r"|must|have to|can't|cannot|need to|responsible|in charge|specialt?y)\b",
    _I,
)
_STOP_WORDS: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "so",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "by",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "i",
        "i'm",
        "i've",
        "i'll",
        "i'd",
        "we",
        "we're",
        "we've",
        "me",
        "my",
        "our",
        "us",
        "you",
        "your",
        "it",
        "it's",
        "its",
        "this",
        "that",
        "that's",
        "these",
        "those",
        "they",
        "them",
        "their",
        "he",
        "she",
        "his",
        "her",
        "do",
        "does",
        "did",
        "don't",
        "didn't",
        "have",
        "has",
        "had",
        "not",
        "no",
        "just",
        "really",
        "very",
        "too",
        "also",
        "then",
        "there",
        "here",
        "what",
        "which",
        "who",
        "when",
        "where",
        "how",
        "if",
        "than",
        "about",
        "up",
        "out",
        "all",
        "some",
        "any",
        "more",
        "most",
        "much",
        "many",
        "lot",
        "can",
        "could",
        "will",
        "would",
        "should",
        "may",
        "might",
        "get",
        "got",
        "go",
        "going",
        "went",
        "thing",
        "things",
        "stuff",
        "good",
        "great",
        "nice",
        "well",
        "like",
        "know",
        "think",
        "yeah",
        "oh",
        "hey",
    ]
)
_REACTION: Final = re.compile(
    r"\b(?:wow|awesome|amazing|so (?:cool|glad|happy|sweet|great|true)|congrat\w*|thanks?|lol|haha|sounds)\b", _I
)
_STANDING: Final = re.compile(
    r"(?:i|we)(?: (?:only|also|mostly|mainly|still|often|usually|always|never|really|rarely|hardly))? (?!am|'m|will"
    r"|would|was|were|had|just|got"
    r"|went|did|think|feel|guess|hope|mean|know|see|do|have to|can|could|should|want|need|wish|agree|understand|love"
    r"|like)(?!\w+ed\b)[a-z]+\b"
    r"|(?:i'm|i am|we're|we are) (?:an?|the|on|off|in|down|at|from|with|out of)\b|the (?:kids|baby|dog|cat|boys|girls"
    r"|twins|children|family)\b",
    _I,
)
"""The simple present of a first person, or what somebody is: true today and tomorrow."""
_AFFECTED: Final = re.compile(
    r"\b(?:gives?|makes?|helps?|suits?|bothers?|scares?|hurts?|calms?|keeps?|taught|gave"
    r"|got|costs?|allows?|lets?|terrif(?:y|ies)|frightens?|annoys?|irritates?|stress(?:es)?|relax(?:es)?|bores?"
    r"|fascinates?"
    r"|drains?|upsets?|saves?|reminds?) (?:me|us|my|our)\b",
    _I,
)
_VAGUE_OBJECT: Final = re.compile(
    r"(?:i|we)(?:'m|'ve|'ll|'d)? (?:\w+ ){0,2}?\w+ (?:it|this|that|them|these|those"
    r"|one)\b",
    _I,
)
_MODAL: Final = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:might|may|could|should|wonder|guess|doubt)\b|\bmaybe\b|\bperhaps\b", _I
)
_DOUBT_COST: Final = {False: 0.5, True: 1.0}
_FEELING: Final = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ve been| feel| felt| was)(?: \w+ly| so| very| also| still| just| always"
    r"| too)* (?:excited|stoked|pumped"
    r"|thrilled|thankful|grateful|lucky|inspired|happy|proud|blessed|glad|sorry|sad|tired|amazed|touched|honou?red"
    r"|nervous|relieved)\b",
    _I,
)
_PRONOUN: Final = re.compile(
    r"\b(?:he|him|she|her|it|them|they|one of those|that one)\b(?! (?:is|was) (?:\w+"
    r" )?(?:that|to)\b)",
    _I,
)
_ANTECEDENT: Final = re.compile(
    r"\b(?:(?i:an?|the|my|our|anything|something)|some|two|three|many|any|every|her|his|their)(?: [\w'-]+)+|(?<=[\w,]"
    r" )(?!I\b|I')[A-Z]"
    r"|\b\w+(?:ies|[^sui]s)\b",
)
_SHOWN: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:\w+ ){0,2}?(?:this|these|those) (?:\w+ )?\w+\b|this \w+ (?:i"
    r"|we|is|was)\b",
    _I,
)
"""A thing that is pointed at."""
_PERSON: Final = re.compile(r"\b(?:him|he|she|her(?= (?:a|an|for|with|to|and|at|again|in|on)\b|[,.!]|$))\b", _I)
_VAGUE_NOUN: Final = re.compile(
    r"\b(?:something|stuff|similar|same (?:way|thing|page|boat)|a lot|this|that one|so"
    r" much)\b",
    _I,
)
_FEW_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence's score and what lowered it, if one thing rules it out."""

    score: float
    refused: str | None = None


def weigh(text: str, core: str, *, dated: bool) -> Weighed:
    """The score of `text`, whose own subject begins `core`; `dated` says that a time phrase in it was resolved."""
    refused = _refusal(core)
    if refused:
        return Weighed(0.0, refused)
    words = _WORD.findall(text)
    if len(words) < _FEW_WORDS:
        return Weighed(0.0, "too short")
    return Weighed(round(_worth(text, core, words, dated=dated) - _cost(text, core, dated=dated), 2))


def _refusal(core: str) -> str | None:
    if is_request(core):
        return "a request"
    if is_small_talk(core):
        return "small talk"
    return "work in progress" if is_work_talk(core) or is_seeking(core) else None


def _worth(text: str, core: str, words: list[str], *, dated: bool) -> float:
    content = {word for word in (w.lower() for w in words) if word not in _STOP_WORDS and len(word) > 2}  # noqa: PLR2004
    score = 1.2 if _OWN_START.match(core) else 0.7 if _OWN.search(text) else 0.0
    score -= 0.0 if _OWN.search(text) or dated or _NAMED.search(text) else 0.4
    affected = _AFFECTED.search(text)
    score += (
        0.5
        if affected and affected.group().lower().endswith(("me", "my"))
        else 0.3
        if affected
        else 0.3
        if _STANDING.match(core)
        else 0.0
    )
    score += min(len(content), 8) * 0.1
    score += min(len(_NAMED.findall(text)), 2) * 0.4
    score += 0.3 if _NUMBER.search(text) else 0.0
    score += 0.6 if dated else 0.0
    score += 0.3 if any(is_past(word.lower()) for word in words) else 0.0
    score += 0.3 if _PEOPLE.search(text) else 0.0
    return score + min(len(_LASTING.findall(text)), 2) * 0.3


def _points_outside(text: str) -> bool:
    """Whether a pronoun of `text` stands for what only the sentences before it name."""
    person = _PERSON.search(text)
    if person and not (_PEOPLE.search(text, 0, person.start()) or _NAMED.search(text, 0, person.start())):
        return True
    found = _PRONOUN.search(text)
    return bool(found) and not _ANTECEDENT.search(text, 0, found.start())


def _cost(text: str, core: str, *, dated: bool) -> float:
    cost = 0.9 if _YOU.search(text) else 0.0
    cost += (0.3 if dated else 1.0) if is_passing(core) else 0.0
    cost += 0.8 if _points_outside(text) else 0.5 if _SHOWN.match(core) else 0.0
    cost += 0.3 if _VAGUE_NOUN.search(text) else 0.0
    cost += 0.5 if _VAGUE_START.match(core) else 0.0
    cost += _DOUBT_COST[bool(_MODAL.search(text))] if is_doubtful(text) else 0.0
    cost += 0.5 if _VAGUE_OBJECT.match(core) else 0.0
    cost += 0.4 if _REACTION.search(text) else 0.0
    cost += 0.5 if _FEELING.match(core) else 0.0
    return cost + (0.2 if text.rstrip().endswith("!") else 0.0)
