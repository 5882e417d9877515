"""Rows about what the speaker likes, does, owns, aims at and decides."""

from typing import Final

from app.extraction.slot_rule import ADV, AM, BEEN, YOU_ASKED, Rule, denied, ended, rule

_REPLY: Final = (
    r"(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|messages?|summar(?:y|ies)|emojis?|bullet(?:s| points?| lists?)?"
    r"|tone|jargon|formal(?:ly)?|informal(?:ly)?|concise(?:ly)?|brief(?:ly)?|short(?:er)?|detailed|details?|verbose|direct"
    r"|markdown|tables?|headings?|code (?:examples?|comments?)|examples?|metric|celsius|fahrenheit|units?|polite|friendly"
    r"|casual|language|english|german|french|spanish|chinese|italian|simple (?:words|terms|language)|step[- ]by[- ]step|sources?"
    r"|links|apologi[sz]e|apologies|sugarcoat|to the point|technical|plain (?:english|text|language)|sentences?|em dashes)"
)
STYLE: Final[tuple[Rule, ...]] = (
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:always|never|from now on|don't ever|do not ever) (?:call|address|answer|reply"
         r"|respond|use|write|give|include|start|end|add|speak|ask|remind|explain|show|keep|cite|format|be|talk|send|suggest"
         r"|mention|provide|quote|translate|contact|message|refer|put|avoid|apologi[sz]e|assume|say|tell)\b.*)"),
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:don't|do not|avoid|stop|no more|skip|no need for) (?:\w+ ){{0,3}}?{_REPLY}\b.*)"),
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:keep|make) (?:your|all|the|all your|your future) {_REPLY} .*)"),
    rule("preference.response_style", r"(?:please |kindly |in future,? |from now on,? |going forward,? )+(?P<v>(?:be|use|answer|reply|respond"
         rf"|speak|write|talk|explain|address|give|keep)(?! (?:it|this|that|the following)\b)(?: \w+){{0,4}}? (?:more |less )?{_REPLY}\b.{{0,40}})"),
    rule("preference.response_style", r"(?:i(?:'d| would) (?:like|prefer|love|appreciate)(?: it if)?|i (?:want|need|expect)) you(?: to)?"
         rf" (?P<v>(?:always |never |not (?:to )?)?(?:be|keep|use|answer|reply|respond|address|stop|speak|write|explain)(?: \w+){{0,4}}?"
         rf" (?:more |less )?{_REPLY}\b.*)"),
    rule("preference.response_style", r"(?:i(?:'d| would) (?:like|prefer|love) |i want )you (?:to )?(?P<v>(?:not )?(?:call|address) me .+)"),
    rule("preference.response_style", rf"i(?:'d)? {ADV}(?:prefer|like|want) (?:(?:my|your|the|to get|to have|to receive) )?(?P<v>(?:\w+ ){{0,3}}?"
         r"(?:answers|replies|responses|explanations|summaries|bullet points|bullet lists))(?: .*)?"),
    rule("preference.response_style", rf"your (?:answers|replies|responses) (?:should|must|need to) (?:always )?(?P<v>be .*|use .*)"),
)  # fmt: skip

