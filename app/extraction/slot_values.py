"""What a matched stretch of words is worth as the value of a slot: cut to the value itself, or refused."""

import re
from typing import Final

_I: Final = re.IGNORECASE

_TAIL: Final = re.compile(
    r"[,;:\s.!?\"-]*(?:\b(?:now|these days|currently|at the moment|by the way|btw|lol|haha|too|as well|any ?more|please|though"
    r"|still|again|right now|nowadays|at present|of course|actually|tbh|honestly|overall|in general|a lot|very much|so much"
    r"|for now|instead|already|sometimes|obviously|period|the most|so far|at least|from now on|going forward|in future"
    r"|in the future|thanks|thank you|:\)|for me|to me|to be honest|for example|you know|unfortunately|sadly))?[,;:\s.!?\")-]*$",
    _I,
)
_CUT: Final = re.compile(
    r"(?:,? (?:because|since (?=i\b|it\b|we\b|the\b)|but|which|who|whom|although|though|so that|so (?=i\b|we\b|it\b|that\b)|where"
    r"|while|whereas|if|when(?=\b)|whenever|and (?=i\b|we\b|it\b|it's\b|my\b|that\b|they\b|he\b|she\b|i'm\b|i've\b|then\b)|"
    r"as (?=i\b|it\b|we\b|well\b)|especially|particularly|unless|until i|after (?=i\b|we\b))\b.*"
    r"| (?:-|–|—) .*| ?\(.*|; .*|: .*)$",
    _I,
)
_COMMA: Final = re.compile(r", (?!(?-i:[A-Z])).*$", _I)
_TIME_TAIL: Final = re.compile(
    r"(?:,? (?:since|as of|starting|effective) .*|,? for (?:the (?:last|past) |about |over |almost |nearly |more than )*[\w-]+"
    r" (?:years?|months?|weeks?|days?)\b.*|,? (?:for|since) (?:ages|a while|forever|years|months|now)\b.*"
    r"|,? (?:as|when i was) a (?:kid|child|teen|teenager|boy|girl|baby|student).*|,? (?:a|an|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|\d+|several|a few|some|many|a couple of) (?:years?|months?|weeks?|days?) ago.*|,? (?:all|most of) my life.*"
    r"|,? (?:earlier|later) this (?:year|month|week)|,? (?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter"
    r"|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)|,? (?:in|on|around|back in|by|from|until) (?:early |mid |late )?(?:the (?:summer|spring"
    r"|autumn|fall|winter) of )?(?:\d{1,2} )?(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b(?: \d+)?.*|,? (?:yesterday|today|tomorrow|recently"
    r"|lately|just now|at that time|back then))$",
    _I,
)
_TIMELESS: Final = re.compile(
    r"profile\.(?!birthday|age|rent|salary)|company|diet|health\.(?:allergy|condition)|relation\.\w+\.(?:name|location|occupation"
    r"|employer)|pet|preference\.(?:like|dislike|favourite|prefers)|possession|tech"
)
_COMPANY_KEPT: Final = re.compile(r" (?:with|to|for|because of|thanks to|due to) .*$", _I)
"""With whom and what for somebody moved is no part of the place."""
_ARTICLE: Final = re.compile(r"(?:an? |the )(?=.)", _I)
_KEEPS_ARTICLE: Final = ("preference.", "goal", "habit", "decision", "event", "possession")
_OWN: Final = re.compile(r"\b(?:my|our|your) ", _I)

