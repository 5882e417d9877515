"""First-person English told about its speaker: `I moved with my wife` becomes `User moved with their wife`."""

import re
from dataclasses import dataclass, field
from typing import Final

from app.extraction.verbs import COMMON, agree, is_adverb, is_past

SUBJECT: Final = "User"
"""How the speaker is called when no name is known."""

_TOKEN: Final = re.compile(r"\s+|[^\W_]+(?:['-][^\W_]+)*|[^\w\s]|_+")
_CONTRACTIONS: Final = {
    "'m": "am", "'re": "are", "'ve": "have", "'ll": "will",
}  # fmt: skip
_CONTRACTED: Final = re.compile(r"\b(i|we)('m|'re|'ve|'ll|'d)\b|\b(im|ive)\b(?= )", re.IGNORECASE)
_HAD: Final = re.compile(r" (?:\w+ly |never |always |just |already )?(?:been|better|had|gone|done|seen|\w+ed)\b")
_INFORMAL: Final = (
    (re.compile(r"\bgonna\b", re.IGNORECASE), "going to"),
    (re.compile(r"\bwanna\b", re.IGNORECASE), "want to"),
    (re.compile(r"\bgotta\b", re.IGNORECASE), "have to"),
    (re.compile(r"\b(\w{2,}in)'(?=\s|$)"), r"\1g"),
    (re.compile(r"\b(?:all|both|most|some|many|none|the (?!two\b)\w+) of us\b", re.IGNORECASE), "we"),
    (re.compile(r",? (?:like|as) (?:i|we) (?:said|mentioned|told you)(?: before| earlier)?,?", re.IGNORECASE), ""),
    (re.compile(r"^(?:for|as for) me,? (?=(?:i|it)\b)", re.IGNORECASE), ""),
    (re.compile(r"\bboth (?=my|our)\b", re.IGNORECASE), "both of "),
    (re.compile(r"(?:[\s,]+(?:lol|haha|btw|by the way|tbh|to be honest|please|:\)))+(?=\W*$)", re.IGNORECASE), ""),
)
_JOINT: Final = re.compile(r"(?:my|our) ((?:[\w'-]+ ){0,2}[\w'-]+) and (?:i|me)\b", re.IGNORECASE)
_PAIR: Final = re.compile(r"\bthe two of us\b", re.IGNORECASE)
_OBJECT_BEFORE: Final = re.compile(r"\band$", re.IGNORECASE)
_CLITIC: Final = re.compile(r"[a-z]+'(?:re|ve|ll|d)")
_AFTER_COORDINATION: Final = frozenset({"and", "or", "but", "then"})


