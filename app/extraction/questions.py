"""Questions and proposals of the assistant turned into what the user says by answering them."""

import re
from collections.abc import Sequence
from typing import Final

_I: Final = re.IGNORECASE

_OPENING: Final = re.compile(
    r"(?:(?:so|and|ok|okay|great|thanks|got it|i see|just to confirm|to confirm|wait|oh|also"
    r"|quick question)[,:—–-]*\s+)+",
    _I,
)
_YES_NO: Final = (
    (re.compile(r"do you (?P<p>(?:still |also |really |usually |often )?.+)\?$", _I), "I {p}"),
    (re.compile(r"are you (?P<p>.+)\?$", _I), "I am {p}"),
    (re.compile(r"have you (?P<p>got .+|been .+|always .+)\?$", _I), "I have {p}"),
    (re.compile(r"[Ii]s your (?P<w>[\w'-]+(?: [\w'-]+)??) (?P<p>(?:called|named|in|on|based|still|now|an?|the|\d"
        r"|[A-Z]).*)\?$"), "my {w} is {p}"),
    (re.compile(r"(?:you(?P<p>(?:'re| are| live| work| have| speak| like| love| prefer| don't| drink| eat| own| play"
        r"| use)\b.+?))"
                r"(?:,? (?:right|correct|yes|don't you|aren't you|is that (?:right|correct|so)|isn't it))?\?$",
                _I), "I{p}"),
    (re.compile(r"(?:should i|shall i|do you want me to|would you like me to) (?P<p>(?:always|keep (?:my"
        r"|all) (?:answers|replies|responses)).*)\?$", _I),
     "please {p}"),
)  # fmt: skip
_SWAPS: Final = {"you": "me", "your": "my", "yours": "mine", "yourself": "myself", "my": "your", "me": "you"}

_OPEN: Final = (
    (re.compile(r"where (?:do you live|are you (?:based|living|located))", _I), "I live in {a}"),
    (re.compile(r"(?:what(?:'s| is) your (?:full |first )?name|what (?:should|can|may) i call you|who am i (?:talking"
        r"|speaking) (?:to|with))", _I), "my name is {a}"),
    (re.compile(r"(?:where do you work|who do you work for|(?:which|what) company do you work (?:for|at)|who(?:'s"
        r"| is) your employer)", _I), "I work at {a}"),
    (re.compile(r"(?:what do you do(?: for (?:a living|work))?\?|what(?:'s| is) your (?:job|profession|occupation"
        r"|role|job title))", _I), "I work as {a}"),
    (re.compile(r"how old are you", _I), "I am {a}"),
    (re.compile(r"where (?:are you|do you come) (?:originally )?from", _I), "I am from {a}"),
    (re.compile(r"(?:what|which) languages? do you speak", _I), "I speak {a}"),
    (re.compile(r"(?:what are you allergic to|(?:do you have|have you got|are there) any (?:food )?allergies)",
                _I), "I am allergic to {a}"),
    (re.compile(r"how (?:many (?:people|employees)|big is (?:your|the) (?:team|company))", _I), "we have {a}"),
    (re.compile(r"(?:what|when|which|who)(?:'s| is| are) (?:your|the) (?P<w>(?:favou?rite [\w ]{2,30}|time ?zone"
        r"|e-?mail(?: address)?|budget|deadline"
                r"|birthday|phone number|native language|wife's name|husband's name|partner's name|dog's name"
                r"|cat's name|manager|boss|rent))\?", _I),
     "my {w} is {a}"),
    (re.compile(r"what do you prefer|which (?:one )?do you prefer|do you prefer .+ or .+", _I), "I prefer {a}"),
)  # fmt: skip
_FRAGMENT: Final = re.compile(
    r"(?!(?:i|we|my|our|it|it's|that|this|i'm|i've|no|none|not|nothing|what|why|how|you|don't|dont|sure|yes"
    r"|ok)\b)[^?;:]{1,60}$",
    _I,
)
_COMMON_NOUNS: Final = ("I am allergic", "I work as", "I prefer")
"""Sentences whose answer is no name, so that its capital only marks the beginning of the message."""
_FRAGMENT_WORDS: Final = 7
_PREPOSITION: Final = re.compile(r"(?:in|at|for|from|as|on|to|just|only|mostly|currently) ", _I)

