"""Whether a value can stand in its slot: a name looks like a name, a place like a place, a job like a job."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from app.extraction.slot_rule import OF_ROLE, ROLE

_I: Final = re.IGNORECASE

_VAGUE: Final = re.compile(
    r"(?:it|that|this|these|those|them|him|her|me|us|myself|life|you|your?s?|how|what|there|here|one|something"
    r"|anything|nothing"
    r"|everything|someone"
    r"|somebody|people like you|both|all(?: of (?:it|them|this|that))?|more|less|not|none|so|to|be|do|same|of|with"
    r"|and|or|the (?:idea|answer"
    r"|sound|way|fact|thought|first|second|last|other|same|suggestion|look|one|former|latter|result|output|design"
    r"|approach"
    r"|rest)|that's|it's|working with you|talking to you|your .*|this .*|that .*|these .*|those .*|how .*|what .*"
    r"|the (?:idea|way|fact"
    r"|sound|thought|look|first|second|suggestion|answer) .*|it .*|being able .*|when you .*|seeing (?:you|your|that"
    r"|this) .*|hearing .*)$",
    _I,
)
_NOT_A_NAME: Final = re.compile(
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august"
    r"|september|october"
    r"|november|december|english|german|french|spanish|italian|american|british|irish|scottish|welsh|indian|chinese"
    r"|japanese"
    r"|korean|russian|polish|dutch|swedish|danish|norwegian|finnish|portuguese|brazilian|mexican|canadian|australian"
    r"|turkish"
    r"|greek|czech|hungarian|austrian|swiss|belgian|ukrainian|romanian|arab|african|asian|european|nigerian|kenyan"
    r"|egyptian"
    r"|christian|catholic|muslim|jewish|hindu|buddhist|sikh|atheist|protestant|mormon|vegan|vegetarian|the|a|an|not"
    r"|in|at|on|so"
    r"|very|too|also|just|back|here|from|sure|ok|okay|sorry|happy|sad|tired|fine|good|great|new|using|trying|working"
    r"|looking"
    r"|having|getting|going|doing|your|my|his|her|their|our|it|this|that|when|if|what|how|mad|proud|really|still"
    r"|always|never"
    r"|all|aware|i|because|by|later|tomorrow|today|unknown|secret|important|common|long|hard|difficult|weird|unique"
    r"|private)\b",
    _I,
)
_PARTICLES: Final = frozenset(
    {"de", "del", "della", "van", "von", "der", "den", "da", "dos", "al", "el", "bin", "ibn", "la", "le", "di"}
)
_PLACE: Final = re.compile(
    r"(?:the )?(?:(?:north|south|east|west|central|downtown|greater|upstate|rural|northern|southern|eastern|western"
    r"|inner|old town)"
    r"(?:ern)?(?: of)? )?(?-i:[A-ZÀ-ÝΑ-ΩА-Я\u4e00-\u9fff])[\w'.-]*.*",
    _I,
)
_DETERMINER: Final = re.compile(
    r"(?:my|our|your|his|her|their|this|that|these|those|some|any|every|each|no|a|an|the)\b", _I
)
_WORKPLACE: Final = re.compile(
    r"\b(?:startup|start-up|company|bank|hospital|school|university|college|firm|agency|studio|restaurant|shop|store"
    r"|government|city"
    r"|ministry|ngo|non-?profit|charity|clinic|practice|factory|lab|laboratory|institute|library|museum|bakery"
    r"|caf[eé]|hotel|business"
    r"|corporation|consultancy|department|council|newspaper|publisher|airline|brewery|gym|salon|farm|office"
    r"|organi[sz]ation|team|plant"
    r"|manufacturer|provider|supplier|retailer|chain|foundation|church|theatre|theater|cooperative|co-op|fintech"
    r"|scale-?up)s?\b",
    _I,
)
JOB: Final = re.compile(
    r"\b(?:engineer|developer|programmer|designer|manager|director|nurse|teacher|doctor|physician|surgeon|dentist"
    r"|lawyer|attorney|chef"
    r"|cook|baker|barista|waiter|waitress|bartender|scientist|researcher|professor|lecturer|student|analyst"
    r"|consultant|architect"
    r"|accountant|writer|author|journalist|editor|photographer|artist|musician|singer|actor|actress|dancer|painter"
    r"|carpenter"
    r"|plumber|electrician|mechanic|driver|pilot|farmer|gardener|librarian|translator|interpreter|therapist"
    r"|psychologist"
    r"|psychiatrist|pharmacist|vet|veterinarian|biologist|chemist|physicist|mathematician|statistician|economist"
    r"|historian"
    r"|geologist|astronomer|paramedic|firefighter|police officer|policeman|policewoman|officer|soldier|judge"
    r"|politician|secretary"
    r"|receptionist|cashier|salesman|saleswoman|salesperson|seller|broker|banker|trader|entrepreneur|founder"
    r"|co-?founder|ceo|cto"
    r"|cfo|coo|cmo|cio|vp|vice president|president|owner|freelancer|contractor|intern|trainee|apprentice|assistant"
    r"|coordinator"
    r"|administrator|admin|technician|specialist|supervisor|lead|tech lead|team lead|head of|principal|partner"
    r"|associate|recruiter"
    r"|marketer|strategist|planner|producer|curator|coach|trainer|instructor|tutor|principal|headteacher"
    r"|social worker|counsel+or"
    r"|midwife|caregiver|carer|nanny|cleaner|tailor|hairdresser|barber|beautician|optician|radiologist|cardiologist"
    r"|neurologist"
    r"|pediatrician|anesthetist|physiotherapist|postdoc|phd|phd student|undergraduate|graduate student|graduate"
    r"|retiree|pensioner|housewife"
    r"|stay-at-home (?:mom|mum|dad|parent|mother|father)|homemaker|sysadmin|devops|sre|dba|qa|tester|product owner"
    r"|scrum master|actuary"
    r"|auditor|controller|buyer|agent|clerk|operator|welder|builder|bricklayer|roofer|surveyor|joiner|blogger"
    r"|youtuber|streamer|model"
    r"|athlete|footballer|player|referee|priest|pastor|imam|rabbi|monk|nun|detective|inspector|investigator|guard"
    r"|captain|sailor"
    r"|fisherman|butcher|florist|jeweller|blacksmith|potter|sculptor|illustrator|animator|composer|conductor|dj"
    r"|comedian|magician"
    r"|philosopher|linguist|archaeologist|anthropologist|sociologist|geographer|meteorologist|oceanographer|zoologist"
    r"|botanist"
    r"|ecologist|\w{4,}ologist|data \w+|retired|self-employed|unemployed|freelance|between jobs|dispatcher|courier"
    r"|conductor|publisher|underwriter|paralegal|notary|radiographer|dietitian|nutritionist|choreographer|sommelier"
    r"|steward(?:ess)?|attendant|glazier|stonemason|mason|cobbler|brewer|distiller|shepherd|conservator|au pair|broker"
    r"|superintendent|ranger|lifeguard|janitor|caretaker|concierge|typist|luthier|optometrist|phlebotomist"
    r"|\w*(?:maker|keeper|smith|wright|worker|fitter|tuner|dresser|ographer|iatrist|monger))s?\b",
    _I,
)
_NOT_A_JOB: Final = re.compile(
    r"(?:bit|little|lot|fan|huge|big|member|good|bad|beginner|newbie|new|first|former|kind|sort|great|terrible|dad"
    r"|mom)\b",
    _I,
)
_DOING: Final = re.compile(r"\w+ing (?:the|an?|my|our|some|with|for|on|to|young\w*|other|new|people)\b", _I)
_POINTS: Final = re.compile(r"(?:\w+ ){0,2}?(?:it|them|him|her|this|that|one|there|so)(?: |$)", _I)
_POINTED: Final = re.compile(
    r"\b(?:this|these|those|like that)\b(?! (?:year|summer|winter|spring|autumn|fall|month|week|evening|morning|who"
    r"|whom"
    r"|that|which))",
    _I,
)
_BARE_AIM: Final = re.compile(
    r"(?:work|go|come|do|be|have|get|start|win|play|help|improve|continue|succeed|grow|more|share|learn)(?: more|"
    r" out| on)?",
    _I,
)
"""A value that begins with what only the sentences before it name."""
_LONGEST: Final = {
    "profile.name": 5,
    "profile.location": 7,
    "profile.origin": 7,
    "profile.employer": 8,
    "profile.occupation": 10,
}
_MOST_WORDS: Final = 18


def plausible(key: str, value: str, *, casual: bool) -> bool:
    """Whether `value` can stand in the slot `key`. `casual`: the clause uses no capitals, so that none tell a name."""
    words = value.split()
    if not words or len(words) > _LONGEST.get(key, _MOST_WORDS) or not any(c.isalnum() for c in value):
        return False
    if _VAGUE.match(value):
        return False
    check = _CHECKS.get(key) or _CHECKS.get(key.rpartition(".")[2])
    return check is None or check(value, casual)


def _names_its_object(value: str, casual: bool) -> bool:
    del casual
    return not _POINTS.match(value) and not _POINTED.search(value)


def _is_goal(value: str, casual: bool) -> bool:
    return _names_its_object(value, casual) and not _BARE_AIM.fullmatch(value)


def is_name(value: str, casual: bool) -> bool:
    """Whether `value` looks like the name of a person or animal."""
    words = value.split()
    if _NOT_A_NAME.match(value) or any(word.lower() in {"and", "or", "the", "my"} for word in words):
        return False
    if casual:
        return len(words) == 1 and value.replace("-", "").isalpha()
    return (
        all(word[0].isupper() or word.lower() in _PARTICLES or not word[0].isascii() for word in words)
        and words[0][0].isupper()
    )


def _are_names(value: str, casual: bool) -> bool:
    """One name or several: "Leo and Mia"."""
    return is_name(value, casual) or bool(re.match(r"[A-Z]\w+(?:,| and) ", value))


def _is_place(value: str, casual: bool) -> bool:
    if casual:
        return not _DETERMINER.match(value) and len(value.split()) <= 3 and not value.endswith("ing")  # noqa: PLR2004
    return bool(_PLACE.match(value)) and not _DETERMINER.match(value.removeprefix("the ").removeprefix("The "))


_KINSFOLK: Final = re.compile(rf"(?:my|our) {OF_ROLE}{ROLE}(?! ?'s)\b", _I)


def _is_employer(value: str, casual: bool) -> bool:
    if _KINSFOLK.match(value) or re.match(
        r"(?:myself|home|free|a living|hours|minimum|now|fun|years|me|him|her|us|them|night|least|my own|that|this)\b",
        value,
        _I,
    ):
        return False
    return (
        casual
        or any(word[0].isupper() or word[0].isdigit() for word in value.split())
        or bool(_WORKPLACE.search(value))
    )


def _is_job(value: str, casual: bool) -> bool:
    del casual
    if _NOT_A_JOB.match(value) or _DOING.match(value):
        return False
    head = re.split(r" (?:at|for|in|with|from|of|who|on|and|by)\b", value)[0]
    return (
        value.lower().startswith(("teach ", "for myself", "freelance", "as a freelancer", "head of", "vp of"))
        or any(job.end() == len(head) for job in JOB.finditer(head))
        or ("sector" in value or bool(re.fullmatch(_FIELD, value, _I)) or value.isupper())
    )


_FIELD: Final = (
    r"(?:marketing|finance|healthcare|health care|sales|tech|it|hr|human resources|education|logistics|banking"
    r"|insurance|consulting"
    r"|construction|retail|hospitality|advertising|pr|media|publishing|law|accounting|engineering|research"
    r"|customer (?:service|support"
    r"|success)|real estate|data science|cyber ?security|software(?: development)?|design|product(?: management)?"
    r"|operations|film|music"
    r"|agriculture|government|politics|academia|biotech|pharma|energy|manufacturing|procurement|compliance|fashion)"
)


def _is_number_like(value: str, casual: bool) -> bool:
    del casual
    return any(c.isdigit() for c in value) or bool(re.match(r"\w+(?:ty|teen)?\b", value))


def _is_dated(value: str, casual: bool) -> bool:
    del casual
    return any(c.isdigit() for c in value) or bool(
        re.search(
            r"(?:day|week|month|year|january|february|march|april|may|june|july|august|september|october|november"
            r"|december|end of)",
            value,
            _I,
        )
    )


def _is_language(value: str, casual: bool) -> bool:
    return len(value.split()) <= 2 and (casual or value[0].isupper())  # noqa: PLR2004


_CHECKS: Final[Mapping[str, Callable[[str, bool], bool]]] = {
    "profile.name": is_name,
    "name": _are_names,
    "company.name": is_name,
    "location": _is_place,
    "origin": _is_place,
    "employer": _is_employer,
    "occupation": _is_job,
    "age": _is_number_like,
    "goal": _is_goal,
    "habit": _names_its_object,
    "preference.like": _names_its_object,
    "preference.dislike": _names_its_object,
    "birthday": _is_dated,
    "deadline": _is_dated,
    "profile.language": _is_language,
}
