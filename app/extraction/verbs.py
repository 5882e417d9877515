"""English verbs: which forms are past, and how a bare form agrees with a singular subject."""

import re
from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SAME_IN_PAST: Final = _set("quit cut hit hurt shut split spread bet burst cost rid shed wed")
_PAST: Final = _SAME_IN_PAST | _set(
    "was were had did went got made took gave came saw met said told thought felt knew grew drew flew threw blew began"
    " ran swam sang drank rang sank ate wrote rode drove rose chose broke spoke stole woke wore tore swore bore bought"
    " brought caught taught fought sought sold held kept left lost meant paid sent slept spent stood understood won"
    " found built lent bent dealt dreamt learnt heard led fed bled read sat shot slid stuck struck swept wept became"
    " forgot forgave hid bit laid lay fell hung dug spun shook shone overcame withdrew sped fled crept leapt proved"
)
_NOT_PAST: Final = _set("need feed speed seed bleed breed exceed proceed succeed embed heed shed read")
_MODALS: Final = _set(
    "can could will would shall should may might must can't cannot couldn't won't wouldn't shouldn't shan't mustn't"
    " mightn't ought had hadn't did didn't used better"
)
_IRREGULAR: Final = {
    "am": "is",
    "was": "was",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    "go": "goes",
    "wasn't": "wasn't",
    "are": "is",
    "were": "was",
    "aren't": "isn't",
    "be": "be",
}
_SIBILANT: Final = re.compile(r"(?:s|sh|ch|x|z|o)$")
_CONSONANT_Y: Final = re.compile(r"[^aeiou]y$")
ADVERBS: Final = _set(
    "also just never always still really usually often only even ever both almost sometimes recently currently now"
    " already actually finally mostly mainly rather quite probably definitely absolutely totally truly honestly"
    " genuinely rarely seldom no longer either neither normally typically generally especially particularly soon"
    " then sort kind"
)
COMMON: Final = _set(
    "live work like love hate speak prefer enjoy study play teach own drive run have want need use eat drink cook read"
    " write go take make get spend try keep think know feel volunteer sing dance paint travel commute manage lead build"
    " design collect grow raise do see watch listen write sell buy train swim hike bike bake find bring come sit"
    " relax carry wear hold give tell ask meet wake sleep stay attend believe forget remember chill hang explore let"
    " put pay pray lose win learn"
)


_UNPREFIXED: Final = re.compile(
    r"^(?:re|over|under|out|mis)-?(?=(?:wrote|built|made|took|did|ran|slept|sold|thought"
    r"|heard|drew|came"
    r"|read|told|sent|grew|saw|ate|spent|paid|bought|understood|went)$)"
)


def is_past(verb: str) -> bool:
    """Whether `verb` (lower case) is a past form; forms that are the same in the present count as past."""
    return _UNPREFIXED.sub("", verb) in _PAST or verb in _PAST or (verb.endswith("ed") and verb not in _NOT_PAST)


def agree(verb: str) -> str:
    """`verb` as said after I, for a singular third person: am → is, live → lives, lived → lived, can → can."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _MODALS or is_past(lower) or not lower.isalpha():
        return verb
    if _CONSONANT_Y.search(lower):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if _SIBILANT.search(lower) else f"{verb}s"


def is_adverb(word: str) -> bool:
    """Whether `word` may stand between a subject and its verb."""
    lower = word.lower()
    return lower in ADVERBS or (lower.endswith("ly") and lower not in {"fly", "apply", "rely", "reply", "supply"})
