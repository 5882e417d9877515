"""The commonest slots in German, Spanish, French and Chinese: how they are said, and the sentence made of them."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.extraction.foreign_row import DE_ROLES, ES_ROLES, FR_ROLES, NAME, PLACE, ZH_ROLES, ForeignRow, any_of, row
from app.extraction.foreign_slots_more import MORE

_I: Final = re.IGNORECASE

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

_GERMAN: Final = (
    row("profile.name", rf"(?:ich heiße|mein name ist) {NAME}", "{s} heißt {v}."),
    row(
        "profile.location",
        rf"ich (?:wohne|lebe)(?: jetzt| seit \w+(?: \w+)?| derzeit)? in {PLACE}",
        "{s} wohnt in {v}.",
    ),
    row("profile.location", rf"ich bin (?:\w+ ){{0,3}}?nach {PLACE} (?:gezogen|umgezogen)", "{s} wohnt in {v}."),
    row(
        "profile.employer",
        rf"ich arbeite(?: jetzt| derzeit| seit \w+(?: \w+)?)? (?:bei|für) (?:der |dem )?{PLACE}",
        "{s} arbeitet bei {v}.",
    ),
    row(
        "profile.occupation",
        r"ich (?:arbeite als|bin (?=\w+(?:er|erin|in|ist|istin|ant|arzt|ärztin"
        r"|ingenieur)$)) ?(?:ein |eine )?(?P<v>[\w-]+)",
        "{s} ist von Beruf {v}.",
    ),
    row("profile.origin", rf"ich (?:komme|stamme)(?: ursprünglich)? aus (?:der |dem )?{PLACE}", "{s} kommt aus {v}."),
    row("profile.age", r"ich bin (?P<v>\d{1,3})(?: jahre alt)?", "{s} ist {v} Jahre alt."),
    row("health.allergy", r"ich bin allergisch gegen (?P<v>.+)", "{s} ist allergisch gegen {v}."),
    row("diet.kind", r"ich bin (?P<v>vegetarier(?:in)?|veganer(?:in)?|vegetarisch|vegan)", "{s} ist {v}."),
    row("profile.language", r"ich spreche (?P<v>[A-ZÄÖÜ]\w+)", "{s} spricht {v}."),
    row(
        "preference.dislike",
        r"ich mag (?=.*\bkein|.* nicht$)(?:kein(?:e|en)? )?(?P<v>.+?)(?: nicht)?",
        "{s} mag {v} nicht.",
    ),
    row("preference.dislike", r"ich (?:hasse|verabscheue) (?P<v>.+)", "{s} hasst {v}."),
    row(
        "preference.like",
        r"ich (?:mag|liebe)(?: sehr)? (?P<v>(?!es\b|das\b|dich\b|deine?\b"
        r"|kein).+?)(?: (?:sehr )?gerne?)?",
        "{s} mag {v}.",
    ),
    row("relation.{r}.name", rf"mein[e]? {any_of(DE_ROLES)} heißt {NAME}", "{r} {g}: {v}.", roles=DE_ROLES),
)
_SPANISH: Final = (
    row("profile.name", rf"(?:me llamo|mi nombre es) {NAME}", "{s} se llama {v}."),
    row("profile.location", rf"(?:yo )?(?:vivo|resido)(?: ahora| actualmente)? en {PLACE}", "{s} vive en {v}."),
    row("profile.location", rf"me (?:mudé|he mudado) a {PLACE}", "{s} vive en {v}."),
    row("profile.employer", rf"(?:yo )?trabajo(?: ahora)? (?:en|para) {PLACE}", "{s} trabaja en {v}."),
    row("profile.occupation", r"(?:yo )?trabajo (?:como|de) (?P<v>[\w ]+)", "{s} trabaja como {v}."),
    row("profile.origin", rf"(?:yo )?soy de {PLACE}", "{s} es de {v}."),
    row("profile.age", r"tengo (?P<v>\d{1,3}) años", "{s} tiene {v} años."),
    row("health.allergy", r"soy alérgic[oa] (?:a la |a las |a los |al |a )(?P<v>.+)", "{s} tiene alergia: {v}."),
    row("diet.kind", r"soy (?P<v>vegetarian[oa]|vegan[oa])", "{s} sigue una dieta: {v}."),
    row("preference.dislike", r"(?:no me gustan?|odio|detesto) (?P<v>(?!eso\b|esto\b).+)", "{d} no le gusta: {v}."),
    row(
        "preference.like",
        r"(?:me gustan?|me encantan?) (?:mucho )?(?P<v>(?!eso\b|esto\b|tu\b|que\b).+)",
        "{d} le gusta: {v}.",
    ),
    row("relation.{r}.name", rf"mi {any_of(ES_ROLES)} se llama {NAME}", "{r} {g}: {v}.", roles=ES_ROLES),
)
_FRENCH: Final = (
    row("profile.name", rf"(?:je m'appelle|mon nom est) {NAME}", "{s} s'appelle {v}."),
    row(
        "profile.location",
        rf"(?:j'habite|je vis|je réside)(?: maintenant)? (?:à|en|au|aux) {PLACE}",
        "{s} habite à {v}.",
    ),
    row("profile.location", rf"j'ai déménagé (?:à|en|au) {PLACE}", "{s} habite à {v}."),
    row("profile.employer", rf"je travaille(?: maintenant)? (?:chez|pour) {PLACE}", "{s} travaille chez {v}."),
    row("profile.occupation", r"je travaille comme (?P<v>[\w ]+)", "{s} travaille comme {v}."),
    row("profile.origin", rf"je viens (?:de |du |des |d')(?:la )?{PLACE}", "{s} vient de {v}."),
    row("profile.age", r"j'ai (?P<v>\d{1,3}) ans", "{s} a {v} ans."),
    row("health.allergy", r"je suis allergique (?:à la |à l'|aux |au |à )(?P<v>.+)", "{s} est allergique : {v}."),
    row("diet.kind", r"je suis (?P<v>végétarienn?e?|végane?|végétalienn?e?)", "{s} est {v}."),
    row(
        "preference.dislike",
        r"(?:je n'aime pas|je déteste) (?:le |la |les |l')?(?P<v>(?!ça\b).+)",
        "{s} n'aime pas : {v}.",
    ),
    row(
        "preference.like",
        r"(?:j'aime|j'adore) (?:beaucoup |bien )?(?:le |la |les |l')?(?P<v>(?!ça\b|bien\b).+)",
        "{s} aime : {v}.",
    ),
    row(
        "relation.{r}.name",
        rf"(?:mon|ma) {any_of(FR_ROLES)} s'appelle {NAME}",
        "La personne « {r} » de {s} s'appelle {v}.",
        roles=FR_ROLES,
    ),
)
_CHINESE: Final = (
    row(
        "profile.name",
        "(?:我叫|我的名字(?:是|叫)"
        "|我是(?=[^是]{2,4}$)(?=[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]))"
        r"(?P<v>[\u4e00-\u9fff·A-Za-z]{2,12})",
        "{s}叫{v}。",
    ),
    row(
        "profile.location",
        r"我(?:现在|目前)?(?:住在|居住在|定居在|搬到了?|搬去了?)(?P<v>[\u4e00-\u9fff]{2,15}?)(?:了)?",
        "{s}住在{v}。",
    ),
    row(
        "profile.employer",
        r"我(?:现在|目前)?在(?P<v>[\u4e00-\u9fffA-Za-z0-9]{2,20}?)(?:工作|上班)(?:了)?",
        "{s}在{v}工作。",
    ),
    row(
        "profile.occupation",
        r"我(?:的职业是|的工作是|是(?:一名|一个|个|名))(?P<v>[\u4e00-\u9fffA-Za-z]{2,15})",
        "{s}的职业是{v}。",
    ),
    row(
        "profile.origin",
        r"我(?:来自|老家(?:是|在)|是(?=[\u4e00-\u9fff]{2,8}人$))(?P<v>[\u4e00-\u9fff]{2,12}?)(?:人)?",
        "{s}来自{v}。",
    ),
    row("profile.age", r"我今?年?(?P<v>\d{1,3})岁(?:了)?", "{s}{v}岁。"),
    row("health.allergy", r"我对(?P<v>[\u4e00-\u9fff]{1,10})过敏", "{s}对{v}过敏。"),
    row("diet.kind", "我(?:是)?(?P<v>素食主义者|素食者|吃素)", "{s}的饮食：{v}。"),
    row("preference.dislike", r"我(?:很|特别|最)?(?:不喜欢|讨厌|不爱)(?P<v>[^，。！？你]{1,25})", "{s}不喜欢{v}。"),
    row("preference.like", r"我(?:很|非常|特别|最|也)?(?:喜欢|喜爱|热爱|爱)(?P<v>[^，。！？你]{1,25})", "{s}喜欢{v}。"),
    row(
        "relation.{r}.name",
        rf"我的?{any_of(ZH_ROLES)}(?:的名字)?(?:叫|是叫|名叫)(?:做)?(?P<v>[\u4e00-\u9fff·A-Za-z]{{2,12}})",
        "{s}的{r}叫{v}。",
        roles=ZH_ROLES,
    ),
)

_ROWS: Final = {"de": _GERMAN, "es": _SPANISH, "fr": _FRENCH, "zh": _CHINESE}
TABLES: Final[Mapping[str, tuple[ForeignRow, ...]]] = MappingProxyType(
    {code: (*rows, *MORE[code]) for code, rows in _ROWS.items()}
)
