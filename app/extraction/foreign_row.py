"""What a row of the tables of other languages is, and the words for people that they share."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_I: Final = re.IGNORECASE
NAME: Final = r"(?P<v>(?-i:[A-ZÀ-Ý])[\w'.-]*(?: (?-i:[A-ZÀ-Ý])[\w'.-]*){0,3})"
PLACE: Final = r"(?P<v>(?-i:[A-ZÀ-Ý])[\w' .-]*?)"
_END: Final = r"\s*$"


@dataclass(frozen=True, slots=True)
class ForeignRow:
    """One way to say a slot in one language. `sentence` is filled with the subject, the value and the role's word."""

    key: str
    pattern: re.Pattern[str]
    sentence: str
    denies: bool = False
    longest: int = 60
    roles: Mapping[str, str] = field(default_factory=dict[str, str])


DE_PETS: Final = {"Hund": "dog", "Hündin": "dog", "Katze": "cat", "Kater": "cat", "Hase": "rabbit", "Pferd": "horse"}
ES_PETS: Final = {"perro": "dog", "perra": "dog", "gato": "cat", "gata": "cat", "conejo": "rabbit", "caballo": "horse"}
FR_PETS: Final = {
    "chien": "dog",
    "chienne": "dog",
    "chat": "cat",
    "chatte": "cat",
    "lapin": "rabbit",
    "cheval": "horse",
}
ZH_PETS: Final = {"狗": "dog", "小狗": "dog", "猫": "cat", "小猫": "cat", "兔子": "rabbit"}


def row(
    key: str, pattern: str, sentence: str, *, denies: bool = False, roles: Mapping[str, str] | None = None
) -> ForeignRow:
    """A row whose pattern ignores case and must match a clause to its end."""
    return ForeignRow(key, re.compile(pattern + _END, _I), sentence, denies, roles=roles or {})


DE_ROLES: Final = {
    "Frau": "wife",
    "Mann": "husband",
    "Mutter": "mother",
    "Vater": "father",
    "Schwester": "sister",
    "Bruder": "brother",
    "Tochter": "daughter",
    "Sohn": "son",
    "Freundin": "girlfriend",
    "Freund": "boyfriend",
    "Chef": "boss",
    "Chefin": "boss",
    "Partner": "partner",
    "Partnerin": "partner",
    "Kollege": "colleague",
    "Kollegin": "colleague",
}
ES_ROLES: Final = {
    "esposa": "wife",
    "mujer": "wife",
    "marido": "husband",
    "esposo": "husband",
    "madre": "mother",
    "padre": "father",
    "hermana": "sister",
    "hermano": "brother",
    "hija": "daughter",
    "hijo": "son",
    "novia": "girlfriend",
    "novio": "boyfriend",
    "jefe": "boss",
    "jefa": "boss",
    "pareja": "partner",
}
FR_ROLES: Final = {
    "femme": "wife",
    "mari": "husband",
    "mère": "mother",
    "père": "father",
    "sœur": "sister",
    "soeur": "sister",
    "frère": "brother",
    "fille": "daughter",
    "fils": "son",
    "copine": "girlfriend",
    "copain": "boyfriend",
    "chef": "boss",
    "patron": "boss",
    "patronne": "boss",
}
ZH_ROLES: Final = {
    **dict.fromkeys(("表哥", "表姐", "表弟", "表妹", "堂哥", "堂姐", "堂弟", "堂妹"), "cousin"),
    **dict.fromkeys(("舅舅", "叔叔", "伯伯", "姑父", "姨父"), "uncle"),
    **dict.fromkeys(("舅妈", "婶婶", "姑姑", "阿姨", "姨妈", "伯母"), "aunt"),
    **dict.fromkeys(("爷爷", "外公", "姥爷"), "grandfather"),
    **dict.fromkeys(("奶奶", "外婆", "姥姥"), "grandmother"),
    **dict.fromkeys(("侄子", "外甥"), "nephew"),
    **dict.fromkeys(("侄女", "外甥女"), "niece"),
    "妻子": "wife",
    "老婆": "wife",
    "丈夫": "husband",
    "老公": "husband",
    "妈妈": "mother",
    "母亲": "mother",
    "爸爸": "father",
    "父亲": "father",
    "姐姐": "sister",
    "妹妹": "sister",
    "哥哥": "brother",
    "弟弟": "brother",
    "女儿": "daughter",
    "儿子": "son",
    "上司": "boss",
    "老板": "boss",
    "经理": "manager",
    "同事": "colleague",
    "朋友": "friend",
    "女朋友": "girlfriend",
    "男朋友": "boyfriend",
    "下属": "subordinate",
    "邻居": "neighbour",
}


def any_of(roles: Mapping[str, str]) -> str:
    """The pattern of one of `roles`, the longest first, as the group `r`."""
    return "(?P<r>" + "|".join(sorted(roles, key=len, reverse=True)) + ")"
