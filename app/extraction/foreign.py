"""Sentences in other languages than English: the commonest slots of four of them, and statements in all.

Nothing is ever translated: a statement stays as it was said, with the speaker's name before it where one is known, and
the sentences made for slots are in the speaker's language.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.domain.memories import MAX_STATEMENT_CHARACTERS, MemoryType, Polarity
from app.domain.slots import slot_for
from app.extraction.drafts import SLOT_CONFIDENCE, STATEMENT_CONFIDENCE, Draft, Origin, draft
from app.extraction.foreign_dates import find_foreign_times
from app.extraction.foreign_row import ForeignRow
from app.extraction.foreign_slots import CASES, LEADS, SUBJECTS, TABLES
from app.extraction.normalise import Sentence
from app.extraction.slot_wording import importance_of

_I: Final = re.IGNORECASE
_OWN: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "de": re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|unser\w*|uns)\b", _I),
        "es": re.compile(
            r"\b(?:yo|mi|mis|me|nos|nuestr\w+|soy|estoy|tengo|vivo|trabajo|fui|voy|hice|compré|quiero|\w+é|\w+amos"
            r"|\w+imos)\b",
            _I,
        ),
        "fr": re.compile(r"(?:\b(?:je|mon|ma|mes|moi|nous|notre|nos|on)\b|\bj'|\bm')", _I),
        "it": re.compile(r"\b(?:io|mio|mia|miei|mie|mi|noi|nostr\w+|sono|ho|vivo|lavoro)\b", _I),
        "pt": re.compile(r"\b(?:eu|meu|minha|meus|minhas|me|nós|noss\w+|sou|estou|tenho|moro)\b", _I),
        "nl": re.compile(r"\b(?:ik|mijn|me|mij|wij|we|ons|onze)\b", _I),
        "zh": re.compile("[我咱]"),
        "ja": re.compile("(?:私|僕|俺|わたし|うち)"),
        "ko": re.compile("(?:나|저|내|제|우리)"),
        "ru": re.compile(r"\b(?:я|мой|моя|моё|мои|мне|меня|мы|наш\w*|нас)\b", _I),
        "uk": re.compile(r"\b(?:я|мій|моя|моє|мої|мені|мене|ми|наш\w*)\b", _I),
        "ar": re.compile(r"(?:أنا|\w+ي\b|نحن|\w+نا\b)"),
        "hi": re.compile("(?:मैं|मेरा|मेरी|मेरे|मुझे|हम)"),
        "he": re.compile("(?:אני|שלי|אנחנו|שלנו)"),
        "el": re.compile(r"\b(?:εγώ|μου|μας|εμείς|είμαι|έχω|μένω)\b", _I),
        "th": re.compile("(?:ผม|ฉัน|ดิฉัน|เรา)"),
    }
)
_NO_STATEMENT: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "de": re.compile(
            r"(?:wer|was|wie|wo|wann|warum|welche\w*|kannst|können|könntest|würdest|bitte|danke|hallo|guten|ja\b"
            r"|nein\b|ok|super|toll|wenn"
            r"|falls|angenommen|stell dir|vielleicht|ich (?:glaube|denke|weiß|meine|verstehe|hätte|würde|könnte"
            r"|frage)|schreib|übersetz"
            r"|erklär|zeig|mach|gib|hilf|fasse|das (?:ist|war|klingt|hilft)|hast du|bist du|ist (?:das|es)|mir geht)\b",
            _I,
        ),
        "es": re.compile(
            r"(?:¿|quién|qué|cómo|dónde|cuándo|por qué|cuál|puedes|podrías|por favor|gracias|hola|buen[oa]s|sí\b"
            r"|no\b[,.!]|vale|si\b|imagina"
            r"|quizás|tal vez|creo|pienso|no sé|escribe|traduce|explica|dame|ayúda|haz|eso (?:es|suena)|estoy bien)",
            _I,
        ),
        "fr": re.compile(
            r"(?:qui|que|quoi|comment|où|quand|pourquoi|quel\w*|peux-tu|pouvez|pourrais|s'il (?:te|vous)|merci"
            r"|bonjour|salut|oui\b|non\b|d'accord"
            r"|si\b|imagine|peut-être|je (?:crois|pense|ne sais|voudrais savoir|comprends)|écris|traduis|explique"
            r"|donne|aide|fais|c'est|est-ce|ça va)",
            _I,
        ),
        "zh": re.compile(
            "(?:你|您|请|谢谢|如果|假如|要是|也许|可能|好的|是的|对|嗯|哈|你好|帮|能不能|可以|怎么|什么|为什么|谁|哪"
            "|我(?:觉得|想知道|不知道|明白|认为|猜))"
        ),
    }
)
_ASKS: Final = re.compile(r"[?？]\s*$|吗[。!！]?$|か。?$")
_SPACELESS: Final = frozenset({"zh", "ja", "th"})
_ATTRIBUTED: Final = re.compile("[^，。你您它]{2,20}的[^，。你您]{1,10}(?:是|为|在)")
"""Says what something named is like: the place, the time, the size of it."""
_LEAST_ATTRIBUTED: Final = 8
_LEAST: Final = 4
_LEAST_SPACELESS: Final = 6


def read_foreign(sentence: Sentence, origin: Origin) -> list[Draft]:
    """What `sentence` says of its speaker: its slots, else a statement as it stands; nothing when it asks or chats."""
    text = sentence.text.strip()
    if sentence.asks or _ASKS.search(text) or text[:1] in "\"'«„“”":
        return []
    bare = _bare(text, origin.language)
    found = _slots(bare, origin)
    return found + _statement(text, bare, origin) if not found or _says_more(bare, origin.language) else found


def _bare(text: str, language: str) -> str:
    lead = LEADS.get(language)
    match = lead.match(text) if lead else None
    return (text[match.end() :] if match else text).strip().rstrip(".!。！ ")


def _slots(text: str, origin: Origin) -> list[Draft]:
    found: list[Draft] = []
    for part in _parts(text, origin.language):
        matched = _match(part, origin.language)
        found.extend(_of_row(*matched, origin) if matched else ())
    return found


def _match(part: str, language: str) -> tuple[ForeignRow, re.Match[str]] | None:
    """The first row that knows `part`, whole or without what trails behind it."""
    for wording in dict.fromkeys((part, _trimmed(part, language))):
        for row in TABLES.get(language, ()):
            if (match := row.pattern.match(wording)) and _value(row, match, language):
                return row, match
    return None


def _says_more(text: str, language: str) -> bool:
    """Whether `text` tells something besides its slots, so that the statement is worth keeping beside them."""
    for part in _parts(text, language):
        matched = _match(part, language)
        told = (matched[1].groupdict().get("rest") or "") if matched else part
        if len(told) >= _LEAST_FURTHER if language in _SPACELESS else len(told.split()) >= _LEAST_FURTHER_WORDS:
            return True
    return False


_LEAST_FURTHER: Final = 6
_LEAST_FURTHER_WORDS: Final = 3


_BREAKS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "zh": re.compile("[，,；;]"),
        "de": re.compile(
            r",\s+(?=ich\b|mein)|\s+und\s+(?=(?:ich|mein\w*|wohne|lebe|arbeite|bin|komme|spreche|mag)\b)", _I
        ),
        "es": re.compile(r",\s+|\s+y\s+(?=(?:yo|mi|mis|me|vivo|trabajo|tengo|soy|no me)\b)", _I),
        "fr": re.compile(r",\s+(?=je\b|j'|mon\b|ma\b)|\s+et\s+(?=(?:je|mon|ma)\b|j')", _I),
    }
)
_ELIDED: Final = re.compile(r"(?:wohne|lebe|arbeite|bin|komme|spreche|mag)\b", _I)


def _parts(text: str, language: str) -> list[str]:
    """The clauses: cut where a conjunction or comma begins another one of the speaker's."""
    breaks = _BREAKS.get(language)
    parts = breaks.split(text) if breaks else [text]
    return [f"ich {part}" if language == "de" and _ELIDED.match(part) else part for part in parts if part]


