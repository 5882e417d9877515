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
    (re.compile(r"(?:is it true|so is it (?:right|correct)) that you(?:'re| are) (?P<p>.+)\?$", _I), "I am {p}"),
    (re.compile(r"[Ii]s (?P<n>[A-ZÀ-Ý][\w'-]+) your (?P<w>[\w -]+)\?$"), "my {w} is called {n}"),
    (re.compile(r"did you (?P<p>(?:grow up|move|decide|become|quit|stop|leave|get (?:married|divorced|promoted))"
        r" .+)\?$",
                _I), "I {p}"),
    (re.compile(r"have you (?:ever )?(?P<p>(?:got|been|always|lived|worked|studied|had|owned|played)"
        r" .+)\?$", _I), "I have {p}"),
    (re.compile(r"[Ii]s your (?P<w>[\w'-]+(?: [\w'-]+)??) (?P<p>(?:called|named|in|on|based|still|now|an?|the|\d"
        r"|[A-Z]).*)\?$"), "my {w} is {p}"),
    (re.compile(r"you(?:'re| are) (?P<p>.+?)"
                r"(?:,? (?:right|correct|yes|aren't you|is that (?:right|correct|so)|isn't it))?\?$", _I), "I am {p}"),
    (re.compile(r"(?:you(?P<p>(?: live| work| have| speak| like| love| prefer| don't| drink| eat| own| play"
        r"| use)\b.+?))"
                r"(?:,? (?:right|correct|yes|don't you|aren't you|is that (?:right|correct|so)|isn't it))?\?$",
                _I), "I{p}"),
    (re.compile(r"(?:should i|shall i|do you want me to|would you like me to) (?P<p>(?:always|keep (?:my"
        r"|all) (?:answers|replies|responses)).*)\?$", _I),
     "please {p}"),
)  # fmt: skip
_SWAPS: Final = {"you": "me", "your": "my", "yours": "mine", "yourself": "myself", "my": "your", "me": "you"}

