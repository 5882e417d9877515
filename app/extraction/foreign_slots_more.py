"""Further wordings of the commonest slots in German, Spanish, French and Chinese: families, changes, denials."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.extraction.foreign_row import (
    DE_PETS,
    DE_ROLES,
    ES_PETS,
    ES_ROLES,
    FR_PETS,
    FR_ROLES,
    NAME,
    PLACE,
    ZH_PETS,
    ZH_ROLES,
    ForeignRow,
    any_of,
    row,
)

_DE_NO: Final = r"(?:\w+ )*?kein(?:e|en)? "
_ES_JOB: Final = (
    r"(?P<v>(?:enfermer[oa]|médic[oa]|profesora?|maestr[oa]|ingenier[oa]|abogad[oa]|arquitect[oa]|programadora?"
    r"|desarrolladora?|camarer[oa]|cociner[oa]|contadora?|periodista|diseñadora?|estudiante|electricista|fontaner[oa]"
    r"|dentista|artista|músic[oa]|carpinter[oa]|traductora?|veterinari[oa]|psicólog[oa]|conductora?|policía|bomber[oa]"
    r"|peluquer[oa]|panader[oa]|escritora?|científic[oa]|jubilad[oa])(?: de [\w ]+?)?)"
)
_FR_JOB: Final = (
    r"(?P<v>infirmi(?:er|ère)|médecin|professeure?|enseignante?|ingénieure?|avocate?|architecte|développeu(?:r|se)"
    r"|serveu(?:r|se)|cuisini(?:er|ère)|comptable|journaliste|designer|étudiante?|électricien(?:ne)?|plombi(?:er|ère)"
    r"|dentiste|artiste|musicien(?:ne)?|menuisi(?:er|ère)|traducteur|traductrice|vétérinaire|psychologue|chauffeur"
    r"|polici(?:er|ère)|pompi(?:er|ère)|coiffeu(?:r|se)|boulang(?:er|ère)|écrivaine?|retraitée?)"
)
_ZH_WHEN: Final = "(?:上个?月|去年|今年|上周|昨天|前年|最近|刚刚?|已经|又|现在|目前){0,2}"

_GERMAN: Final = (
    row(
        "pet.{r}.name",
        rf"(?:meine?|unsere?) {any_of(DE_PETS)} heißt {NAME}(?:,? und (?P<rest>.*))?",
        "{r} {g}: {v}.",
        roles=DE_PETS,
    ),
    row(
        "preference.dislike",
        r"ich kann (?P<v>(?!es\b|das\b|dich\b).+?) (?:nicht|überhaupt nicht) (?:leiden"
        r"|ausstehen|ab)",
        "{s} mag {v} nicht.",
    ),
    row(
        "profile.location",
        rf"(?:ich|wir) (?:bin|sind) (?:[\w-]+ ){{0,8}}?nach {PLACE} (?:gezogen|umgezogen)",
        "{s} wohnt in {v}.",
    ),
    row(
        "profile.location",
        rf"(?:seit .{{2,25}}? |jetzt |inzwischen |mittlerweile )?(?:wohne|lebe|wohnen|leben) (?:ich|wir)"
        rf"(?: \w+)? in {PLACE}",
        "{s} wohnt in {v}.",
    ),
    row("profile.location", rf"wir (?:wohnen|leben)(?: \w+){{0,3}}? in {PLACE}", "{s} wohnt in {v}."),
    row("profile.location", rf"ich (?:wohne|lebe) nicht mehr in {PLACE}", "{s} wohnt nicht mehr in {v}.", denies=True),
    row(
        "profile.employer",
        rf"ich arbeite nicht mehr (?:bei|für) {PLACE}",
        "{s} arbeitet nicht mehr bei {v}.",
        denies=True,
    ),
    row(
        "profile.employer",
        rf"ich habe (?:[\w.]+ ){{0,4}}?bei {PLACE} (?:angefangen|gekündigt)(?<!gekündigt)",
        "{s} arbeitet bei {v}.",
    ),
    row(
        "profile.employer",
        rf"ich habe (?:[\w.]+ ){{0,4}}?bei {PLACE} gekündigt",
        "{s} arbeitet nicht mehr bei {v}.",
        denies=True,
    ),
    row(
        "profile.occupation",
        r"(?:ich arbeite (?:[\w-]+ ){0,4}?als|von beruf bin ich|ich bin von beruf) (?P<v>[\w-]+)"
        r"(?: (?:bei|in|für|im) .*)?",
        "{s} ist von Beruf {v}.",
    ),
    row(
        "health.allergy",
        r"(?:gegen|auf) (?P<v>.+?) (?:bin|reagiere) ich (?:\w+ )?allergisch",
        "{s} ist allergisch gegen {v}.",
    ),
    row("health.allergy", r"ich reagiere allergisch auf (?P<v>.+)", "{s} ist allergisch gegen {v}."),
    row("health.allergy", r"ich hab[e]? eine (?:\w+ )?(?P<v>\w{3,}?)(?:-?allergie)", "{s} ist allergisch gegen {v}."),
    row("health.allergy", r"(?P<v>[\w -]{3,30}?) vertrage ich (?:\w+ )*nicht", "{s} verträgt {v} nicht."),
    row("health.allergy", r"ich vertrage (?:kein(?:e|en)? )(?P<v>.+)", "{s} verträgt {v} nicht."),
    row("diet.avoid", rf"ich (?:esse|trinke) {_DE_NO}(?P<v>.+?)(?: mehr)?", "{s} nimmt zu sich: {v} nicht."),
    row("preference.like", r"ich (?:esse|höre|lese|trinke) (?:sehr |am liebsten )?gerne? (?P<v>.+)", "{s} mag {v}."),
    row(
        "relation.{r}.name",
        rf"(?:meine?|unsere?) {any_of(DE_ROLES)},? {NAME},? (?P<rest>(?-i:[a-zäöü]).*)",
        "{r} {g}: {v}.",
        roles=DE_ROLES,
    ),
    row(
        "relation.{r}.name",
        rf"(?:meine?|unsere?) {any_of(DE_ROLES)} heißt {NAME}(?:,? und (?P<rest>.*))?",
        "{r} {g}: {v}.",
        roles=DE_ROLES,
    ),
)
_SPANISH: Final = (
    row(
        "pet.{r}.name",
        rf"(?:mi|nuestr[oa]) {any_of(ES_PETS)} se llama {NAME}(?: y (?P<rest>.*))?",
        "{r} {g}: {v}.",
        roles=ES_PETS,
    ),
    row(
        "preference.dislike",
        r"(?:no soporto|no aguanto|me dan? asco) (?P<v>(?!que\b|eso\b).+)",
        "{d} no le gusta: {v}.",
    ),
    row("profile.location", rf"(?:vivimos|estoy viviendo|ahora vivo)(?: \w+)? en {PLACE}", "{s} vive en {v}."),
    row(
        "profile.location",
        rf"(?:nos mudamos|nos hemos mudado|me acabo de mudar|me fui a vivir|me mudé|me he mudado)"
        rf"(?: de {PLACE.replace('<v>', '<x>')})? a {PLACE}",
        "{s} vive en {v}.",
    ),
    row("profile.location", rf"ya no vivo en {PLACE}", "{s} ya no vive en {v}.", denies=True),
    row("profile.employer", rf"ya no trabajo (?:en|para) {PLACE}", "{s} ya no trabaja en {v}.", denies=True),
    row("profile.occupation", rf"(?:yo )?soy (?:una? )?{_ES_JOB}(?: en .*)?", "{s} trabaja como {v}."),
    row(
        "diet.kind",
        r"(?:me (?:hice|he hecho|volví)|ahora soy) (?P<v>vegetarian[oa]|vegan[oa])",
        "{s} sigue una dieta: {v}.",
    ),
    row("diet.avoid", r"(?:ya )?no (?:como|bebo|tomo|puedo comer) (?P<v>.+)", "{s} no toma: {v}."),
    row(
        "relation.{r}.name",
        rf"mi {any_of(ES_ROLES)},? {NAME},? (?P<rest>(?-i:[a-záéíóú]).*)",
        "{r} {g}: {v}.",
        roles=ES_ROLES,
    ),
    row("relation.{r}.name", rf"mi {any_of(ES_ROLES)} se llama {NAME} y (?P<rest>.*)", "{r} {g}: {v}.", roles=ES_ROLES),
)
_FRENCH: Final = (
    row(
        "pet.{r}.name",
        rf"(?:mon|ma|notre) {any_of(FR_PETS)} s'appelle {NAME}(?: et (?P<rest>.*))?",
        "{r} {g} : {v}.",
        roles=FR_PETS,
    ),
    row(
        "preference.dislike",
        r"(?:je ne supporte pas|j'ai horreur (?:de|du|des)) (?:le |la |les |l')?(?P<v>(?!ça\b"
        r"|que\b).+)",
        "{s} n'aime pas : {v}.",
    ),
    row(
        "profile.location",
        rf"(?:nous (?:habitons|vivons)|on habite)(?: \w+)? (?:à|en|au|aux) {PLACE}",
        "{s} habite à {v}.",
    ),
    row(
        "profile.location",
        rf"(?:j'ai emménagé|nous avons (?:déménagé|emménagé)|je me suis installée?|je viens de"
        rf" (?:dé|em)ménager)(?: de {PLACE.replace('<v>', '<x>')})? (?:à|en|au|aux) {PLACE}",
        "{s} habite à {v}.",
    ),
    row("profile.location", rf"je n'habite plus (?:à|en|au) {PLACE}", "{s} n'habite plus à {v}.", denies=True),
    row(
        "profile.employer",
        rf"je ne travaille plus (?:chez|pour) {PLACE}",
        "{s} ne travaille plus chez {v}.",
        denies=True,
    ),
    row("profile.occupation", rf"je suis (?:une? )?{_FR_JOB}(?: (?:à|chez|dans|au) .*)?", "{s} travaille comme {v}."),
    row("diet.kind", r"je suis devenue? (?P<v>végétarienn?e?|végane?|végétalienn?e?)", "{s} est {v}."),
    row(
        "diet.avoid",
        r"je ne (?:mange|bois) (?:plus|pas|jamais)(?: du tout)? (?:de la |du |de |d')(?P<v>.+)",
        "{s} ne prend pas : {v}.",
    ),
    row(
        "relation.{r}.name",
        rf"(?:mon|ma) {any_of(FR_ROLES)},? {NAME},? (?P<rest>(?-i:[a-zéè]).*)",
        "La personne « {r} » de {s} s'appelle {v}.",
        roles=FR_ROLES,
    ),
    row(
        "relation.{r}.name",
        rf"(?:mon|ma) {any_of(FR_ROLES)} s'appelle {NAME} et (?P<rest>.*)",
        "La personne « {r} » de {s} s'appelle {v}.",
        roles=FR_ROLES,
    ),
)
_CHINESE: Final = (
    row("relation.{r}.name", rf"(?P<v>[\u4e00-\u9fff·]{{2,4}})是我的?{any_of(ZH_ROLES)}", "{s}的{r}叫{v}。",
        roles=ZH_ROLES),
    row("relation.{r}.age", rf"我的?{any_of(ZH_ROLES)}(?:今年|已经|都"
         rf"|的年龄是){{0,2}}(?P<v>\d{{1,3}})岁了?", "{s}的{r}{v}岁。",
        roles=ZH_ROLES),
    row("relation.{r}.birthday", rf"我的?{any_of(ZH_ROLES)}的?生日(?:是|在|是在)(?P<v>\d{{1,2}}月\d{{1,2}}[日号])",
        "{s}的{r}的生日是{v}。", roles=ZH_ROLES),
    row("relation.{r}.location", rf"我的?{any_of(ZH_ROLES)}(?:现在"
         rf"|目前)?住在(?P<v>[\u4e00-\u9fff]{{2,12}})", "{s}的{r}住在{v}。",
        roles=ZH_ROLES),
    row("relation.{r}.employer", rf"我的?{any_of(ZH_ROLES)}(?:现在"
         rf"|目前)?在(?P<v>[\u4e00-\u9fffA-Za-z0-9]{{2,15}}公司)(?:工作|上班)"
        r"[呢了]?", "{s}的{r}在{v}工作。", roles=ZH_ROLES),
    row("relation.{r}.occupation", rf"我的?{any_of(ZH_ROLES)}(?:是|的职业是)(?:一名|一个|一位|个|名"
         rf"|位)?(?P<v>[\u4e00-\u9fff]{{1,8}}(?:师|员"
        r"|医生|护士|工人|警察|教授|作家|司机|学生|经理|厨师|律师))", "{s}的{r}的职业是{v}。", roles=ZH_ROLES),
    row("pet.{r}.name", rf"我(?:家|们家)?的?{any_of(ZH_PETS)}叫(?P<v>[\u4e00-\u9fffA-Za-z]{{1,8}})", "{s}的{r}叫{v}。",
        roles=ZH_PETS),
    row("preference.dislike", rf"我{_ZH_WHEN}(?:受不了|忍受不了)(?P<v>[\u4e00-\u9fff]{{1,12}})", "{s}不喜欢{v}。"),
    row("profile.location", rf"我们?{_ZH_WHEN}(?:从(?P<x>[\u4e00-\u9fff]{{2,8}}?))?(?:搬到|搬去|搬来|移居到?)了?"
        r"(?P<v>[\u4e00-\u9fff]{2,12}?)(?:了|居住|生活)?", "{s}住在{v}。"),
    row("profile.location", rf"我们?{_ZH_WHEN}不(?:再)?住在?(?P<v>[\u4e00-\u9fff]{{2,10}}?)了", "{s}不再住在{v}。",
        denies=True),
    row("profile.employer", rf"我{_ZH_WHEN}不在(?P<v>[\u4e00-\u9fffA-Za-z0-9]{{2,15}}?)(?:工作"
         rf"|上班)了", "{s}不再在{v}工作。",
        denies=True),
    row("profile.occupation", r"我是(?:一名|一个|个|名)?(?P<v>[\u4e00-\u9fff]{1,8}(?:师|员|医生|护士|工人|警察|教授"
         r"|作家|司机|学生))",
        "{s}的职业是{v}。"),
    row("diet.avoid", rf"我{_ZH_WHEN}不(?:再|能)?(?:吃|喝)(?P<v>[\u4e00-\u9fff]{{1,8}}?)了?", "{s}不吃{v}。"),
    row("health.allergy", rf"我{_ZH_WHEN}对(?P<v>[\u4e00-\u9fff]{{1,10}}?)(?:严重)?过敏", "{s}对{v}过敏。"),
)  # fmt: skip

MORE: Final[Mapping[str, tuple[ForeignRow, ...]]] = MappingProxyType(
    {"de": _GERMAN, "es": _SPANISH, "fr": _FRENCH, "zh": _CHINESE}
)