_FAN: Final = r"(?:an? )?(?:\w+ )?(?:fan|lover) of"
LIKES: Final[tuple[Rule, ...]] = (
    rule("preference.favourite.{t}", r"(?:my|our) (?:all-time |absolute |personal |current )?favou?rite (?P<t>[\w -]{2,30}?)(?: of all time| ever)?"
         r"(?:'s| is| are| has always been| would be| to \w+ is)(?: probably| definitely| now| still)? (?P<v>.+)"),
    rule("preference.favourite.{t}", r"(?P<v>.+?) (?:is|are) (?:my|our) (?:all-time |absolute )?favou?rite (?P<t>[\w -]{2,30})"),
    rule("preference.like", r"(?P<v>.+?) (?:is|are) (?:my|our) (?:all-time |absolute )?favou?rites?"),
    rule("preference.like", r"(?P<v>(?!i\b|my\b|it\b|that\b|this\b)(?:(?!\b(?:don't|doesn't|not|didn't|won't|it|that|this)\b).)+?) (?:works?|suits?) (?:best |well |great |better )?(?:for )?me(?: best| well)?"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}(?:prefer|like|love|enjoy|favou?r) (?P<v>.+?) (?:over|rather than|instead of"
         r"|more than|better than|(?<=prefer )to(?= \w+$)) (?P<x>.+)"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}prefer (?!if|that|it|you|not)(?P<v>.+?) to (?P<x>(?!be\b|do\b|have\b|go\b|get\b)\w.+)"),
    rule("preference.prefers", r"(?:i|we)(?:'d| would) (?:much )?rather (?!not)(?P<v>.+?) than (?P<x>.+)"),
    rule("preference.prefers", rf"{AM}(?:much )?(?:more (?:of )?)?an? (?P<v>[\w ]+?)(?: person| guy| girl)? (?:than|rather than|not) an? (?P<x>[\w ]+?)"
         r"(?: person| guy| girl)?"),
    rule("preference.like", rf"{AM}an? (?P<v>[\w-]+) (?:person|lover|enthusiast|addict|buff|nerd|fanatic|junkie|aficionado)"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}prefer (?!if|that|it|you|not)(?:to )?(?P<v>.+)"),
    denied("preference.like", rf"i {ADV}(?:don't|do not) (?:really )?(?:like|enjoy|love) (?P<v>.+?) any ?more"),
    rule("preference.dislike", rf"(?:i|we) {ADV}(?:don't|do not|never|didn't ever)(?: really| particularly| much| even| at all)? (?:like|enjoy|love|care for)"
         r" (?:it )?(?P<v>.+)"),
    rule("preference.dislike", rf"(?:i|we) {ADV}(?:can't stand|cannot stand|can't bear|hate|dislike|detest|loathe|despise|can't tolerate)"
         r" (?:it )?(?P<v>.+)"),
    rule("preference.dislike", rf"{AM}(?:not|no|never been) (?:really |too |so |particularly |that |very |exactly )*(?:{_FAN}|into|fond of|keen on"
         r"|crazy about|big on) (?P<v>.+)"),
    rule("preference.like", rf"(?:i|we)(?:'ve)? {ADV}(?:like|love|enjoy|adore|loved)(?! to (?:know|see|ask|hear|thank|get|have)\b)(?: to)? (?P<v>.+)"),
    rule("preference.like", rf"(?:{BEEN}){ADV}(?:{_FAN}|into|fond of|keen on|crazy about|passionate about|obsessed with|addicted to"
         r"|a sucker for) (?P<v>.+)"),
)  # fmt: skip

HABITS: Final[tuple[Rule, ...]] = (
    ended("habit", r"i used to (?!live|work|be|have|think|own|speak)(?P<v>.+?)(?:,? but .*)?"),
    ended("habit", rf"i(?:'ve| have)? {ADV}(?:quit|stopped|gave up|given up) (?P<v>(?!working|using|here|by|at|in|my|the|reading)\w+ing\b.*)"),
    ended("habit", rf"i {ADV}(?:no longer|don't)(?= .* any ?more) (?!eat|drink|live|work|like|have|want|need|know|speak)(?P<v>.+?)(?: any ?more)?"),
    denied("habit", r"i (?:never|rarely|hardly ever|seldom) (?!had|got|said|knew|thought|been|went|heard|saw|liked|\w+ed\b|know|understand"
           r"|want|mind|meant|made|eat|drink)(?P<v>.+)"),
    rule("habit", r"i (?:usually|often|normally|typically|regularly|generally|always|tend to|mostly) (?!get (?:an?|this|the) (?:error|exception)"
         r"|wanted|liked|loved|thought|knew|felt|have (?:a )?(?:problem|issue)|forget|want|think|wonder)(?:like to )?(?P<v>(?!\w+ed\b).+)"),
    rule("habit", r"i (?P<v>work (?:nights|from home|remotely|part[- ]time|full[- ]time|night shifts?|shifts|weekends|four days).*)"),
    rule("habit", r"(?:i|we) (?P<v>(?!have|had|got|was|were|said|will|can|need|want|feel|think|know|am|went|get paid|use|pay)(?!\w+ed\b)[a-z]+\b.*?"
         r" (?:every|each|once a|twice a|three times a|\w+ times a|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|weekly|at weekends"
         r"|on weekends)\b.*)"),
    rule("habit", r"i (?P<v>(?:smoke|vape|meditate|commute|volunteer|jog|journal|babysit)\b.*)"),
)  # fmt: skip

