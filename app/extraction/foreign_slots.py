"""The commonest slots in German, Spanish, French and Chinese: how they are said, and the sentence made of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

_I: Final = re.IGNORECASE
_NAME: Final = r"(?P<v>(?-i:[A-ZÀ-Ý])[\w'.-]*(?: (?-i:[A-ZÀ-Ý])[\w'.-]*){0,3})"
_PLACE: Final = r"(?P<v>(?-i:[A-ZÀ-Ý])[\w' .-]*?)"
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


def _row(
    key: str, pattern: str, sentence: str, *, denies: bool = False, roles: Mapping[str, str] | None = None
) -> ForeignRow:
    return ForeignRow(key, re.compile(pattern + _END, _I), sentence, denies, roles=roles or {})


SUBJECTS: Final[Mapping[str, str]] = MappingProxyType(
    {"de": "Der Nutzer", "es": "El usuario", "fr": "L'utilisateur", "zh": "用户"}
)
"""How the speaker is called in each language when no name is known."""

CASES: Final[Mapping[str, tuple[str, str, str, str]]] = MappingProxyType(
    {
        "de": ("von {n}", "{n}", "des Nutzers", "dem Nutzer"),
        "es": ("de {n}", "A {n}", "del usuario", "Al usuario"),
        "fr": ("de {n}", "à {n}", "de l'utilisateur", "à l'utilisateur"),
        "zh": ("{n}的", "{n}", "用户的", "用户"),
    }
)
"""Whose and to whom, for a named speaker and for an unnamed one."""

LEADS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "de": re.compile(r"(?:(?:hallo|hi|hey|also|übrigens|ok|ja|nein|danke|und|aber)[,!. ]+)+", _I),
        "es": re.compile(r"(?:(?:hola|bueno|por cierto|ok|sí|gracias|y|pero)[,!. ]+)+", _I),
        "fr": re.compile(r"(?:(?:bonjour|salut|alors|au fait|ok|oui|merci|et|mais)[,!. ]+)+", _I),
        "zh": re.compile("(?:你好|嗨|那个|对了|顺便说一下|其实)[，,!！。 ]*"),
    }
)
"""What only opens a turn."""

_DE_ROLES: Final = {
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
_ES_ROLES: Final = {
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
_FR_ROLES: Final = {
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
_ZH_ROLES: Final = {
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


def _any(roles: Mapping[str, str]) -> str:
    return "(?P<r>" + "|".join(sorted(roles, key=len, reverse=True)) + ")"


_GERMAN: Final = (
    _row("profile.name", rf"(?:ich heiße|mein name ist) {_NAME}", "{s} heißt {v}."),
    _row(
        "profile.location",
        rf"ich (?:wohne|lebe)(?: jetzt| seit \w+(?: \w+)?| derzeit)? in {_PLACE}",
        "{s} wohnt in {v}.",
    ),
    _row("profile.location", rf"ich bin (?:\w+ ){{0,3}}?nach {_PLACE} (?:gezogen|umgezogen)", "{s} wohnt in {v}."),
    _row(
        "profile.employer",
        rf"ich arbeite(?: jetzt| derzeit| seit \w+(?: \w+)?)? (?:bei|für) (?:der |dem )?{_PLACE}",
        "{s} arbeitet bei {v}.",
    ),
    _row(
        "profile.occupation",
        r"ich (?:arbeite als|bin (?=\w+(?:er|erin|in|ist|istin|ant|arzt|ärztin"
        r"|ingenieur)$)) ?(?:ein |eine )?(?P<v>[\w-]+)",
        "{s} ist von Beruf {v}.",
    ),
    _row("profile.origin", rf"ich (?:komme|stamme)(?: ursprünglich)? aus (?:der |dem )?{_PLACE}", "{s} kommt aus {v}."),
    _row("profile.age", r"ich bin (?P<v>\d{1,3})(?: jahre alt)?", "{s} ist {v} Jahre alt."),
    _row("health.allergy", r"ich bin allergisch gegen (?P<v>.+)", "{s} ist allergisch gegen {v}."),
    _row("diet.kind", r"ich bin (?P<v>vegetarier(?:in)?|veganer(?:in)?|vegetarisch|vegan)", "{s} ist {v}."),
    _row("profile.language", r"ich spreche (?P<v>[A-ZÄÖÜ]\w+)", "{s} spricht {v}."),
    _row(
        "preference.dislike",
        r"ich mag (?=.*\bkein|.* nicht$)(?:kein(?:e|en)? )?(?P<v>.+?)(?: nicht)?",
        "{s} mag {v} nicht.",
    ),
    _row("preference.dislike", r"ich (?:hasse|verabscheue) (?P<v>.+)", "{s} hasst {v}."),
    _row(
        "preference.like",
        r"ich (?:mag|liebe)(?: sehr)? (?P<v>(?!es\b|das\b|dich\b|deine?\b"
        r"|kein).+?)(?: (?:sehr )?gerne?)?",
        "{s} mag {v}.",
    ),
    _row("relation.{r}.name", rf"mein[e]? {_any(_DE_ROLES)} heißt {_NAME}", "{r} {g}: {v}.", roles=_DE_ROLES),
)
_SPANISH: Final = (
    _row("profile.name", rf"(?:me llamo|mi nombre es) {_NAME}", "{s} se llama {v}."),
    _row("profile.location", rf"(?:yo )?(?:vivo|resido)(?: ahora| actualmente)? en {_PLACE}", "{s} vive en {v}."),
    _row("profile.location", rf"me (?:mudé|he mudado) a {_PLACE}", "{s} vive en {v}."),
    _row("profile.employer", rf"(?:yo )?trabajo(?: ahora)? (?:en|para) {_PLACE}", "{s} trabaja en {v}."),
    _row("profile.occupation", r"(?:yo )?trabajo (?:como|de) (?P<v>[\w ]+)", "{s} trabaja como {v}."),
    _row("profile.origin", rf"(?:yo )?soy de {_PLACE}", "{s} es de {v}."),
    _row("profile.age", r"tengo (?P<v>\d{1,3}) años", "{s} tiene {v} años."),
    _row("health.allergy", r"soy alérgic[oa] (?:a la |a las |a los |al |a )(?P<v>.+)", "{s} tiene alergia: {v}."),
    _row("diet.kind", r"soy (?P<v>vegetarian[oa]|vegan[oa])", "{s} sigue una dieta: {v}."),
    _row("preference.dislike", r"(?:no me gustan?|odio|detesto) (?P<v>(?!eso\b|esto\b).+)", "{d} no le gusta: {v}."),
    _row(
        "preference.like",
        r"(?:me gustan?|me encantan?) (?:mucho )?(?P<v>(?!eso\b|esto\b|tu\b|que\b).+)",
        "{d} le gusta: {v}.",
    ),
    _row("relation.{r}.name", rf"mi {_any(_ES_ROLES)} se llama {_NAME}", "{r} {g}: {v}.", roles=_ES_ROLES),
)
_FRENCH: Final = (
    _row("profile.name", rf"(?:je m'appelle|mon nom est) {_NAME}", "{s} s'appelle {v}."),
    _row(
        "profile.location",
        rf"(?:j'habite|je vis|je réside)(?: maintenant)? (?:à|en|au|aux) {_PLACE}",
        "{s} habite à {v}.",
    ),
    _row("profile.location", rf"j'ai déménagé (?:à|en|au) {_PLACE}", "{s} habite à {v}."),
    _row("profile.employer", rf"je travaille(?: maintenant)? (?:chez|pour) {_PLACE}", "{s} travaille chez {v}."),
    _row("profile.occupation", r"je travaille comme (?P<v>[\w ]+)", "{s} travaille comme {v}."),
    _row("profile.origin", rf"je viens (?:de |du |des |d')(?:la )?{_PLACE}", "{s} vient de {v}."),
    _row("profile.age", r"j'ai (?P<v>\d{1,3}) ans", "{s} a {v} ans."),
    _row("health.allergy", r"je suis allergique (?:à la |à l'|aux |au |à )(?P<v>.+)", "{s} est allergique : {v}."),
    _row("diet.kind", r"je suis (?P<v>végétarienn?e?|végane?|végétalienn?e?)", "{s} est {v}."),
    _row(
        "preference.dislike",
        r"(?:je n'aime pas|je déteste) (?:le |la |les |l')?(?P<v>(?!ça\b).+)",
        "{s} n'aime pas : {v}.",
    ),
    _row(
        "preference.like",
        r"(?:j'aime|j'adore) (?:beaucoup |bien )?(?:le |la |les |l')?(?P<v>(?!ça\b|bien\b).+)",
        "{s} aime : {v}.",
    ),
    _row(
        "relation.{r}.name",
        rf"(?:mon|ma) {_any(_FR_ROLES)} s'appelle {_NAME}",
        "La personne « {r} » de {s} s'appelle {v}.",
        roles=_FR_ROLES,
    ),
)
_CHINESE: Final = (
    _row(
        "profile.name",
        "(?:我叫|我的名字(?:是|叫)"
        "|我是(?=[^是]{2,4}$)(?=[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]))"
        r"(?P<v>[\u4e00-\u9fff·A-Za-z]{2,12})",
        "{s}叫{v}。",
    ),
    _row(
        "profile.location",
        r"我(?:现在|目前)?(?:住在|居住在|定居在|搬到了?|搬去了?)(?P<v>[\u4e00-\u9fff]{2,15}?)(?:了)?",
        "{s}住在{v}。",
    ),
    _row(
        "profile.employer",
        r"我(?:现在|目前)?在(?P<v>[\u4e00-\u9fffA-Za-z0-9]{2,20}?)(?:工作|上班)(?:了)?",
        "{s}在{v}工作。",
    ),
    _row(
        "profile.occupation",
        r"我(?:的职业是|的工作是|是(?:一名|一个|个|名))(?P<v>[\u4e00-\u9fffA-Za-z]{2,15})",
        "{s}的职业是{v}。",
    ),
    _row(
        "profile.origin",
        r"我(?:来自|老家(?:是|在)|是(?=[\u4e00-\u9fff]{2,8}人$))(?P<v>[\u4e00-\u9fff]{2,12}?)(?:人)?",
        "{s}来自{v}。",
    ),
    _row("profile.age", r"我今?年?(?P<v>\d{1,3})岁(?:了)?", "{s}{v}岁。"),
    _row("health.allergy", r"我对(?P<v>[\u4e00-\u9fff]{1,10})过敏", "{s}对{v}过敏。"),
    _row("diet.kind", "我(?:是)?(?P<v>素食主义者|素食者|吃素)", "{s}的饮食：{v}。"),
    _row("preference.dislike", r"我(?:很|特别|最)?(?:不喜欢|讨厌|不爱)(?P<v>[^，。！？你]{1,25})", "{s}不喜欢{v}。"),
    _row(
        "preference.like", r"我(?:很|非常|特别|最|也)?(?:喜欢|喜爱|热爱|爱)(?P<v>[^，。！？你]{1,25})", "{s}喜欢{v}。"
    ),
    _row(
        "relation.{r}.name",
        rf"我的?{_any(_ZH_ROLES)}(?:的名字)?(?:叫|是叫|名叫)(?:做)?(?P<v>[\u4e00-\u9fff·A-Za-z]{{2,12}})",
        "{s}的{r}叫{v}。",
        roles=_ZH_ROLES,
    ),
)

TABLES: Final[Mapping[str, tuple[ForeignRow, ...]]] = MappingProxyType(
    {"de": _GERMAN, "es": _SPANISH, "fr": _FRENCH, "zh": _CHINESE}
)
