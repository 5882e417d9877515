"""What words say about an attempt: that it was asked for, that it was worked on, how it went, what it taught."""

import re
from dataclasses import dataclass
from typing import Final

from app.domain.episodes import Outcome
from app.domain.sessions import Message, Role
from app.extraction.normalise import Sentence, sentences

_I: Final = re.IGNORECASE
_GREETING: Final = (
    r"(?:(?:hi|hey|hello|ok(?:ay)?|so|now|and|also|then|next|great|thanks|thank you|perfect|alright|well|please|first"
    r"|another thing|one more thing|by the way|btw)\b[,.!: -]*)*"
)
_VERB: Final = (
    r"(?:fix|debug|book|deploy|install|migrate|write|draft|create|build|make|set up|configure|update|change|refactor"
    r"|add|remove|delete|implement|send|order|buy|cancel|schedule|plan|organi[sz]e|find|search|look (?:up|for|into)"
    r"|check|test|run|convert|translate|import|export|upload|download|move|rename|merge|restart|upgrade|downgrade"
    r"|connect|reset|repair|clean(?: up)?|prepare|solve|calculate|compare|analy[sz]e|review|reserve|arrange|register"
    r"|submit|file|pay|transfer|print|generate|design|optimi[sz]e|train|measure|investigate|reproduce|patch|rewrite"
    r"|summari[sz]e|format|rebook|reschedule|get|sort out|figure out|do|help|call|turn|start|stop|open|close|renew"
    r"|apply|publish|release|roll back|revert|speed up|reduce|increase|extract|sync|back up|restore|learn|finish)"
)
_ASKED: Final = (
    r"(?:(?:can|could|would|will) (?:you|we)(?: please| kindly| also| maybe)*|please|kindly|i(?:'d like| want| need)"
    r" you to|(?:please )?help (?:me|us)(?: to| with)?|let's(?: try to)?|i need (?:your )?help (?:to|with))"
)
_INTENDED: Final = (
    r"(?:(?:i'm|i am|we're|we are|i was|i've been|we've been) (?:trying to|working on|stuck (?:on|with|at))"
    r"|(?:i|we) (?:need|want|have|tried) to|(?:i'd|we'd|i would|we would) like to)"
)
_REQUEST: Final = re.compile(
    rf"{_GREETING}(?:{_ASKED} (?:help (?:me|us)(?: to| with)? )?(?P<asked>\w.*)|{_INTENDED} (?P<meant>\w.*)"
    rf"|(?P<told>{_VERB}\b (?!you\b|i\b).*))$",
    _I | re.DOTALL,
)
_ASKED_ABROAD: Final = re.compile(
    r"\b(?:kannst du|könntest du|können sie|könnten sie|bitte|hilf mir|helfen sie mir|ich (?:versuche|möchte|muss)"
    r"|puedes|podrías|puede usted|por favor|ayúdame|necesito|estoy intentando|quiero que"
    r"|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|s'il (?:te|vous) plaît|aide-moi|j'essaie"
    r"|puoi|potresti|per favore|aiutami|você pode|me ajuda|kun je)\b|请|帮我|ください|お願い|пожалуйста|помоги",
    _I,
)
_PROBLEM: Final = re.compile(
    r"\b(?:fails?|failing|is broken|broke|keeps? \w+ing|crash(?:es|ing|ed)?|throws|(?:does|do|is|are|did)(?:n't| not)"
    r" (?:work|start|build|load|open|connect|compile|respond)\w*|won't (?:work|start|build|load|open|connect)"
    r"|(?:an?|the|this) (?:error|exception|bug)|stuck)\b",
    _I,
)
_TALK: Final = re.compile(
    r"(?:know|understand|see|say|ask|talk|chat|hear|thank|share|tell|explain|recommend|suggest|describe|mention|think"
    r"|wait|imagine|guess|like|mind|prefer|believe|agree|have|remember"
    r"|make sure|keep in mind|feel\b|do (?:that|it)[.!]*$|get (?:a|some) (?:rest|sleep)|go\b|be\b)",
    _I,
)
_WORKED: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: (?:just|now|also|already|successfully))* (?:fixed|updated|changed|created|added"
    r"|removed|booked|sent|written|wrote|deployed|installed|scheduled|cancell?ed|ordered|configured|set up|run|ran"
    r"|checked|tested|moved|renamed|merged|restarted|prepared|drafted|generated|built|reserved|rebooked|submitted"
    r"|filed|registered|completed|tried|attempted|implemented|searched|looked|migrated|rolled back|refactored|made)\b"
    r"|^(?:all )?done\b|\bhere(?:'s| is) (?:the|your|an?|my)\b|\b(?:is|are|has been|have been) (?:now |all )?"
    r"(?:booked|fixed|done|deployed|ready|sent|set up|scheduled|cancell?ed|installed|live|updated|reserved|ordered)\b"
    r"|\b(?:could(?:n't| not)|was(?:n't| not) able to|(?:was|am|were|i'm) unable to|failed to)\b",
    _I,
)
_FAILURE: Final = re.compile(
    r"\bstill (?:does(?:n't| not)|do(?:n't| not)|is(?:n't| not)|are(?:n't| not)|fails?|failing|broken|not|crash\w*"
    r"|get(?:ting)? (?:the|an?|that)|won't|can(?:'t|not)|the same)\b"
    r"|\b(?:did|does|do|is|are|has|have)(?:n't| not) (?:really |even )?(?:work|help|build|start|load|connect|compile"
    r"|pass|go through|succeed|win|make it|finish|solve|fix)\w*|\b(?:won't|wouldn't) (?:work|build|start|load|connect)"
    r"|\bnot (?:working|fixed|solved|resolved|possible|available)\b"
    r"|\b(?:it|this|that|everything|tests?|build|deploy\w*|install\w*|migration|upload|payment|booking|launch|attempt)"
    r" (?:has |have |just )?(?:fail(?:ed|s)|crash(?:ed|es)|broke)\b|\bfail(?:ed|s) (?:again|with|on|because)\b"
    r"|\b(?:gave|give|giving|given) (?:it |that )?up\b|\bno luck\b|\bsame (?:error|problem|issue)\b"
    r"|\b(?:roll(?:ed)?|rolling) (?:it |everything )?back\b|\bfell through\b|\bcall(?:ed)? (?:it )?off\b"
    r"|\b(?:was|were|got|been) (?:rejected|denied|turned down|cancell?ed)\b|\b(?:i|we) (?:failed|lost)\b"
    r"|\b(?:could(?:n't| not)(?! (?:be (?:happier|better)|agree|wait|ask for))|was(?:n't| not) able to|unable to"
    r"|failed to)\b|\bwent (?:badly|wrong)\b|\bnever mind\b"
    r"|\b(?:funktioniert|geht|klappt)(?: \w+){0,2} nicht\b|\bnicht (?:geklappt|funktioniert)\b|\bfehlgeschlagen\b"
    r"|\bgescheitert\b|\baufgegeben\b|\bgebe(?: es)? auf\b"
    r"|\b(?:no|sigue sin) (?:ha )?funcion\w+|\bfalló\b|\bha fallado\b|\bme rindo\b"
    r"|\bne (?:marche|fonctionne)(?: \w+)? pas\b|\bn'a pas (?:marché|fonctionné)\b|\béchoué\b|\bj'abandonne\b"
    r"|失败|不行|还是不|失敗|できません|動きません|не работает|не получилось",
    _I,
)
_SUCCESS: Final = re.compile(
    r"\b(?:it|this|that|everything|all|both|which)(?: \w+)? (?:works?|worked|runs|ran|builds|compiles|passes|passed)\b"
    r"|\bworks? (?:now|fine|perfectly|great|again|well|like a charm)\b|\bworking (?:now|again|perfectly|fine)\b"
    r"|\b(?:is|are|got|been|all|now|it's|that's|i'm|we're) (?:it |now |all |finally )*(?:fixed|solved|resolved"
    r"|done(?! \w)|deployed|booked|confirmed|live|finished|completed|sorted|green|working|up and running)\b"
    r"|\b(?:fixed|solved|resolved|nailed|sorted) (?:it|that|the)\b|\bthat (?:did it|did the trick|helped)\b"
    r"|^fixed\b|^solved\b|^(?:all )?done\b|\bproblem solved\b"
    r"|\b(?:tests?|build|checks?)(?: \w+){0,2} (?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b"
    r"|\bfinally (?:works?|worked|fixed|solved|got it|managed|passed|mastered|finished|done|succeeded)\b"
    r"|\bsuccessfully \w+ed\b|\bsucceeded\b|\b(?:was|is) a (?:big |great |huge )?success\b|\bsuccessful\b"
    r"|\b(?:i|we) (?:\w+ )?(?:passed|won|made it|did it|managed to|finished|completed|got (?:it|the (?:job|offer|visa)"
    r"|accepted|promoted|hired|in\b))|\bwent (?:\w+ )?(?:well|great|perfectly|smoothly)\b"
    r"|\b(?:i've|i have|we've|we have) (?:just |now |successfully )*(?:booked|fixed|sent|deployed|installed|scheduled"
    r"|ordered|reserved|updated|submitted|cancell?ed|created)\b"
    r"|\bfunktioniert\b|\bgeht (?:jetzt|wieder|nun)\b|\b(?:hat|ist|alles) (?:\w+ )?(?:geklappt|gelungen|erledigt"
    r"|behoben|gelöst)\b|\bgeschafft\b|\b(?:ya|ahora) funciona\b|\bfuncion(?:a|ó) (?:bien|perfecto|ahora)\b"
    r"|\b(?:solucionado|resuelto|arreglado)\b|\bça (?:marche|fonctionne)\b|\bfonctionne (?:maintenant|bien)\b"
    r"|\b(?:résolu|réglé|corrigé|réussi)\b|成功|解决了|可以了|動きました|できました|работает|получилось",
    _I,
)
_PARTIAL: Final = re.compile(
    r"\b(?:part(?:ly|ially)|halfway|half of|mostly (?:works?|done)|almost (?:works?|there|done)|works? except"
    r"|only (?:part|half|some) of|mixed results|not (?:all|everything|entirely|completely|fully|quite)|so-so"
    r"|teilweise|fast alles|parcialmente|a medias|partiellement|en partie|à moitié)\b|一部|部分|частично",
    _I,
)
_PLEASED: Final = re.compile(r"(?:perfect|excellent|awesome|amazing|wonderful|brilliant|great)\b", _I)
_LONGEST_PLEASED: Final = 8
_MOST_WORDS: Final = 30
_UNREAL: Final = re.compile(
    r"(?:and |but |so |also )*(?:i'm|i am|we're) (?:\w+ )?(?:thinking|wondering|hoping|planning|trying|going|looking)\b"
    r"|(?:if|when|once|hopefully|unless|until|let me know|i hope|make sure|wenn|falls|si|cuando|quand)\b",
    _I,
)
_TRIED: Final = re.compile(r"\btried\b", _I)
_FILLER: Final = re.compile(
    r"(?:sure|certainly|absolutely|of course|great|ok(?:ay)?|got it|no problem|thanks?|thank you|you're welcome|hi"
    r"|hello|i(?:'m|'d be| am| would be) (?:happy|glad|delighted) to|i can help|that(?:'s| sounds| is)|sorry"
    r"|congrat\w*)\b",
    _I,
)
_LESSON: Final = re.compile(
    r"\b(?:lessons?|next time|turn(?:s|ed) out|the (?:trick|key|fix|culprit|cause|catch) (?:was|is)|root cause"
    r"|(?:problem|issue|reason) was|should have|in hindsight|note to self|(?:i|we)(?:'ve| have)? learn(?:ed|t)"
    r" (?:that|to|not|how|the hard)"
    r"|remember to|beim nächsten mal|lag (?:daran|an)|la próxima vez|la prochaine fois)\b",
    _I,
)
_MOVES_ON: Final = re.compile(
    r"(?:(?:ok(?:ay)?|great|thanks|thank you|perfect|alright|anyway|so|and|now)\b[,.!: ]*)*(?:another (?:thing|question"
    r"|topic|task)|(?:one|something) (?:more thing|else)|on (?:a different|another) (?:note|topic)|(?:a )?different"
    r" topic|new topic|by the way|btw|changing (?:the )?(?:subject|topic)|next (?:task|topic|question)|moving on"
    r"|unrelated|andere frage|anderes thema|otra cosa|cambiando de tema|autre chose|sinon)\b",
    _I,
)
_THANKS: Final = re.compile(
    r"\b(?:thanks?|thank you|thx|cheers|danke|gracias|merci|grazie|obrigad[oa]|谢谢)\b|ありがとう", _I
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be done, and whether the assistant is asked to; else the user only says what they are about."""

    task: str
    direct: bool


def said_in(message: Message) -> list[Sentence]:
    """The sentences at the head of a message, where people and models say what they want and how it went."""
    return sentences(message.text[: _HEAD[message.role]])


_HEAD: Final = {Role.USER: 3_000, Role.ASSISTANT: 800, Role.TOOL: 800, Role.SYSTEM: 0}


def task_in(sentence: Sentence) -> Asked | None:
    """What a user's sentence wants done, without its politeness; None when it wants nothing done."""
    text = sentence.text.strip()
    found = _REQUEST.match(text)
    if found is None:
        abroad = len(text) > _SHORTEST_ABROAD and _ASKED_ABROAD.search(text)
        return Asked(text, direct=True) if abroad else None
    core = (found.group("asked") or found.group("meant") or found.group("told")).strip()
    if _TALK.match(core) or len(core.split()) < _FEWEST_WORDS:
        return None
    return Asked(core, direct=not found.group("meant"))


_SHORTEST_ABROAD: Final = 8
_FEWEST_WORDS: Final = 2


def tells_of_problem(sentence: Sentence) -> bool:
    """Whether a user's sentence says that something does not work."""
    return not sentence.asks and bool(_PROBLEM.search(sentence.text))


def tells_of_work(message: Message) -> bool:
    """Whether the assistant says that it did something, or hands something over."""
    return "```" in message.text or any(_WORKED.search(one.text) for one in said_in(message) if not one.asks)


def outcome_in(message: Message) -> tuple[Outcome, str] | None:
    """How it went by what a message says of it, with the sentence that says so; the last such sentence counts.

    Of the assistant only what it says of its own work counts, for advice is full of things that work.
    """
    found: tuple[Outcome, str] | None = None
    told = said_in(message)
    for one in told:
        if not _tells_how_it_went(one, message.role):
            continue
        said = _said(one.text)
        if said is None and len(told) == 1 and _PLEASED.match(one.text) and _words(one.text) <= _LONGEST_PLEASED:
            said = Outcome.SUCCESS
        if said is not None:
            mixed = found is not None and found[0] is Outcome.SUCCESS and said is Outcome.FAILURE
            found = (Outcome.PARTIAL if mixed else said), one.text
    return found


def _tells_how_it_went(sentence: Sentence, role: Role) -> bool:
    if sentence.asks or _UNREAL.match(sentence.text) or _words(sentence.text) > _MOST_WORDS:
        return False
    if role is Role.ASSISTANT:
        return bool(_WORKED.search(sentence.text))
    return task_in(sentence) is None or bool(_TRIED.search(sentence.text))


def _words(text: str) -> int:
    return len(text.split())


def _said(sentence: str) -> Outcome | None:
    if _PARTIAL.search(sentence):
        return Outcome.PARTIAL
    failures = list(_FAILURE.finditer(sentence))
    rest = _FAILURE.sub(lambda found: "#" * len(found.group()), sentence)
    success = _SUCCESS.search(rest)
    if failures and success:
        return Outcome.SUCCESS if success.start() > failures[-1].start() else Outcome.PARTIAL
    if failures:
        return Outcome.FAILURE
    return Outcome.SUCCESS if success else None


def is_filler(sentence: str) -> bool:
    """Whether the assistant's `sentence` is mere courtesy."""
    return bool(_FILLER.match(sentence))


def is_lesson(sentence: str) -> bool:
    """Whether `sentence` says what was learned."""
    return bool(_LESSON.search(sentence))


def moves_on(text: str) -> bool:
    """Whether `text` announces another subject."""
    return bool(_MOVES_ON.match(text.strip()))


def gives_thanks(text: str) -> bool:
    """Whether `text` thanks, as one does when something is over."""
    return bool(_THANKS.search(text))