_VAGUE: Final = re.compile(
    r"(?:it|that|this|these|those|them|him|her|you|your?s?|how|what|there|here|one|something|anything|nothing|everything|someone"
    r"|somebody|people like you|both|all(?: of (?:it|them|this|that))?|more|less|not|none|so|to|be|do|same|of|with|and|or|the (?:idea|answer"
    r"|sound|way|fact|thought|first|second|last|other|same|suggestion|look|one|former|latter|result|output|design|approach"
    r"|rest)|that's|it's|working with you|talking to you|your .*|this .*|that .*|these .*|those .*|how .*|what .*|the (?:idea|way|fact"
    r"|sound|thought|look|first|second|suggestion|answer) .*|it .*|being able .*|when you .*|seeing (?:you|your|that|this) .*|hearing .*)$",
    _I,
)
_NOT_A_NAME: Final = re.compile(
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october"
    r"|november|december|english|german|french|spanish|italian|american|british|irish|scottish|welsh|indian|chinese|japanese"
    r"|korean|russian|polish|dutch|swedish|danish|norwegian|finnish|portuguese|brazilian|mexican|canadian|australian|turkish"
    r"|greek|czech|hungarian|austrian|swiss|belgian|ukrainian|romanian|arab|african|asian|european|nigerian|kenyan|egyptian"
    r"|christian|catholic|muslim|jewish|hindu|buddhist|sikh|atheist|protestant|mormon|vegan|vegetarian|the|a|an|not|in|at|on|so"
    r"|very|too|also|just|back|here|from|sure|ok|okay|sorry|happy|sad|tired|fine|good|great|new|using|trying|working|looking"
    r"|having|getting|going|doing|your|my|his|her|their|our|it|this|that|when|if|what|how|mad|proud|really|still|always|never"
    r"|all|aware|i|because|by|later|tomorrow|today|unknown|secret|important|common|long|hard|difficult|weird|unique|private)\b",
    _I,
)
_PARTICLES: Final = frozenset({"de", "del", "della", "van", "von", "der", "den", "da", "dos", "al", "el", "bin", "ibn", "la", "le", "di"})
_PLACE: Final = re.compile(
    r"(?:the )?(?:(?:north|south|east|west|central|downtown|greater|upstate|rural|northern|southern|eastern|western|inner|old town)"
    r"(?:ern)?(?: of)? )?(?-i:[A-ZÀ-ÝΑ-ΩА-Я\u4e00-\u9fff])[\w'.-]*.*",
    _I,
)
_DETERMINER: Final = re.compile(r"(?:my|our|your|his|her|their|this|that|these|those|some|any|every|each|no|a|an|the)\b", _I)
_WORKPLACE: Final = re.compile(
    r"\b(?:startup|start-up|company|bank|hospital|school|university|college|firm|agency|studio|restaurant|shop|store|government|city"
    r"|ministry|ngo|non-?profit|charity|clinic|practice|factory|lab|laboratory|institute|library|museum|bakery|caf[eé]|hotel|business"
    r"|corporation|consultancy|department|council|newspaper|publisher|airline|brewery|gym|salon|farm|office|organi[sz]ation|team|plant"
    r"|manufacturer|provider|supplier|retailer|chain|foundation|church|theatre|theater|cooperative|co-op|fintech|scale-?up)s?\b",
    _I,
)
_CALLED: Final = re.compile(r".*\b(?:called|named) (?=\S)", _I)
JOB: Final = re.compile(
    r"\b(?:engineer|developer|programmer|designer|manager|director|nurse|teacher|doctor|physician|surgeon|dentist|lawyer|attorney|chef"
    r"|cook|baker|barista|waiter|waitress|bartender|scientist|researcher|professor|lecturer|student|analyst|consultant|architect"
    r"|accountant|writer|author|journalist|editor|photographer|artist|musician|singer|actor|actress|dancer|painter|carpenter"
    r"|plumber|electrician|mechanic|driver|pilot|farmer|gardener|librarian|translator|interpreter|therapist|psychologist"
    r"|psychiatrist|pharmacist|vet|veterinarian|biologist|chemist|physicist|mathematician|statistician|economist|historian"
    r"|geologist|astronomer|paramedic|firefighter|police officer|policeman|policewoman|officer|soldier|judge|politician|secretary"
    r"|receptionist|cashier|salesman|saleswoman|salesperson|seller|broker|banker|trader|entrepreneur|founder|co-?founder|ceo|cto"
    r"|cfo|coo|cmo|cio|vp|vice president|president|owner|freelancer|contractor|intern|trainee|apprentice|assistant|coordinator"
    r"|administrator|admin|technician|specialist|supervisor|lead|tech lead|team lead|head of|principal|partner|associate|recruiter"
    r"|marketer|strategist|planner|producer|curator|coach|trainer|instructor|tutor|principal|headteacher|social worker|counsel+or"
    r"|midwife|caregiver|carer|nanny|cleaner|tailor|hairdresser|barber|beautician|optician|radiologist|cardiologist|neurologist"
    r"|pediatrician|anesthetist|physiotherapist|postdoc|phd|phd student|undergraduate|graduate student|graduate|retiree|pensioner|housewife"
    r"|stay-at-home (?:mom|mum|dad|parent|mother|father)|homemaker|sysadmin|devops|sre|dba|qa|tester|product owner|scrum master|actuary"
    r"|auditor|controller|buyer|agent|clerk|operator|welder|builder|bricklayer|roofer|surveyor|joiner|blogger|youtuber|streamer|model"
    r"|athlete|footballer|player|referee|priest|pastor|imam|rabbi|monk|nun|detective|inspector|investigator|guard|captain|sailor"
    r"|fisherman|butcher|florist|jeweller|blacksmith|potter|sculptor|illustrator|animator|composer|conductor|dj|comedian|magician"
    r"|philosopher|linguist|archaeologist|anthropologist|sociologist|geographer|meteorologist|oceanographer|zoologist|botanist"
    r"|ecologist|\w{4,}ologist|data \w+|retired|self-employed|unemployed|freelance|between jobs|dispatcher|courier|conductor|publisher)s?\b",
    _I,
)
_NOT_A_JOB: Final = re.compile(r"(?:bit|little|lot|fan|huge|big|member|good|bad|beginner|newbie|new|first|former|kind|sort|great|terrible|dad|mom)\b", _I)
_LONGEST: Final = {"profile.name": 5, "profile.location": 7, "profile.origin": 7, "profile.employer": 8, "profile.occupation": 10}
_MOST_WORDS: Final = 18


