"""Which language a text is written in: by script, then by its commonest words."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

DEFAULT: Final = "en"

_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("uk", re.compile(r"[іїєґ]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
)
_ENGLISH: Final = (
    "no yes the and is are was were i i'm my you your of to in it that this with for have has not do does don't we"
    " our they"
    " be been but so at on as from what how can will would just about me a an am like live work"
)
_GERMAN: Final = (
    "der die das und ist sind war ich mein meine meinen meiner du dein sie wir nicht mit für auf ein eine einen einem"
    " zu den dem von im am es auch habe hat bin wie was aber oder seit bei nach wohne arbeite heiße mag wurde kein"
    " keine gerne dass immer in als um durch ihr uns unser unsere nur noch schon mehr sehr ganz wenn weil haben hatte"
    " werden wird arbeitet wohnt lebt heißt esse trinke überhaupt vor dann"
)
_SPANISH: Final = (
    "el la los las y es son era yo mi mis tu no con para en un una de que me gusta soy estoy tengo vivo trabajo pero"
    " por como muy se lo al del llamo desde hace nos mucho ya más nuestra nuestro hermana hermano vive trabaja fue hay"
    " cuando donde en también"
)
_FRENCH: Final = (
    "le la les et est sont était je j'ai j'aime j'habite mon ma mes tu ne pas avec pour dans un une des du de que me"
    " suis il elle nous vous mais ou très au chez depuis travaille m'appelle c'est aussi notre cette où habite"
    " s'appelle"
    " n'aime femme mari sœur frère à"
)
_ITALIAN: Final = (
    "il lo la gli e è sono io mio mia non con per in un una di che mi piace ho vivo lavoro ma da come molto"
)
_PORTUGUESE: Final = (
    "o os as e é são eu meu minha não com para em um uma de que me gosto sou estou tenho moro mas muito"
)
_DUTCH: Final = "de het en is zijn was ik mijn niet met voor op een van dat ook heb ben woon werk maar naar bij graag"

_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        code: frozenset(words.split())
        for code, words in (
            ("en", _ENGLISH),
            ("de", _GERMAN),
            ("es", _SPANISH),
            ("fr", _FRENCH),
            ("it", _ITALIAN),
            ("pt", _PORTUGUESE),
            ("nl", _DUTCH),
        )
    }
)
_CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        word: tuple(code for code, known in _WORDS.items() if word in known)
        for words in _WORDS.values()
        for word in words
    }
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SAMPLE: Final = 2000
_FEW: Final = 3


def language_of(text: str, fallback: str = DEFAULT) -> str:
    """The ISO 639-1 code of `text`, read from its first 2,000 characters; `fallback` when they do not tell."""
    sample = text[:_SAMPLE].casefold().replace("’", "'")
    letters = sum(character.isalpha() for character in sample)
    for code, script in _SCRIPTS:
        if len(script.findall(sample)) * 4 > letters > 0:
            return code
    counts = Counter(dict.fromkeys(_WORDS, 0))
    for word in _WORD.findall(sample):
        counts.update(_CODES.get(word, ()))
    best = max(counts, key=lambda code: counts[code])
    rivals = [code for code, count in counts.items() if count == counts[best]]
    if counts[best] == 0 or (len(rivals) > 1 and fallback in rivals):
        return fallback
    return best


def language_among(text: str, others: Iterable[str]) -> str:
    """The language of `text`; when it is too short to tell, that of the other texts beside it."""
    if len(_WORD.findall(text)) > _FEW:
        return language_of(text)
    return language_of(text, fallback=language_of(" ".join(others)))
