"""What a short message means by what was said before it: answers, acceptances, corrections."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from app.domain.memories import Cue, MemoryType, Polarity
from app.domain.reports import Rejection
from app.domain.sessions import Message, Role
from app.extraction.clauses import clauses, without_leads
from app.extraction.collect import rejection
from app.extraction.drafts import SLOT_CONFIDENCE, STATEMENT_CONFIDENCE, Draft, Origin, draft
from app.extraction.english import read_sentence
from app.extraction.fact_drafts import slots_in
from app.extraction.normalise import Sentence, sentences
from app.extraction.questions import (
    accepted_proposal,
    as_denial,
    as_statement,
    completed,
    filled_in,
    is_lasting,
    named_thing,
)
from app.extraction.retractions import CORRECTED, is_retraction, without_retracted
from app.extraction.slot_rules import Fact
from app.extraction.slot_wording import sentence_of
from app.extraction.third_person import SUBJECT, third_person

_I: Final = re.IGNORECASE
_YES: Final = re.compile(
    r"(?:yes|yep|yeah|yup|correct|right|exactly|that's (?:right|correct|true)|that is (?:right|correct)|true|indeed"
    r"|i do|i am"
    r"|of course|absolutely|definitely|sure|affirmative|you got it)\b(?!,? but\b)",
    _I,
)
_NO: Final = re.compile(r"(?:no|nope|nah|not (?:really|any ?more)|i don't|i'm not|incorrect|wrong|that's wrong)\b", _I)
_MEANT: Final = re.compile(
    r"(?:(?:sorry|oops|no|wait|correction|actually|ah|hmm|my (?:bad|mistake)|typo)[,.:! -]*)*(?:i meant(?: to say)?"
    r"|i mean|make that|(?:that|it)"
    r" should (?:be|read|have been)|should be|i misspoke,?(?: it's)?"
    r"|typo:?) (?P<new>[^,;.!?]{1,60}?(?:, (?-i:[A-Z])[\w' -]+?)?)(?:,? (?:and )?not (?P<old>[^,;.!?]{1,60}))?"
    r"(?:,? (?:sorry|my (?:bad|mistake)|obviously|of course|i think))?[.!]*$",
    _I,
)
_INSTEAD: Final = re.compile(
    r"(?:sorry|oops|no|wait|correction|my (?:bad|mistake)|typo)[,.:! -]+(?:it's |it is "
    r"|that's )?(?P<new>[^,;.!?]{1,40}), not (?P<old>[^,;.!?]{1,40})[.!]*$",
    _I,
)
_MEANT_LAST: Final = re.compile(
    r"(?P<new>(?:the )?[\w.:'-]+(?: [\w.:'-]+){0,2}?),? (?:i mean|i meant|not (?P<old>[\w.:'-]+(?:"
    r" [\w.:'-]+)?))[.!]*$",
    _I,
)
_RATHER: Final = re.compile(
    r"(?:(?:sorry|oops|wait|no|actually|correction|scratch that|hang on|my (?:bad|mistake)|typo|hmm|ah|well)[,.:!"
    r" –-]+)+"
    r"(?:(?:it|he|she|that)(?:'s| is| was)|they(?:'re| are)|make (?:it|that)|make)? ?(?P<new>(?:the )?[\w.:'-]+"
    r"(?: [\w.:'-]+){0,2}?)(?:,? (?:already|now|actually|instead|then|sorry|of course|i think|rather))*[.!]*$",
    _I,
)
"""A correction that names only what is so: "Wait, no, she's 10"."""
_CORRECTIONS: Final = (_MEANT, _INSTEAD, _MEANT_LAST)
_STILL: Final = re.compile(r"\bstill\b", _I)
_KINDS: Final = (
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", _I),
    re.compile(r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"),
    re.compile(r"\b\d[\d.,]*\b"),
    re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*, [A-Z][\w'-]+(?: [A-Z][\w'-]+)*"),
    re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*"),
)
_LOOK_BACK: Final = 4
_SHORT: Final = 6
_RELATED: Final = re.compile(
    r"(?:no|nope|nah)[,.! ]+(?:he|she|they)(?:'s| is|'re| are) my (?P<r>[\w -]{3,30}?)[.!]*$", _I
)
_NAMED: Final = re.compile(r"my [\w -]+ is called (?P<n>.+)", _I)


@dataclass(slots=True)
class Dialogue:
    """The messages so far, as far as a short one may refer to them."""

    assistant: Message | None = None
    denied: dict[str, str] = field(default_factory=dict[str, str])
    """Values that the last answer denied, by slot, while it went on to say what is so."""
    users: list[tuple[Message, list[str]]] = field(default_factory=list[tuple[Message, list[str]]])

    def hear(self, message: Message) -> None:
        """Takes note of `message`; system and tool messages neither ask nor propose."""
        if message.role is Role.ASSISTANT:
            self.assistant = message
        elif message.role is Role.USER:
            self.assistant = None
            self.users = [*self.users[1 - _LOOK_BACK :], (message, [s.text for s in sentences(message.text)])]

    def answered(self, own: Sequence[Sentence], origin: Origin) -> list[Draft]:
        """What the first words of a message say as an answer to the assistant's last question or proposal."""
        self.denied = {}
        if self.assistant is None or not own:
            return []
        asked = sentences(self.assistant.text[-2000:])
        both = replace(origin, messages=(self.assistant, origin.said))
        question = next((s.text for s in reversed(asked) if s.asks), None)
        reply = own[0].text
        if question is not None and (found := self._answer(question, reply, both, own)):
            return found
        decided = accepted_proposal([s.text for s in asked], reply)
        return [_decision(decided, both)] if decided else []

    def _answer(self, question: str, reply: str, origin: Origin, own: Sequence[Sentence]) -> list[Draft]:
        stated = as_statement(question)
        if named := named_thing(question, reply):
            return _confirmed(named, origin)
        if stated and _YES.match(reply):
            whole = filled_in(stated, reply)
            return (
                (_slots(stated, origin) or _confirmed(whole, origin))
                if whole and ":" in whole
                else _confirmed(whole or "", origin)
            )
        if stated and _NO.match(reply):
            return self._denials(stated, question, origin, own)
        said = completed(question, without_leads(reply))
        return _slots(said, origin) if said else []

    def _denials(self, stated: str, question: str, origin: Origin, own: Sequence[Sentence]) -> list[Draft]:
        """What a No denies, unless the answer itself goes on to say what is so: then that replaces it."""
        told = {item.candidate.key for sentence in own for item in read_sentence(sentence.text, origin)}
        asked = [item for item in _slots(stated, origin) if item.candidate.polarity is Polarity.POSITIVE]
        self.denied = {
            i.candidate.key: i.candidate.value
            for i in asked
            if i.candidate.key in told and i.candidate.value and i.candidate.key
        }
        ended = bool(_STILL.search(question))
        said = as_denial(question)
        if said and not asked and not told and len(own) == 1 and len(own[0].text.split()) < _SHORT:
            return _confirmed(said, origin)
        if self.denied == {} and (about := _RELATED.match(own[0].text)) and (named := _NAMED.fullmatch(stated)):
            return _slots(f"my {about.group('r')} is called {named.group('n')}", origin)
        return [_denied(item, origin, ended=ended) for item in asked if item.candidate.key not in told]

    def replacing(self, drafts: list[Draft]) -> list[Draft]:
        """`drafts` of an answer, each with the value it replaces when the same answer denied that one."""
        return [
            _as_correction(d, self.denied[key]) if (key := d.candidate.key) in self.denied and key else d
            for d in drafts
        ]

    def corrected(
        self, own: Sequence[Sentence], origin: Origin, drafts: list[Draft], rejected: list[Rejection]
    ) -> list[Draft]:
        """`drafts` after the corrections in a message: what was misspoken gives way to what was meant."""
        for sentence in own:
            told = [item for item in read_sentence(sentence.text, origin) if is_retraction(item)]
            if told:
                drafts = without_retracted(drafts, told, rejected)
                continue
            meant = next((found for form in _CORRECTIONS if (found := form.match(sentence.text))), None)
            if meant:
                drafts = self._mended(meant.group("new"), meant.group("old"), origin, drafts, rejected)
            elif self.assistant is None or not any(s.asks for s in sentences(self.assistant.text[-2000:])):
                rather = _RATHER.match(sentence.text)
                drafts = self._mended(rather.group("new"), None, origin, drafts, rejected) if rather else drafts
        return drafts

    def _mended(
        self, new: str, old: str | None, origin: Origin, drafts: list[Draft], rejected: list[Rejection]
    ) -> list[Draft]:
        for message, texts in reversed(self.users):
            for text in reversed(texts):
                wrong = old if old and re.search(rf"\b{re.escape(old)}\b", text, _I) else _counterpart(new, old, text)
                if wrong is None:
                    continue
                said = _of_a_kind(new, wrong)
                right = re.sub(rf"\b{re.escape(wrong)}\b", lambda _, said=said: said, text, count=1, flags=_I)
                both = replace(origin, messages=(message, origin.said))
                before = read_sentence(text, replace(origin, messages=(message,)))
                same = {item.candidate.content for item in before}
                after = [item for item in read_sentence(right, both) if item.refused is None]
                found = [_as_correction(item, wrong) for item in after if item.candidate.content not in same]
                stale = same - {item.candidate.content for item in after}
                rejected.extend(
                    rejection(d.candidate.content, CORRECTED) for d in drafts if d.candidate.content in stale
                )
                return [d for d in drafts if d.candidate.content not in stale] + found
        return drafts