def trimmed(text: str) -> str:
    """`text` without the adverbs and marks that trail behind it."""
    while (shorter := _TAIL.sub("", text)) != text:
        text = shorter
    return text.strip(" ,;")


def clean(key: str, value: str) -> str:
    """`value` cut to what belongs to the slot `key`: no reasons, no times where the slot has none, no possessives."""
    value = value.strip()
    if key not in {"decision", "event"} and not value.lower().startswith("when "):
        value = _CUT.sub("", value)
    if not _takes_commas(key):
        value = _COMMA.sub("", value)
    value = trimmed(value)
    if key.endswith(("location", "origin")):
        value = _COMPANY_KEPT.sub("", value)
    if _TIMELESS.match(key):
        value = trimmed(_TIME_TAIL.sub("", value))
    if key in {"preference.response_style", "decision", "goal", "habit"}:
        value = _OWN.sub("", value) if key == "preference.response_style" else value
    if not key.startswith(_KEEPS_ARTICLE):
        value = _ARTICLE.sub("", value, count=1) if _ARTICLE.match(value) else value
    elif key in {"possession", "decision", "preference.prefers", "preference.like", "preference.dislike"}:
        value = re.sub(r"^(?:an? |the )(?=\w)", "", value, flags=_I)
    if key == "profile.employer" and (named := _CALLED.match(value)):
        value = value[named.end() :]
    return value.strip(" \"'")


def _takes_commas(key: str) -> bool:
    return key in {"decision", "event", "goal", "habit", "preference.response_style", "profile.address", "preference.like"} or key.endswith(
        ("kids.name", "children.name", "sons.name", "daughters.name", "sisters.name", "brothers.name")
    ) or key in {"health.allergy", "diet.avoid", "profile.language"}


_SPLIT: Final = re.compile(r"\s*,\s*(?:and |or |as well as )?|\s+(?:and|or|as well as|plus|&)\s+", _I)
_LEVEL: Final = re.compile(r"(?:fluent|native|basic|good|some|conversational|a bit of|a little(?: bit of)?|decent|also|any|all|even) ", _I)


def listed(value: str) -> list[str]:
    """The items of an enumeration, each without its degree: "French and a bit of Italian" → French, Italian."""
    items = (_LEVEL.sub("", item.strip()).strip(" .") for item in _SPLIT.split(value))
    return [item for item in items if item]