_PROPOSAL: Final = re.compile(
    r"(?:(?:so|then|ok|okay|great|therefore|in that case|overall|to sum up|in short)[,:]? )*(?:i(?:'d"
    r"| would)? (?:suggest|recommend|propose|advise)"
    r" (?:that )?(?:we |you )?(?:go(?:ing)? with |us(?:e|ing) )?|let's (?:go with |use )?|we should (?:go with "
    r"|use )?|you should (?:go with |use )?"
    r"|we(?:'ll| will| can) (?:go with |use )|shall we (?:go with |use )?|how about (?:we )?(?:go(?:ing)? with "
    r"|us(?:e|ing) )?|then we (?:go with |use )"
    r"|the (?:decision|conclusion|plan) is (?:to )?(?:go with |use )?|my recommendation is (?:to )?(?:go with "
    r"|use )?)(?P<p>[^?!.:;]{3,120})[?!.]*$",
    _I,
)
_ASSENT: Final = re.compile(
    r"(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|good|fine|agreed|sounds good|sounds great"
    r"|alright)[,.! ]+)*(?:agreed|deal|let's (?:do|go with|use|take) (?:that|it|this)"
    r"|(?:we'll|i'll|we will|i will) (?:do|go with|use|take) (?:that|it|this)|go with (?:that|it|this)"
    r"|that's (?:decided|settled)|decided|settled|it's a deal"
    r"|let's go with .{1,30})[.! ]*",
    _I,
)
_PURPOSE: Final = re.compile(r"\b(?:because|since|so that|as it|which|if)\b.*$", _I)


def as_statement(question: str) -> str | None:
    """A yes-or-no question as the first-person sentence that a Yes makes of it; None for others and for choices."""
    asked = _opened(question)
    if re.search(r"\bor\b", asked, _I):
        return None
    for pattern, form in _YES_NO:
        if found := pattern.match(asked):
            parts = {name: _swapped(text) for name, text in found.groupdict().items()}
            return form.format(**parts).replace("still ", "")
    return None


def completed(question: str, reply: str) -> str | None:
    """An open question with a short answer put into one sentence; None when the reply stands on its own."""
    answer = reply.strip(" .!")
    if len(answer.split()) > _FRAGMENT_WORDS or not _FRAGMENT.match(answer):
        return None
    for pattern, form in _OPEN:
        if found := pattern.search(question):
            value = _PREPOSITION.sub("", answer, count=1) if "my" not in form.split() else answer
            if form.startswith(_COMMON_NOUNS):
                value = f"{value[0].lower()}{value[1:]}"
            return form.format(a=value, **found.groupdict())
    return None


def accepted_proposal(said: Sequence[str], reply: str) -> str | None:
    """What the assistant last proposed, when the reply takes it as decided; None for mere politeness."""
    if not _ASSENT.match(reply.strip()):
        return None
    for sentence in reversed(said):
        if found := _PROPOSAL.match(sentence.strip()):
            return _PURPOSE.sub("", found.group("p")).strip(" ,")
    return None


def _opened(question: str) -> str:
    text = question.strip()
    found = _OPENING.match(text)
    text = text[found.end() :] if found else text
    cut = re.search(r",\s+((?:do|are|have|is) you(?:r)?\b.*)$", text, _I)
    return cut.group(1) if cut and not text.lower().startswith("you") else text


def _swapped(text: str) -> str:
    words = re.split(r"(\b[\w']+\b)", text)
    return "".join(_SWAPS.get(word.lower(), word) for word in words)
