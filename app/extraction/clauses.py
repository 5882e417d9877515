"""Sentences cut into clauses that each have a subject of their own, with what their first words say."""

import re
from dataclasses import dataclass
from typing import Final

from app.domain.memories import Cue
from app.extraction.slot_rule import ADV, OF_ROLE, ROLE

_I: Final = re.IGNORECASE
_OWN: Final = r"(?:i|we|my|our|i'm|i've|i'd|i'll|we're|we've|im|ive)\b"

_LEAD: Final = re.compile(
    r"(?:ok(?:ay)?|so|well|basically|honestly|actually|btw|by the way|also|and|but|oh|ah|hey|hi(?: there)?|hello|yes|no"
    r"|yeah|yep|nope|sure|right|just so you know|just to let you know|fyi|for the record|to be honest|tbh|as i said"
    r"|look|(?:i )?(?:just )?(?:wanted|want) to (?:let you know|tell you|share(?= that\b))"
    r"|anyway|anyways|thanks|thank you|sorry|oops|first(?:ly)?|second(?:ly)?|correction|update|note|please note"
    r"|one more thing|additionally|plus|wow|haha|lol|hmm|you know|i mean|of course|for context|some context|context"
    r"|quick intro|remember|please remember|keep in mind|don't forget|remember that|note that|in fact|besides|then|like"
    r"|personally|in general|generally|guess what|good news|bad news|unfortunately|fortunately|luckily|sadly|finally"
    r"|about me|now|because|since(?= i\b)|although|though|while(?= i\b)|however|it turns out|turns out"
    r"|you should know|i should (?:mention|add|say|tell you)|i forgot to (?:mention|say|tell you)|just a heads[- ]up"
    r"|heads up|i have to (?:say|admit)|i must (?:say|admit)|i can tell you|did i mention|as a matter of fact"
    r"|just(?= (?:yesterday|last|this|today|\w+ \w+ ago)\b)|long time no (?:see|chat|talk)|on (?:a|the) (?:bright"
    r"|brighter|lighter|other|different) (?:side"
    r"|note|hand)"
    r"|speaking of(?: which)?|nah|yikes|funny (?:enough|you mention (?:that|it|this))|since (?:we|i) (?:last"
    r" )?(?:spoke|talked"
    r"|chatted|met|caught up)(?: last)?(?=,)|since (?:our|the) last (?:chat|talk|call)(?=,)|best of all|last but not"
    r" least|as for me|for me(?=,)|truth be told|bear in mind|let me tell you|as you know"
    r"|not|the thing is|i (?:meant|mean)(?: to say)?(?= (?:that )?(?:my|our|i|i'm|we|the)\b)|scratch that|wait"
    r"|i was (?:wrong|mistaken)(?: (?:about that|before|earlier|there)|(?: about [^,:;.]{1,40})(?=[,:;.]))?"
    r"|i (?:misspoke|made a mistake)|my (?:mistake|bad)|that was wrong)"
    r"(?:\s*[:,;!.–—-]+\s*|\s+(?:that\s+)?)",
    _I,
)
_TIME_LEAD: Final = re.compile(
    r"(?:after|before|by|in|on|at|since|for|last|this|next|these|those|yesterday|today|tonight|tomorrow|nowadays"
    r"|currently"
    r"|recently|lately|right now|most|every|during|with|unlike|as of|from|when i was|back in|\w+ \w+ ago|a \w+ of"
    r"|a \w+ ago|at the moment|over|once|the other|one day|earlier|as|despite|thanks to|due to|like)\b[^,;]{0,60}?"
)
_TIME_LEAD_COMMA: Final = re.compile(rf"{_TIME_LEAD.pattern},\s+(?={_OWN}|(?:the two|both) of us\b|home is\b)", _I)
_TIME_LEAD_I: Final = re.compile(rf"{_TIME_LEAD.pattern}\s+(?=(?:i|we|i'm|i've|we've|we're)\b)", _I)
_TIME_LEAD_MY: Final = re.compile(
    r"(?:(?:as of |since )?(?:last|this|next|on|in) \w+(?: \w+)?|yesterday|today|\w+ \w+ ago)\s+"
    r"(?=(?:my|our|home is)\b)",
    _I,
)