def enumerated(value: str) -> list[str]:
    """The items of what is clearly a list (three or more by commas, or gerunds); else the value whole."""
    items = listed(value)
    gerunds = len(items) > 1 and all(item.split()[0].endswith("ing") for item in items)
    commas = value.count(",") > 0 and len(items) > 2 and all(len(item.split()) < 5 for item in items)  # noqa: PLR2004
    return items if gerunds or commas else [value]


def plausible(key: str, value: str, *, casual: bool) -> bool:
    """Whether `value` can stand in the slot `key`. `casual`: the clause uses no capitals, so that none tell a name."""
    words = value.split()
    if not words or len(words) > _LONGEST.get(key, _MOST_WORDS) or not any(c.isalnum() for c in value):
        return False
    if _VAGUE.match(value):
        return False
    check = _CHECKS.get(key) or _CHECKS.get(key.rpartition(".")[2])
    return check is None or check(value, casual)


def is_name(value: str, casual: bool) -> bool:
    """Whether `value` looks like the name of a person or animal."""
    words = value.split()
    if _NOT_A_NAME.match(value) or any(word.lower() in {"and", "or", "the", "my"} for word in words):
        return False
    if casual:
        return len(words) == 1 and value.replace("-", "").isalpha()
    return all(word[0].isupper() or word.lower() in _PARTICLES or not word[0].isascii() for word in words) and words[0][0].isupper()


def _is_place(value: str, casual: bool) -> bool:
    if casual:
        return not _DETERMINER.match(value) and len(value.split()) <= 3 and not value.endswith("ing")  # noqa: PLR2004
    return bool(_PLACE.match(value)) and not _DETERMINER.match(value.removeprefix("the ").removeprefix("The "))


def _is_employer(value: str, casual: bool) -> bool:
    if re.match(r"(?:myself|home|free|a living|hours|minimum|now|fun|years|me|him|her|us|them|night|least|my own|that|this)\b", value, _I):
        return False
    return casual or any(word[0].isupper() or word[0].isdigit() for word in value.split()) or bool(_WORKPLACE.search(value))


def _is_job(value: str, casual: bool) -> bool:
    del casual
    if _NOT_A_JOB.match(value):
        return False
    head = re.split(r" (?:at|for|in|with|from|of|who|on|and|by)\b", value)[0]
    return value.lower().startswith(("teach ", "for myself", "freelance", "as a freelancer", "head of", "vp of")) or bool(JOB.search(head)) or (
        "sector" in value or bool(re.fullmatch(_FIELD, value, _I)) or value.isupper()
    )


_FIELD: Final = (
    r"(?:marketing|finance|healthcare|health care|sales|tech|it|hr|human resources|education|logistics|banking|insurance|consulting"
    r"|construction|retail|hospitality|advertising|pr|media|publishing|law|accounting|engineering|research|customer (?:service|support"
    r"|success)|real estate|data science|cyber ?security|software(?: development)?|design|product(?: management)?|operations|film|music"
    r"|agriculture|government|politics|academia|biotech|pharma|energy|manufacturing|procurement|compliance|fashion)"
)


def _is_number_like(value: str, casual: bool) -> bool:
    del casual
    return any(c.isdigit() for c in value) or bool(re.match(r"\w+(?:ty|teen)?\b", value))


def _is_dated(value: str, casual: bool) -> bool:
    del casual
    return any(c.isdigit() for c in value) or bool(
        re.search(r"(?:day|week|month|year|january|february|march|april|may|june|july|august|september|october|november|december|end of)", value, _I)
    )


def _is_language(value: str, casual: bool) -> bool:
    return len(value.split()) <= 2 and (casual or value[0].isupper())  # noqa: PLR2004


_CHECKS: Final = {
    "profile.name": is_name,
    "name": lambda value, casual: is_name(value, casual) or bool(re.match(r"(?-i:[A-Z])\w+(?:,| and) ", value)),
    "company.name": is_name,
    "project.name": None,
    "location": _is_place,
    "origin": _is_place,
    "employer": _is_employer,
    "occupation": _is_job,
    "age": _is_number_like,
    "birthday": _is_dated,
    "deadline": _is_dated,
    "profile.language": _is_language,
}