def _value(row: ForeignRow, match: re.Match[str], language: str) -> str | None:
    value = _trimmed(match.group("v").strip(), language)
    return value if value and len(value) <= row.longest else None


def _of_row(row: ForeignRow, match: re.Match[str], origin: Origin) -> list[Draft]:
    groups = {name: text.strip() for name, text in match.groupdict().items() if text}
    value = groups["v"] = _value(row, match, origin.language) or ""
    key = row.key.replace("{r}", row.roles.get(groups.get("r", ""), "")) if "{r}" in row.key else row.key
    slot = slot_for(key)
    if slot is None:
        return []
    content = _worded(row, groups, origin)
    return [
        draft(
            origin,
            content,
            kind=slot.type,
            confidence=SLOT_CONFIDENCE,
            importance=importance_of(key),
            rank=10.0 + importance_of(key),
            key=key,
            value=value,
            polarity=Polarity.NEGATIVE if row.denies else Polarity.POSITIVE,
        )
    ]


_TAILS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "de": re.compile(r",? (?:seit|vor|und (?:ich|er|sie|das)|aber|weil|da|denn|wo|die|der|das|übrigens)\b.*$", _I),
        "es": re.compile(r",? (?:desde|hace|y (?:yo|me|mi|él|ella|es)|pero|porque|donde|que|en (?:enero|febrero"
        r"|marzo|abril"
                         r"|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|\d{4}))\b.*$", _I),
        "fr": re.compile(r",? (?:depuis|et (?:je|il|elle|mon|ma)|mais|parce|car|où|qui|en \d{4}|il y a)\b.*$", _I),
    }
)  # fmt: skip
"""What goes on behind a value: since when, why, what else."""