@dataclass(slots=True)
class _Rewriter:
    subject: str
    tokens: list[str]
    out: list[str] = field(default_factory=list[str])
    mentioned: bool = False
    owning: bool = False
    agreeing: bool = False
    """Whether the verb before was a present form that agrees with the subject, so that a coordinated one does too."""

    def run(self) -> str:
        position = 0
        while position < len(self.tokens):
            position = self._step(position)
        return "".join(self.out)

    def _step(self, position: int) -> int:
        token = self.tokens[position]
        lower = token.lower()
        if lower == "i" and not self._is_letter(position):
            return self._singular(position)
        if lower == "we":
            self.out.append("they" if self.mentioned else f"{self.subject} and others")
            self.mentioned, self.agreeing = True, False
        elif lower in _POSSESSIVES:
            self.out.append("their" if self.mentioned or self.owning else f"{self.subject}'s")
            self.owning = True
        elif lower in _OBJECTS:
            self.out.append(
                _OBJECTS[lower] if self.mentioned or lower not in {"me", "us"} else self._named_object(lower)
            )
        elif self.agreeing and self._is_coordinated(position) and (lower in COMMON or self._is_led(position)):
            self.out.append(agree(token))
        else:
            self.agreeing = self.agreeing and lower not in {"to", "that", "who", "which", ".", ";", ":"}
            self.out.append(token)
        return position + 1

    def _named_object(self, lower: str) -> str:
        self.mentioned = True
        return self.subject if lower == "me" else f"{self.subject} and others"

    def _is_letter(self, position: int) -> bool:
        """Whether an I is a numeral or a letter rather than the speaker ("World War I.", "type I")."""
        before = self.tokens[position - 2].lower() if position > 1 else ""
        return before in {"war", "type", "phase", "part", "chapter", "vitamin", "class", "grade", "stage"}

    def _singular(self, position: int) -> int:
        joined = bool(_OBJECT_BEFORE.search("".join(self.out[-3:]).rstrip())) and self._follows_person(position)
        name = "they" if self.mentioned and not joined else self.subject
        agrees = not self.mentioned and not joined
        self.out.append(name)
        self.mentioned = True
        return self._verb(position + 1, agrees=agrees)

    def _follows_person(self, position: int) -> bool:
        """Whether "and I" continues a joint subject ("my wife and I"), not a new clause ("it rained and I left")."""
        before = {token.lower() for token in self.tokens[:position]}
        if any(_CLITIC.fullmatch(token) for token in before) or "," in self.tokens[max(0, position - 4) : position]:
            return False
        return not before & (_FINITE | {"i", "we"}) and not any(is_past(token) for token in before)

    def _verb(self, position: int, *, agrees: bool) -> int:
        """Copies what stands up to the verb and the verb itself in the form that the new subject needs."""
        while position < len(self.tokens):
            token = self.tokens[position]
            if token.isspace() or is_adverb(token):
                self.out.append(token)
                position += 1
                continue
            if token[0].isalpha():
                self._put_verb(token, agrees=agrees)
                return position + 1
            return position
        return position

    def _put_verb(self, token: str, *, agrees: bool) -> None:
        lower = token.lower()
        if agrees:
            self.out.append(agree(token))
            self.agreeing = self.out[-1] != token and lower not in {"am", "was", "have", "do", "don't"}
        else:
            self.out.append({"am": "are", "was": "were", "wasn't": "weren't"}.get(lower, token))
            self.agreeing = False

    def _is_led(self, position: int) -> bool:
        """Whether an adverb stands right before: "and just chill" goes on with a verb."""
        before = [token for token in self.tokens[:position] if token.strip()]
        bare = self.tokens[position].isalpha() and not self.tokens[position].lower().endswith(("s", "ing", "ed"))
        return bare and bool(before) and before[-1].lower() in _VERB_LEADS

    def _is_coordinated(self, position: int) -> bool:
        before = [token.lower() for token in self.tokens[:position] if token.strip()]
        while before and is_adverb(before[-1]):
            before.pop()
        if before[-1:] == [","]:
            after = [token.lower() for token in self.tokens[position + 1 : position + 8]]
            return bool({"and", "or"} & set(after))
        return bool(before) and before[-1] in _AFTER_COORDINATION


_POSSESSIVES: Final = frozenset({"my", "our"})
_OBJECTS: Final = {
    "me": "them", "us": "them", "myself": "themselves", "ourselves": "themselves", "mine": "theirs", "ours": "theirs",
}  # fmt: skip
_VERB_LEADS: Final = frozenset({"just", "then", "always", "usually", "often", "never", "sometimes", "simply"})
_FINITE: Final = frozenset({"is", "are", "am", "has", "have", "do", "does", "can", "will", "it's", "that's", "there's"})


def third_person(text: str, speaker: str | None = None) -> str:
    """`text` about `speaker` (or the user), as one sentence that begins with a capital and ends with a mark."""
    spelled = _CONTRACTED.sub(_expand, text)
    for pattern, replacement in _INFORMAL:
        spelled = pattern.sub(replacement, spelled)
    subject = speaker or SUBJECT
    spelled, pairs = _PAIR.subn(lambda _: f"{subject} and another person", spelled)
    joint = _JOINT.match(spelled)
    if joint:
        spelled = f"{subject} and their {joint.group(1)}{spelled[joint.end() :]}"
    rewriter = _Rewriter(subject, _TOKEN.findall(spelled), mentioned=joint is not None or pairs > 0)
    return closed(rewriter.run())


def closed(text: str) -> str:
    """`text` with a capital first letter and one full stop."""
    text = text.strip().rstrip(" ,;:-–—!?.…")
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _expand(match: re.Match[str]) -> str:
    if match.group(3):
        return "I am" if match.group(3).lower() == "im" else "I have"
    pronoun, ending = match.group(1), match.group(2).lower()
    if ending == "'d":
        rest = match.string[match.end() : match.end() + 30]
        return f"{pronoun} had" if _HAD.match(rest) else f"{pronoun} would"
    return f"{pronoun} {_CONTRACTIONS[ending]}"