_TASK: Final = (
    r"(?!(?:know|ask|see|understand|thank|say|check|make (?:sure|it|this|that|the)|add|fix|implement|convert|create|write (?:a |an |the |some )?"
    r"(?:function|script|test|query|email|code|class|program)|generate|get (?:the|this|it|some|a|an|rid|back)|find|print|be (?:clear|sure|able)"
    r"|confirm|discuss|talk|share|mention|point|tell|test|debug|run (?:this|the|it|my)|use|hear|handle|ensure|display|show|store|call"
    r"|parse|return|set|update|refactor|deploy|optimi[sz]e|integrate|calculate|figure|do (?:this|that|it|so)|help|try|give|let|go back|make a point"
    r"|keep|think|focus on|follow|include|improve (?:my|the|this) (?:code|query|script|function|app|performance)|connect|count|compute"
    r"|access|send|reply|explain|solve|work (?:it|this|that) out|cover|have (?:it|this|that|the)|put|look|start by|come up)\b)"
)
GOALS: Final[tuple[Rule, ...]] = (
    rule("goal", rf"(?:i|we) {ADV}(?:want|hope|plan|aim|intend|wish|aspire)(?:ed)? to {_TASK}(?P<v>.+)"),
    rule("goal", rf"(?:i|we)(?:'d| would) {ADV}(?:like|love) to {_TASK}(?P<v>.+)"),
    rule("goal", rf"(?:i|we)(?:'m| am|'re| are|'ve been| have been) {ADV}(?:planning|hoping|aiming|trying|intending|striving|looking|working hard)"
         rf" (?:on |to )(?:get |be )?{_TASK}(?P<v>(?!for\b|into\b|at\b|forward\b|up\b|out\b).+)"),
    rule("goal", rf"(?:i|we)(?:'m| am|'re| are|'ve been| have been) {ADV}(?P<v>(?:training for|saving (?:up )?(?:for|to)|preparing for|working towards?"
         r"|studying for|learning(?: how)?(?: to)?(?! (?:more )?about (?:this|that|it))) .+)"),
    rule("goal", r"(?:my|our) (?:\w+ )?(?:goal|aim|dream|ambition|resolution|target|objective)(?: for [\w ]+?| this year)?(?:'s| is) (?:to )?(?P<v>.+)"),
    rule("goal", rf"{AM}(?:dreaming|thinking seriously) (?:of|about) (?P<v>.+)|i (?:have )?(?:always )?(?:dream|dreamed|dreamt) of (?P<v2>.+)"),
)  # fmt: skip

_DECIDED: Final = r"(?:decided|agreed|chosen|chose|opted|settled|resolved|concluded|committed)"
_DECIDERS: Final = r"(?:i|we|(?:the|our|my) (?:team|board|company|family|management|group|committee|wife and i|husband and i|partner and i))"
DECISIONS: Final[tuple[Rule, ...]] = (
    rule("decision", rf"{_DECIDERS}(?:'ve| have| has)? {ADV}(?:all |both |jointly )?{_DECIDED} (?:to go |to stick )?(?:on|to|that|for|upon|in favou?r of|with|we(?:'ll| will))? ?"
         r"(?P<v>.+?)(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", r"let's (?P<v>(?:go with|use|stick with|pick|choose|drop|keep|adopt|stay with|switch to|move to|settle on|call it) .+?)"
         r"(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", rf"{_DECIDERS}(?:'ve| have)? {ADV}ended up (?P<v>\w+ing .+?)(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", r"we(?:'ve| have)? (?:finally |now |also |just )*(?P<v>(?:dropped|scrapped|went with|gone with|picked|selected|rejected|cancelled|canceled|abandoned"
         r"|postponed|adopted|approved|ruled out) .+?)(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", rf"{_DECIDERS}(?:'m| am|'re| are|'ll| will| is) {ADV}(?P<v>(?:go with|going with|going ahead with|stick with|sticking with|switching to|dropping) .+?)"
         r"(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", r"(?:the|our|my|the final) (?:final )?(?:decision|plan|choice|verdict|conclusion)(?:'s| is| was) (?:that |to (?=\w))(?P<v>.+)"),
    denied("decision", r"we(?: won't| will not|'re not going to| are not going to|'ve decided not to| decided not to| decided against) (?P<v>.+)"),
)  # fmt: skip

OWNS: Final[tuple[Rule, ...]] = (
    rule("possession", rf"(?:i|we) {ADV}(?:own|drive|ride) (?:an? |the |my )?(?P<v>.+)"),
    rule("possession", r"(?:i|we)(?:'ve got| have got| have| got) an? (?P<v>(?:new |old |used |second-hand |black |white |red |blue |grey |silver )*(?-i:[A-Z])[\w-]+"
         r"(?: [\w-]+){0,4})"),
    rule("possession", r"(?:i|we)(?:'ve got| have got| have) (?P<v>(?:an? |one |two |three |four |five )(?:\w+ ){0,2}(?:dogs?|cats?|horses?|cars?|bikes?|bicycles?|motorcycles?"
         r"|motorbikes?|boats?|houses?|flats?|apartments?|gardens?|pianos?|guitars?|chickens|rabbits?|parrots?|printers?|allotments?|cabins?|kayaks?))"
         r"(?: (?:in|with|that|which|at|on).*)?"),
)  # fmt: skip

ALL: Final[tuple[Rule, ...]] = (*STYLE, *DECISIONS, *LIKES, *HABITS, *GOALS, *OWNS)