def _counterpart(new: str, old: str | None, text: str) -> str | None:
    """The word of `text` that is of the same kind as `new`: a weekday for a weekday, a number for a number."""
    if old is not None:
        return None
    for kind in _KINDS:
        if kind.search(new) or (kind in _KINDS[-2:] and new[:1].isupper() and kind.search(f"is {new}")):
            found = kind.findall(text)
            return found[-1] if found else None
    return None


def _of_a_kind(new: str, wrong: str) -> str:
    """The part of `new` that stands for `wrong`: of "24 seats" only the number where a number was wrong."""
    for kind in _KINDS[:3]:
        if kind.fullmatch(wrong) and (found := kind.search(new)):
            return found.group()
    return new


def _as_correction(item: Draft, wrong: str) -> Draft:
    return replace(item, candidate=replace(item.candidate, cue=Cue.CORRECTION, replaces=wrong))


def _slots(text: str, origin: Origin) -> list[Draft]:
    return [item for clause in clauses(text) for item in slots_in(clause, origin)]


def _confirmed(text: str, origin: Origin) -> list[Draft]:
    """What a confirmed question says: its slots, else the statement that it is, less sure for being in other words."""
    found = _slots(text, origin)
    if found or not is_lasting(text):
        return found
    content = third_person(text, origin.said.speaker)
    return [
        draft(
            origin, content, kind=MemoryType.FACT, confidence=STATEMENT_CONFIDENCE, importance=3, rank=_CONFIRMED_RANK
        )
    ]


_CONFIRMED_RANK: Final = 4.0


def _denied(item: Draft, origin: Origin, *, ended: bool) -> Draft:
    said = item.candidate
    fact = Fact(said.key or "", said.value or "", Polarity.NEGATIVE)
    subject = origin.said.speaker or SUBJECT
    untrue = f"It is not so that {said.content}"
    if said.key == "habit":
        untrue = third_person(f"I don't {said.value}", subject)
    content = sentence_of(fact, subject) or untrue
    cue = Cue.END if ended else Cue.NONE
    return replace(item, candidate=replace(said, content=content, polarity=Polarity.NEGATIVE, cue=cue))


def _decision(text: str, origin: Origin) -> Draft:
    fact = Fact("decision", text)
    content = sentence_of(fact, origin.said.speaker or SUBJECT) or text
    return draft(
        origin,
        content,
        kind=MemoryType.DECISION,
        confidence=SLOT_CONFIDENCE,
        importance=4,
        rank=14.0,
        key="decision",
        value=text,
    )