_OPEN: Final = (
    (re.compile(r"where (?:do you live|are you (?:based|living|located))|(?:which|what) (?:city|town|country|area"
        r"|region)"
                r" (?:are you|do you live)", _I), "I live in {a}"),
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
    (re.compile(r"where did you grow up|where were you (?:born|raised)", _I), "I grew up in {a}"),
    (re.compile(r"(?:what|which) (?:food|foods|drinks?|things?) do you (?P<w>hate|dislike|avoid|love|like)", _I),
     "I {w} {a}"),
    (re.compile(r"what(?:'s| is) your (?P<w>[\w-]+(?: [\w-]+)?)(?:'s name| called)\?", _I), "my {w} is called {a}"),
    (re.compile(r"what are you studying|what do you study", _I), "I am studying {a}"),
    (re.compile(r"what(?:'s| is) your (?P<w>(?:main )?goal|dream)\?", _I), "my {w} is {a}"),
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
    r"(?:(?:so|then|ok|okay|great|therefore|in that case|overall|to sum up|in short|alright|right)[,:]? )*(?:i(?:'d"
    r"| would)? (?:suggest|recommend|propose|advise)"
    r" (?:that )?(?:we |you )?(?:go(?:ing)? with |us(?:e|ing) )?|let's (?:go with |use )?|we should (?:go with "
    r"|use )?|you should (?:go with |use )?"
    r"|we(?:'ll| will| can) (?:go with |use )|shall we (?:go with |use )?|how about (?:we )?(?:go(?:ing)? with "
    r"|us(?:e|ing) )?|then we (?:go with |use )"
    r"|the (?:decision|conclusion|plan|agreement) is:? (?:to |that we )?(?:go with |use )?"
    r"|my (?:recommendation|suggestion|proposal|advice)(?: is(?: to)?:?|:) (?:go with |use )?"
    r"|(?:it (?:would|might) be|i think it's|it's) (?:best|better|wise) to |(?:the )?best (?:option|choice|approach)"
    r" is (?:to )?"
    r"|i'd (?:go with|opt for|choose|pick) )(?P<p>[^?!.;]{3,200})[?!.]*$",
    _I,
)
_ASSENT: Final = re.compile(
    r"(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|good|fine|agreed|sounds good|sounds great"
    r"|alright)[,.! ]+)*(?:agreed|deal|let's (?:do|go with|use|take) (?:that|it|this)"
    r"|(?:we'll|i'll|we will|i will) (?:do|go with|use|take) (?:that|it|this)|go with (?:that|it|this)"
    r"|that's (?:decided|settled)|decided|settled|it's a deal|(?:that )?works for (?:me|us)|fine by me|i'm in|approved"
    r"|i (?:accept|agree)|(?:i'm|we're) (?:happy|fine) with (?:that|it|this)|we have a plan"
    r"|let's go with .{1,30})[.! ]*",
    _I,
)
_PLAIN_YES: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ok(?:ay)?)(?:,? (?:please|let's|do|thanks|great|good"
    r" idea))*[.! ]*",
    _I,
)
_JOINT: Final = re.compile(r"(?:(?:so|then|ok|okay|great)[,:]? )*(?:shall|should) we\b.*\?$", _I)
"""Proposals that a plain Yes decides."""
_TALK: Final = re.compile(
    r"(?:start|begin|continue|move on|go (?:on|ahead|through|over|back)|look|try|do|discuss|talk|see|review|take a"
    r"|proceed"
    r"|dive|explore|add|fix|write|test|check|run|focus|work|break|walk)\b",
    _I,
)
"""What only steers the talk itself."""
_PURPOSE: Final = re.compile(r"\b(?:because|since|so that|as it|which|if)\b.*$|,? (?:then|instead)$", _I)


def as_statement(question: str) -> str | None:
    """A yes-or-no question as the first-person sentence that a Yes makes of it; None for others and for choices."""
    asked = _opened(question)
    if re.search(r"\bor\b", asked, _I):
        return None
    for pattern, form in _YES_NO:
        if found := pattern.match(asked):
            parts = {name: _swapped(text) for name, text in found.groupdict().items()}
            stated = form.format(**parts).replace("still ", "")
            return _in_past(stated) if asked.lower().startswith("did ") else stated
    return None


_PASTS: Final = {
    "i grow up": "I grew up",
    "i move": "I moved",
    "i decide": "I decided",
    "i become": "I became",
    "i leave": "I left",
    "i get married": "I got married",
    "i get divorced": "I got divorced",
    "i get promoted": "I got promoted",
    "i stop": "I stopped",
}


def _in_past(stated: str) -> str:
    for present, past in _PASTS.items():
        if stated.lower().startswith(present):
            return f"{past}{stated[len(present) :]}"
    return stated


def as_denial(question: str) -> str | None:
    """A question about a habit as the sentence that a No makes of it: "Do you eat meat?" → I don't eat meat."""
    found = _HABITUAL.match(_opened(question))
    return f"I {_DENIALS[found.group('aux').lower()]} {_swapped(found.group('p'))}" if found else None


def named_thing(question: str, reply: str) -> str | None:
    """An answer that names what was asked for: "Do you have any pets?" "Yes, two rabbits." → I have two rabbits."""
    asked, told = _HAVING.search(_opened(question)), _HAD.match(reply)
    return f"I have {told.group('p')}" if asked and told else None


def filled_in(stated: str, reply: str) -> str | None:
    """A confirmed question with what the reply adds to its Yes; None when nothing certain comes of it.

    "Are you allergic to anything?" "Yes, latex." names what the question left open; a mere Yes to it says nothing.
    """
    added = _ADDED.match(reply)
    if _OPEN_THING.search(stated):
        named = added is not None and not _POINTING.search(stated)
        return _OPEN_THING.sub(lambda _: added.group("p"), stated, count=1) if added and named else None
    return f"{stated}: {added.group('p')}" if added else stated


_OPEN_THING: Final = re.compile(r"\b(?:anything|something|anyone|someone|anywhere|any (?:\w+ )?\w+)\b", _I)
_ADDED: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|i do|i am)\b[,.!:–-]* (?!(?:i|we|i'm|i've|my|our|but|please|it|that|this|you|and|of"
    r" course"
    r"|exactly|absolutely|correct|definitely|sure|indeed|thanks?|why|what|how)\b)(?P<p>[^.!?;]{2,80})[.!]*$",
    _I,
)


def is_lasting(stated: str) -> bool:
    """Whether a confirmed question tells something of its speaker that has no slot but is worth a statement."""
    return bool(_LASTING.match(stated)) and not _POINTING.search(stated)


_HABITUAL: Final = re.compile(
    r"(?:and |so )?(?P<aux>do|can) you (?:still |also |usually |ever )?(?P<p>(?:eat|drink|smoke|speak|drive|play|own"
    r"|have"
    r"|like|enjoy|cook|swim|travel|work|use)\b.+)\?$",
    _I,
)
_DENIALS: Final = {"do": "don't", "can": "can't"}
_HAVING: Final = re.compile(
    r"(?:do you have|have you got|are there) (?:any |an? )?(?:pets?|animals|children|kids|siblings|brothers?"
    r"|sisters?|dogs?"
    r"|cats?|grandchildren|hobbies|cars?|bikes?|plants|degrees?|roommates?|flatmates?|jobs?|family)\b",
    _I,
)
_HAD: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure)[,.!]? (?:i have |i do[,:]? )?(?P<p>(?:an?|one|two|three|four|five|six|my|\d+) .+)", _I
)
_LASTING: Final = re.compile(
    r"I (?:don't |can't )?(?:play|own|have (?:an?|any|two|three|lived|worked|studied|owned|played|children|kids|pets"
    r"|siblings)|smoke|drink|drive|eat|cook"
    r"|swim|travel|volunteer|study|speak|live|work|practi[sc]e|grew up|moved|got (?:married|divorced))\b.{3,}|I am"
    r" .{4,}",
    _I,
)
_POINTING: Final = re.compile(
    r"\b(?:this|that|it|these|those|them|here|there|yet|now|today|ready|sure|ok|okay|able|looking|asking|trying"
    r"|interested|referring|using|going|getting|having|talking|thinking|wondering|planning|aware|familiar|done|happy"
    r"|comfortable|certain|error|errors|code|file|question|questions|time|preference|preferences|example|access)\b",
    _I,
)


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
    agreed, yes = bool(_ASSENT.match(reply.strip())), bool(_PLAIN_YES.fullmatch(reply.strip()))
    if not agreed and not yes:
        return None
    for sentence in reversed(said):
        found = _PROPOSAL.match(sentence.strip())
        if found and (agreed or (_JOINT.match(sentence.strip()) and not _TALK.match(found.group("p")))):
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
