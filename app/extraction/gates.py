"""What is no statement worth keeping: questions, suppositions, doubts, courtesies, talk about the talk or the task."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_I: Final = re.IGNORECASE

_QUESTION: Final = re.compile(
    r"(?:(?:and|but|so|ok|okay|well|hey|also|hi)[, ]+)*(?:what(?! (?:i|we) (?:enjoy|love|like|hate|dislike) (?:the"
    r" )?(?:most"
    r"|best)\b[^?]*$)|who|whom|whose|which|why|how|where|when(?= (?:do|does"
    r"|did"
    r"|is|are|was|will|can|should))|do|does|did|is|are|was|were|am|can|could|would|will|should|shall|may|have|has"
    r"|isn't|aren't|don't you|doesn't|didn't|wouldn't|couldn't|can't you|any(?: \w+){0,2} (?:ideas?|tips|advice)"
    r"|is it true)\b(?!(?: about)? (?:ever|a ))",
    _I,
)
_SUPPOSED: Final = re.compile(
    r"(?:if|suppose|supposing|imagine|let's say|say|pretend|assuming|assume|unless|what if|in case|hypothetically"
    r"|theoretically|even if|as if|for example|for instance|e\.g)\b",
    _I,
)
_UNREAL: Final = re.compile(
    r"\b(?:if i (?:were|was|had|lived|could)|i would(?:n't)? (?:have|be) .* if|i wish|were i)\b", _I
)
_DOUBT: Final = re.compile(
    r"(?:\b(?:i|we) (?:\w+ )?(?:might|may|could|would(?! (?:like|love|prefer|rather))|should|wonder|guess|suppose|doubt"
    r"|assume|think|believe|bet|imagine|wouldn't mind)\b|\b(?:maybe|perhaps|possibly|not sure|probably|hopefully"
    r"|apparently|supposedly|i'd (?:try|go with|start|use|pick|do|add|put|change|say|guess|think|imagine|have|be"
    r"|assume)|no idea|kinda wish)\b)",
    _I,
)
_COURTESY: Final = re.compile(
    r"(?:thanks?\b|thank you|thx|ty\b|cheers|you're welcome|welcome\b|hi\b|hello|hey\b(?! i)|good (?:morning|evening"
    r"|afternoon|night|luck|job|point|idea)|bye|see you|take care|have a (?:good|nice|great)|nice\b|great\b|cool\b"
    r"|awesome|wow\b|perfect|sounds? (?:good|great|fun|like)|lol|haha|congrat|happy (?:birthday|new)|sorry\b|no problem"
    r"|no worries|sure\b|exactly|absolutely|definitely|of course|yes\b|yeah\b|yep\b|no\b|nope|ok\b|okay\b|right\b|hmm"
    r"|oh\b|aw+\b|love that|love it|glad\b|so (?:glad|happy|cool|true|sweet|nice)|that's|that is|that makes|that was"
    r"|that sounds|it's|it is|it was|what a|good to|nice to|you're|you are|you've|your |you )",
    _I,
)
_META: Final = re.compile(
    r"(?:i|we) (?:\w+ )?(?:think|know|meant?|see|get(?= (?:it|that|your|what|the point))|agree|understand|remember|hear"
    r"|said|say|ask(?:ed)?|told you|mentioned|hope (?:you|that helps|this|so|it)|feel you|bet|appreciate|trust"
    r"|look forward|can(?:'t| not|not)? (?:see|wait|imagine|tell|believe|agree|understand|relate))\b"
    r"|(?:i|we)(?:'m| am|'re| are| was| were) (?:\w+ )?(?:fine|good|ok|okay|sure|sorry|glad|happy(?: to| that| for"
    r"| you)|afraid"
    r"|confused|stuck|lost|done|ready|here|back|curious|wondering|asking|talking about|impressed|proud of you|so proud"
    r"|referring|not sure|sure|serious|kidding|joking|all ears|in awe|surprised|excited for you)\b"
    r"|(?:i|we)(?: do|'ve| have)?(?: not|n't)? (?:have|got)? ?(?:a |an |some |another |one |few |any |no )*(?:more "
    r"|quick "
    r"|other |follow-up )*(?:questions?|idea|doubts?|requests?|concerns?|clue|problem with|issues? with)\b"
    r"|(?:i|we) (?:\w+ )?(?:don't|didn't|do not|can't|cannot|couldn't) (?:\w+ )?(?:know|understand|get|see|remember"
    r"|think|mean|agree|believe|follow|find|figure|recall|care|mind)\b"
    r"|(?:i|we) (?:really |just |also |do )?(?:like|love|enjoy|prefer|want|need|hate|appreciate) (?:it|that|this|these"
    r"|those|them|your?|how you|what you|the way|the (?:idea|answer|sound|first|second|last|suggestion|look))\b"
    r"|(?:i|we) (?:have to|need to|must|should|gotta|better) (?:go|leave|run|head out|get going|sleep)(?: now)?\b"
    r"|let (?:me|us)\b|let's (?:see|start|talk|try|begin|move|continue|do (?:it|this|that)|go(?! with)|get|look|say"
    r"|make"
    r"|plan|create|write|think|check|hope|discuss|focus)\b|(?:i|we)(?:'ll| will) (?:\w+ )?(?:think|try|check|see|look"
    r"|let"
    r"|get back|keep|do (?:it|that)|be (?:sure|there|back)|have to check|definitely)\b",
    _I,
)
_REQUEST: Final = re.compile(
    r"(?:please |now |then |just |next,? |first,? |also,? |and |so |ok,? |kindly )*(?:(?:i|we)(?:'d| would)? (?:\w+ )?"
    r"(?:want|need|like|love|asked?|expect|wish)(?: for)? you\b|(?:i|we)(?:'d| would)? (?:\w+ )?(?:want|need|like|love"
    r"|have|wanted|hope|plan|intend|decide)(?: \w+)?? to (?:know|ask|see|understand|thank|say|check|make sure|add|fix"
    r"|implement|convert|create|write|generate|get|find|print|be (?:clear|sure"
    r"|able(?! to (?:speak|hold|run a|swim|play|read|live|cook|walk|retire|travel|afford|ride|drive|buy|dance"
    r"|sing)\b))|confirm|discuss|talk|share|mention"
    r"|point|tell|test|debug|run|use|hear|handle|ensure|display|show|store|call|parse|return|return|set|update|refactor"
    r"|deploy|optimi[sz]e|integrate|calculate|build a|make (?:a|the|it|this)|do (?:this|that|it))\b|(?:help|give|tell"
    r"|show|explain|write|rewrite|translate|summari[sz]e|make|create|generate|list|find|fix|add|remove|change|convert"
    r"|describe|compare|suggest|recommend|act|act as|check|review|provide|draft|continue|try|look|consider|note|see"
    r"|imagine|calculate|solve|keep (?:it|going)|shorten|expand|format|update|implement|send|read|use|think|include"
    r"|remind|ask|let|put|replace|refactor|optimi[sz]e|design|build|analy[sz]e|proofread|edit|correct|wait|stop|run"
    r"|forget|ignore|assume|start|go ahead|say|repeat|do)\b(?! i\b)"
    r"|(?:book|order|reserve|schedule|cancel|buy|arrange|get|call|text|email|message|pay|transfer|set|search|google"
    r"|plan|pick|wake|turn|play|prepare|organi[sz]e|invite|pull) (?:me|us|my|our|an?|the|another|some|it|this|that|for"
    r"|up|off)\b|(?:i|we)(?:'d like| would like| want| need"
    r"|'m looking for| am looking for) (?:an?|some|the|one|another|more|\w+) (?:\w+ ){0,2}?(?:tables?"
    r"|lists?|summary|examples?|functions?|scripts?|regex|quer(?:y|ies)|recipes?|e-?mails?|paragraphs?|versions?"
    r"|explanations?|tips|ideas?"
    r"|suggestions?|advice|help|templates?|outline|code|drafts?|reports?|details|information|info|recommendations?"
    r"|titles?|names for)\b)",
    _I,
)
_CODE_THING: Final = (
    r"(?:error|exception|bug|tests?|line \d+|code|function|method|class|variable|compil\w+|build|stack ?trace|traceback"
    r"|commit|branch|pr|pull request|script|query|terminal|console|log|import|loop|array|string|regex|endpoint|api call"
    r"|repo|fix|patch|patches|merge|deployment|pipeline|ci|lint\w*|warning|segfault|null|undefined|output|file|module"
    r"|package|dependency|config|docker\w*|container|server|syntax|component|button|css|html|page|route|migration)s?"
)
_IN_PROGRESS: Final = re.compile(
    rf"(?:(?:i|we)(?:'m| am|'re| are|'ve| have|'ve been| have been|'ll| will)? "
    rf"(?:going to |gonna |about to |trying to )?"
    rf"(?:\w+ )?(?:just |been |still |already |now )*(?:re-?)?"
    rf"(?:push|fix|run|ran|runn|get|gett|got|see|try|tri|debug|merg|commit|restart|install|updat|upgrad|test|add|chang"
    rf"|remov|refactor|rebas|deploy|copi|copy|past|writ|wrote|hav|implement|us|work)\w* .*?\b{_CODE_THING}\b"
    rf"|(?:my|our|the|this|that|your) (?:\w+ ){{0,2}}{_CODE_THING}\b .*?\b(?:fail|doesn't|does not|won't|isn't|not"
    rf"|crash"
    rf"|never|terminat|throw|break|broke|return|show|work|hang|pass|run|compil|say|is (?:wrong|red|green|slow|broken"
    rf"|missing|down)"
    rf"|loop)\w*|(?:it|this|that) (?:\w+ )?(?:fail|work|crash|break|throw|compil|return)\w*)",
    _I,
)
_LASTING: Final = re.compile(
    r"\b(?:always|(?<!loop )(?<!script )never(?! (?:terminat|finish|return|end|stop|compil|run))|prefer|decided"
    r"|agreed|chose|chosen|every|usually|from now on|settled|migrated|standardi[sz]ed|our"
    r" (?:stack|team|company|policy)|for (?:a living|work)|we use|i use)\b",
    _I,
)

GATES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {"question": _QUESTION, "supposition": _SUPPOSED, "courtesy": _COURTESY, "meta": _META, "request": _REQUEST}
)
"""What the beginning of a clause gives away."""


def is_question(clause: str) -> bool:
    """Whether `clause` is worded as a question, with or without its mark."""
    return clause.rstrip().endswith("?") or bool(_QUESTION.match(clause))


def is_supposed(clause: str) -> bool:
    """Whether `clause` speaks of what is not so: conditions, wishes, examples."""
    return bool(_SUPPOSED.match(clause) or _UNREAL.search(clause))


def is_doubtful(clause: str) -> bool:
    """Whether the speaker is not sure of `clause`."""
    return bool(_DOUBT.search(clause))


def is_work_talk(clause: str) -> bool:
    """Whether `clause` reports the state of work in progress on code, which is stale tomorrow."""
    return bool(_IN_PROGRESS.match(clause)) and not _LASTING.search(clause)


def is_small_talk(clause: str) -> bool:
    """Whether `clause` is courtesy, reaction, or talk about the conversation itself."""
    return bool(_COURTESY.match(clause) or _META.match(clause))


_PASSING: Final = re.compile(
    r"(?:here(?:'s| is| are)|check (?:out|this)|take a look|look at)\b"
    r"|(?:i|we)(?:'m| am|'re| are|'ll| will)(?: \w+)?? ?(?:going to |gonna |definitely |also |still |just )*(?:keep"
    r"|continue|try"
    r"|give|let|send|share|ask|check|look|see|think|make sure|do my|remember|tell|show|get back|help|be|have to|need to"
    r"|focus on)\b"
    r"|(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were| feel| felt)(?: \w+ly| so| very| also| still| just|"
    r" always"
    r"| too| super| pretty| more| all| kind of| a bit)* (?:excited|stoked|pumped|thrilled|thankful|grateful|lucky"
    r"|blessed"
    r"|determined|ready|nervous|relieved|touched|hono?u?red|overwhelmed|speechless|amazed|blown away|psyched|hyped"
    r"|eager"
    r"|fired up|glad|happy|proud of you|jealous|impressed|certain|confident|optimistic|hopeful)\b"
    r"|(?:i|we)(?:'m| am|'re| are|'ve been| have been)(?: \w+ly| so| very| also| still| just| super| pretty| really|"
    r" all)*"
    r" (?:tired|busy|swamped|exhausted|slammed|hooked already|looking forward|over the moon|doing (?:well|ok|okay|good"
    r"|great|fine))\b"
    r"|we (?:all|gotta|have to|got to|need to|should|can(?! ?not))\b|this is (?:the|a|my|what|how|one)\b"
    r"|(?:i|we) (?:really |just )?need(?:ed)? (?:a|some|this|that|to hear)\b"
    r"|(?:i|we) (?:\w+ )?(?:had (?:a (?:blast|ball|great|good|lovely|wonderful|nice|fun)|so much fun|such|lots of"
    r" fun|to take"
    r" a)|heard|tried (?:my|our) best|hear)\b|(?:every|each) (?:little |small |single )?(?:thing|step|bit|day is)\b"
    r"|\w+ing \w*(?: \w+){0,2} (?:felt|feels|sounds|seems)\b"
    r"|(?:i|we)(?:'ve| have)?(?: got| have|'ve got) (?:some |an? |another |the )?(?:\w+ )?(?:news|story|update|pic"
    r"|picture|photo"
    r"|shot|confession)\b|(?:i|we)(?:'ve| have)? (?:got|took|snapped|found) (?:an?|some|this|the|these) (?:\w+"
    r" )?(?:shot|pic"
    r"|picture|photo|snap)s?\b|(?:i|we)(?:'m| am|'re| are)? (?:\w+ )?(?:do|doing|try|trying|did|gave|give) (?:my"
    r"|our) (?:very "
    r")?(?:best|all)\b|(?:i|we) (?:\w+ )?(?:feel|felt) (?:an?|such)\b|(?:i|we) (?:\w+ )?had (?:an? |so |lots |tons "
    r"|such |much "
    r"|of |ton |lot |really |super )*(?:fun|blast|ball)\b|(?:i|we) (?:\w+ )?(?:believe|appreciate|cherish)\b"
    r"|(?:\w+ ){0,3}(?:something|things?|stuff)(?:'s| has|'ve)? (?:\w+ ){0,2}happened\b|(?:i|we)(?:'m| am|'re| are)"
    r" off to\b"
    r"|(?:i|we)(?:'ve| have)?(?: got)? a feeling\b|(?:it's )?been (?:an?|such|quite) \b|same (?:with|for) (?:me|us)\b"
    r"|(?:i|we)(?:'ll| will) \w+\b|(?:i|we)(?:'d| would) (?:suggest|recommend|advise|say|start|be happy|be glad|be"
    r" honou?red)\b"
    r"|(?:i|we) (?:\w+ )?(?:feel|felt) (?:the same|your|so|like|really|very|more|pretty|much|better|good|great|bad)\b"
    r"|(?:i|we) (?:couldn't|can't|could not) (?:agree|wait|believe|have (?:done|made))\b"
    r"|(?:seems|sounds|looks) like\b|(?:a )?lot(?:'s| has|s have| of things have) (?:changed|happened|been)\b"
    r"|(?:i|we) (?:\w+ )?(?:totally|completely|absolutely|fully)? ?(?:agree|understand|get it|relate|believe in)\b",
    _I,
)


_SEEKING: Final = re.compile(
    r"(?:and |but |so )?(?:(?:i|we)(?:'m| am|'re| are|'ve been| have been| was)(?: \w+)?? (?:trying|struggling"
    r"|attempting|looking"
    r"|hoping|working|having (?:a bit of |some )?(?:trouble|difficult(?:y|ies)|a hard time|issues?|problems?))(?: to"
    r"| with| on)?"
    r" ?(?:understand\w*|figur\w+|solv\w+|integrat\w+|optimi[sz]\w+|fix\w*|implement\w*|calculat\w+|determin\w+"
    r"|debug\w*|set(?:ting)?"
    r" up|configur\w+|decid\w+|find(?:ing)? (?:out|the|a)|add(?:ing)?|creat\w+|deploy\w*|pars\w+|handl\w+|connect\w*"
    r"|convert\w*"
    r"|comput\w+|prov(?:e|ing)|deriv\w+|simplif\w+|evaluat\w+|estimat\w+|resolv\w+|ensur\w+|verify\w*|structur\w+"
    r"|draft\w*|word"
    r"|phras\w+|make sense|get(?:ting)? (?:it|this|the|my (?:head|code|script|app)|started))\b"
    r"|(?:i|we)(?:'m| am|'re| are)(?: \w+)?? having (?:a bit of |some )?(?:trouble|difficult(?:y|ies)|a hard time"
    r"|issues?|problems?)\b"
    r"|(?:i|we)(?:'d| would|'ll| will|'m| am)?(?: \w+)?? (?:need|want|appreciate|like|could use|welcome|looking for"
    r"|seeking"
    r"|love)(?: \w+){0,3}? (?:help|advice|guidance|feedback|suggestions?|input|tips|assistance|recommendations?"
    r"|clarification)\b"
    r"|(?:i|we)(?:'m| am|'re| are)? (?:\w+ )?(?:not|n't|un)[ -]?(?:entirely |really |quite |100% |too )?(?:sure"
    r"|certain|clear)"
    r" (?:how|which|if|what|whether|where|why|about|it|that|when|who)\b"
    r"|(?:i|we)(?: just| really| also)? (?:want|wanted|need|would like|have) to (?:make sure|ensure|be sure|confirm"
    r"|verify"
    r"|know|ask|check|understand)\b|(?:was|is|were|are) (?:that|it|this|they) (?:the |a )?\w+)",
    _I,
)


def is_seeking(clause: str) -> bool:
    """Whether `clause` tells of a difficulty with the task at hand or asks for help with it."""
    return bool(_SEEKING.match(clause))


def is_passing(clause: str) -> bool:
    """Whether `clause` is a mood, a promise or a pointer of the moment, which says nothing tomorrow."""
    return bool(_PASSING.match(clause))


def is_request(clause: str) -> bool:
    """Whether `clause` asks the assistant to do something now."""
    return bool(_REQUEST.match(clause))