_BREAK: Final = re.compile(
    r"\s*[;]\s+|\s+[–—-]{1,2}\s+|:\s+(?=" + _OWN + r")"
    r"|\s*,?\s*\b(?:and|but|so|plus|because|although|though|while|whereas|however|then|yet)\b,?\s+(?:now |then |also "
    r"|that )?(?="
    + _OWN
    + r")|,\s+(?=(?:i|i'm|i've|we|we've)\b)|,\s+(?=(?:my|our)\b[^,]* (?:is|are|was|has|lives|works|says|said|shows)\b)"
    r"|,?\s+and\s+(?=(?:the |its |our |my )?(?:[\w-]+(?:'s)? ){0,2}(?:deadline|budget|due date)\b)"
    r"|,\s+but\s+|,\s+so\s+|,\s+(?=(?-i:[A-Z])[\w-]+ is (?:home|now|my|our|where)\b)",
    _I,
)
_ELIDED: Final = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:(?:now|currently|also|still|really|usually|never|always) )?(?:work|live|have|speak"
    r"|prefer"
    r"|hate|love|like|study|teach|own|drive|run|moved|emigrated|relocated|settled|retired|retrained|joined|started"
    r"|am|don't|can't|play)\b\s+(?!and\b|or\b))",
    _I,
)
_THEIRS: Final = (
    r"(?:loves|likes|hates|enjoys|prefers|has|is|was|lives|works|plays|speaks|runs|owns|drives|collects|studies|wants"
    r"|makes|teaches|bought|got|moved|started|joined|married|retired|adopted|can|can't|doesn't|goes|turned)\b"
)
_THEIR: Final = re.compile(
    rf"(?P<s>(?:my|our) {OF_ROLE}{ROLE}(?:,? (?-i:[A-Z])[\w'-]+,?)?) {ADV}{_THEIRS}", re.IGNORECASE
)
_THEIR_ELIDED: Final = re.compile(rf",?\s+and\s+(?=(?:also |now |really |still ){{0,2}}{_THEIRS})", re.IGNORECASE)
_STARTS_WITH_I: Final = re.compile(
    r"(?:i|i'm|i've|we|we're|we've)\b(?! (?:\w+ )?(?:like|love|want|have|need|used|try|hope|plan|enjoy)(?:d|ing)?"
    r" to\b)",
    _I,
)
_OTHER_VERB: Final = re.compile(
    r"\b(?:to (?:tell|help|see|share|make|get|show|go|be|do|keep|take)|you|he|she|they"
    r"|who|how)\b"
)
"""What a verb behind an "and" may go on from instead of the speaker's own."""
_NO_SUBJECT: Final = re.compile(
    r"(?:(?:just|finally|recently|also|still|already|actually) )?(?:(got|went|had|made|bought|started|finished|took|saw"
    r"|met|signed|joined|moved|found|tried|decided|visited|ran|watched|read|spent|adopted|applied|passed"
    r"|won(?!'))\b(?! (?:it|that|you)\b)|((?:love|enjoy|hate|miss)(?= (?:\w+ing|my|our)\b))"
    r"|(gonna|going to|planning|thinking|working|trying|hoping|looking|training|learning|studying|feeling"
    r"|living)(?!.*\b(?:is|are|was|were|has|have|can|will|makes|helps|means|takes|sounds|seems"
    r"|feels|looks|gives|keeps|brings|lets|gets|goes|comes|works|can't|isn't|should|would|we|[a-z]+s (?:me|us|my"
    r"|our))\b)\b"
    r"|(been)\b(?! (?:an?\b|such|quite|the"
    r"|ages|forever|so long|too long|a long)))",
    _I,
)
_TAIL_QUESTION: Final = re.compile(
    r"((?:i|we|my|our|i'm|i've)\b.{8,}?)(?:[,;]|\s[–—-])\s*(?:and |but |so )?(?:what|how|do|does|did|can|could|would|is"
    r"|are|any|have|has|where|when|who|why|which|should|right|ok|isn't|don't|no)\b[^?]*\?$",
    _I,
)
_TAIL_REQUEST: Final = re.compile(
    r"(?<=.{12})(?:,? (?:so |and |but )?(?:can|could|would|will) you\b|, (?:so )?(?:please |just )?(?:give me|let me"
    r"|hold on"
    r"|bear with|wait|tell me|don't worry)\b).*$",
    _I,
)
_CUES: Final = (
    (
        Cue.CORRECTION,
        re.compile(
            r"\b(?:actually|correction|sorry|i meant|typo|misspoke|mistaken?|my bad|i was wrong|that was wrong"
            r"|scratch that)\b",
            _I,
        ),
    ),
    (Cue.ADDITION, re.compile(r"\b(?:also|as well|another|too|second|additionally|besides)\b", _I)),
)
_VOCATIVE: Final = re.compile(
    r"(?:hey|hi|hello|thanks|thank you|oh|yeah|yes|yep|no|nope|wow|sure|ok|okay|great|cool|awesome|nice|sorry|right"
    r"|true|haha|aw+|woah|whoa)"
    r"(?:,| so much,?| a lot,?)? (?-i:[A-Z])[\w'-]+\s*[,!.–—-]\s*",
    _I,
)
_MAX_LEADS: Final = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the speaker: `text` as said, `core` from its subject on, `cue` by its first words.

    `rest` is the sentence from this clause to its end.
    """

    text: str
    core: str
    cue: Cue = Cue.NONE
    rest: str = ""


def clauses(sentence: str) -> list[Clause]:
    """The clauses of one sentence, each with a subject; questions behind a statement are cut off."""
    tail = _TAIL_QUESTION.match(sentence)
    body, cue = _without_leads(_TAIL_REQUEST.sub("", tail.group(1) if tail else sentence))
    pieces = _pieces(body)
    made: list[Clause] = []
    for number, piece in enumerate(pieces):
        text, own_cue = (piece, cue) if number == 0 else _without_leads(piece, own=bool(_SPEAKING.match(pieces[0])))
        text = text.strip(" ,;")
        if text:
            found = body.find(text)
            made.append(Clause(text, core_of(text), own_cue, body[found:].strip() if found >= 0 else text))
    return made


def _pieces(body: str) -> list[str]:
    """`body` cut at its breaks outside quotes, with an elided "I" put back."""
    cuts = [0]
    for found in _BREAK.finditer(body):
        if body.count('"', 0, found.start()) % 2 == 0 and found.start() > cuts[-1]:
            cuts.extend((found.start(), found.end()))
    cuts.append(len(body))
    pieces = [body[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    return [part for piece in pieces for part in _unelided(piece)]


def _unelided(piece: str) -> list[str]:
    if their := _THEIR.match(piece):
        first, *rest = _THEIR_ELIDED.split(piece)
        return [first, *(f"{their['s']} {part}" for part in rest)]
    if not _STARTS_WITH_I.match(piece):
        return [piece]
    first, *rest = _ELIDED.split(piece)
    if _OTHER_VERB.search(first):
        return [piece]
    subject = "We" if first[:2].lower() == "we" else "I"
    return [first, *(f"{subject} {part}" for part in rest)]


def without_leads(text: str) -> str:
    """`text` without the words that only open a turn: `ok so`, `by the way`, `thanks,`."""
    return _without_leads(text)[0]


_SPEAKING: Final = re.compile(r"(?:i|we|i'm|i've|we're|we've|i'd|i'll)\b", _I)


def _without_leads(text: str, *, own: bool = True) -> tuple[str, Cue]:
    cue, text = Cue.NONE, text.strip()
    for _ in range(_MAX_LEADS):
        found = _VOCATIVE.match(text) or _LEAD.match(text)
        if not found or found.end() >= len(text):
            break
        cue = next((c for c, words in _CUES if words.search(found.group())), cue)
        text = text[found.end() :]
    return _with_subject(text) if own else text, cue


def _with_subject(text: str) -> str:
    """`text` with the "I" that casual speech leaves out: "Just got back" → "I just got back"."""
    found = _NO_SUBJECT.match(text)
    if not found:
        return text
    subject = "I" if found.group(1) or found.group(2) else "I'm" if found.group(3) else "I've"
    return f"{subject} {text[0].lower()}{text[1:]}"


def core_of(text: str) -> str:
    """`text` from its own subject on, without a leading time, place or circumstance."""
    for lead in (_TIME_LEAD_COMMA, _TIME_LEAD_I, _TIME_LEAD_MY):
        if found := lead.match(text):
            return text[found.end() :]
    return text


def cue_in(text: str) -> Cue:
    """What the words of a clause say of earlier ones, as far as they are unmistakable."""
    return next((cue for cue, words in _CUES if words.search(text)), Cue.NONE)