def _trimmed(value: str, language: str) -> str:
    tail = _TAILS.get(language)
    return (tail.sub("", value) if tail else value).strip(" ,;")


def _worded(row: ForeignRow, groups: Mapping[str, str], origin: Origin) -> str:
    speaker, (whose, whom, his, him) = origin.said.speaker, CASES[origin.language]
    return row.sentence.format(
        s=speaker or SUBJECTS[origin.language],
        g=whose.format(n=speaker) if speaker else his,
        d=whom.format(n=speaker) if speaker else him,
        v=groups["v"],
        r=groups.get("r", ""),
    )


def _statement(text: str, bare: str, origin: Origin) -> list[Draft]:
    if not _is_salient(text, bare, origin.language):
        return []
    content = _told(text, origin)
    times = find_foreign_times(text, origin.said_on, origin.language)
    return [
        draft(
            origin,
            content,
            kind=MemoryType.FACT,
            confidence=STATEMENT_CONFIDENCE,
            importance=3,
            rank=2.0 + (0.5 if times else 0.0),
            times=times,
            refused="too long" if len(content) > MAX_STATEMENT_CHARACTERS else None,
        )
    ]


def _is_salient(text: str, bare: str, language: str) -> bool:
    long_enough = len(bare) >= _LEAST_SPACELESS if language in _SPACELESS else len(bare.split()) >= _LEAST
    chatter = _NO_STATEMENT.get(language)
    if not long_enough or (chatter and chatter.match(bare)):
        return False
    if language == "zh" and len(bare) >= _LEAST_ATTRIBUTED and _ATTRIBUTED.match(bare):
        return True
    own = _OWN.get(language)
    return own is None or bool(own.search(text))


def _told(text: str, origin: Origin) -> str:
    """The sentence as said; in Chinese, where it is safe, about its speaker; else with the speaker's name before it."""
    if origin.language == "zh":
        return re.sub("我(?!们)", origin.said.speaker or SUBJECTS["zh"], text, count=1)
    return f"{origin.said.speaker}: {text}" if origin.said.speaker else text
