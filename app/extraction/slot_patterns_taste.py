"""Rows about what the speaker likes, does, owns, aims at and decides."""

from typing import Final

from app.extraction.slot_rule import ADV, AM, BEEN, YOU_ASKED, Rule, changed, denied, ended, rule

_REPLY: Final = (
    r"(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|messages?|summar(?:y|ies)|emojis?|bullet(?:s| points?"
    r"| lists?)?"
    r"|tone|jargon|formal(?:ly)?|informal(?:ly)?|concise(?:ly)?|brief(?:ly)?|short(?:er)?|detailed|details?|verbose"
    r"|direct"
    r"|markdown|tables?|headings?|code (?:examples?|comments?)|examples?|metric|celsius|fahrenheit|units?|polite"
    r"|friendly"
    r"|casual|language|english|german|french|spanish|chinese|italian|simple (?:words|terms|language)"
    r"|step[- ]by[- ]step|sources?"
    r"|links|apologi[sz]e|apologies|sugarcoat|to the point|technical|plain (?:english|text|language)|sentences?"
    r"|em dashes)"
)
STYLE: Final[tuple[Rule, ...]] = (
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:always|never|from now on|don't ever|do not ever) (?:call"
         rf"|address|answer|reply"
         r"|respond|use|write|give|include|start|end|add|speak|ask|remind|explain|show|keep|cite|format|be|talk|send"
         r"|suggest"
         r"|mention|provide|quote|translate|contact|message|refer|put|avoid|apologi[sz]e|assume|say|tell)\b.*)"),
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:don't|do not|avoid|stop|no more|skip"
         rf"|no need for) (?:\w+ ){{0,3}}?{_REPLY}\b.*)"),
    rule("preference.response_style", rf"{YOU_ASKED}(?P<v>(?:keep|make) (?:your|all|the|all your"
         rf"|your future) {_REPLY} .*)"),
    rule("preference.response_style", r"(?:please |kindly |in future,? |from now on,? |going forward,? )+(?P<v>(?:be"
         r"|use|answer|reply|respond"
         rf"|speak|write|talk|explain|address|give|keep)(?! (?:it|this|that"
         rf"|the following)\b)(?: \w+){{0,4}}? (?:more |less )?{_REPLY}\b.{{0,40}})"),
    rule("preference.response_style", r"(?:i(?:'d| would) (?:like|prefer|love|appreciate)(?: it if)?|i (?:want|need"
         r"|expect)) you(?: to)?"
         rf" (?P<v>(?:always |never |not (?:to )?)?(?:be|keep|use|answer|reply|respond|address|stop|speak|write"
         rf"|explain)(?: \w+){{0,4}}?"
         rf" (?:more |less )?{_REPLY}\b.*)"),
    rule("preference.response_style", r"(?:i(?:'d| would) (?:like|prefer|love) "
         r"|i want )you (?:to )?(?P<v>(?:not )?(?:call|address) me .+)"),
    rule("preference.response_style", rf"i(?:'d)? {ADV}(?:prefer|like|want) (?:(?:my|your|the|to get|to have"
         rf"|to receive) )?(?P<v>(?:\w+ ){{0,3}}?"
         r"(?:answers|replies|responses|explanations|summaries|bullet points|bullet lists)(?: .*)?)"),
    rule("preference.response_style", r"(?P<v>(?!i\b).+?),? when(?:ever)? (?:you )?(?:answer|reply|respond|explain"
         r"|write|talk)(?:ing)? (?:to )?me"),
    rule("preference.response_style", r"your (?:answers|replies|responses) (?:should|must"
         r"|need to) (?:always )?(?P<v>be .*|use .*)"),
)  # fmt: skip

_FAN: Final = r"(?:an? )?(?:\w+ )?(?:fan|lover) of"
LIKES: Final[tuple[Rule, ...]] = (
    rule("preference.favourite.{t}", r"(?:my|our) (?:all-time |absolute |personal "
         r"|current )?favou?rite (?P<t>(?!ones?\b|things?\b|parts?\b)[\w-]+(?: [\w-]+){0,2}?)(?: of all time| ever)?"
         r"(?:'s| is| are| has always been| would be| to \w+ is)(?: probably| definitely| now| still)? (?P<v>.+)"),
    rule("preference.favourite.{t}", r"(?P<v>.+?) (?:is|are) (?:my|our) (?:all-time "
         r"|absolute )?favou?rite (?P<t>[\w -]{2,30})"),
    rule("preference.like", r"(?P<v>.+?) (?:is|are) (?:my|our) (?:all-time |absolute )?favou?rites?"),
    rule("preference.like", r"(?P<v>(?!i\b|my\b|it\b|that\b|this\b)(?:(?!\b(?:don't|doesn't|not|didn't|won't|it|that"
         r"|this)\b).)+?) (?:works?|suits?) (?:best |well |great |better )?(?:for )?me(?: best| well)?"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}(?:prefer|like|love|enjoy|favou?r) (?P<v>.+?) (?:over"
         rf"|rather than|instead of"
         r"|more than|better than|(?<=prefer )to(?= \w+$)) (?P<x>.+)"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}prefer (?!if|that|it|you"
         rf"|not)(?P<v>.+?) to (?P<x>(?!be\b|do\b|have\b|go\b|get\b)\w.+)"),
    rule("preference.prefers", r"(?:i|we)(?:'d| would) (?:much )?rather (?!not)(?P<v>.+?) than (?P<x>.+)"),
    rule("preference.prefers", rf"{AM}(?:much )?(?:more (?:of )?)?an? (?P<v>[\w ]+?)(?: person| guy| girl)? (?:than"
         rf"|rather than|not) an? (?P<x>[\w ]+?)"
         r"(?: person| guy| girl)?"),
    rule("preference.like", rf"{AM}an? (?P<v>[\w-]+) (?:person|lover|enthusiast|addict|buff|nerd|fanatic|junkie"
         rf"|aficionado)"),
    rule("preference.prefers", rf"(?:i|we)(?:'d| would)? {ADV}prefer (?!if|that|it|you|not)(?:to )?(?P<v>.+)"),
    ended("preference.like", rf"(?:i|we) {ADV}no longer (?:really )?(?:like|enjoy|love) (?P<v>.+)"),
    changed("preference.prefers", rf"(?:i|we)(?:'ve| have)? {ADV}(?:switched|changed) (?:over )?(?:from (?P<x>.+?) )?to"
            r" (?P<v>(?!(?:an?|the|my|our|another|using|working|doing|being|part|full|night|day|it|that|this|plan|new|"
            r"english|[\w ]*\b(?:jobs?|teams?|shifts?|branch|tabs?|versions?|files?|lines?|windows?|threads?|functions?"
            r"|methods?|channels?|schools?|companies|company|departments?|roles?))\b).+)"),
    rule("preference.prefers", rf"(?:i|we) {ADV}(?:always|only) (?:want|book|take|go for) (?!(?:to|the|it|this|that|you"
         r"|one|a yes|yes|my|our|your)\b)(?P<v>.+)"),
    denied("preference.like", rf"i {ADV}(?:don't|do not) (?:really )?(?:like|enjoy|love) (?P<v>.+?) any ?more"),
    rule("preference.dislike", rf"(?:i|we) {ADV}(?:don't|do not|never|didn't ever)(?: really| particularly| much"
         rf"| even| at all)? (?:like|enjoy|love|care for)"
         r" (?:it )?(?P<v>.+)"),
    rule("preference.dislike", rf"(?:i|we) {ADV}(?:can't stand|cannot stand|can't bear|hate|dislike|detest|loathe"
         rf"|despise|can't tolerate)"
         r" (?:it )?(?P<v>.+)"),
    rule("preference.dislike", rf"{AM}(?:not|no|never been) (?:really |too |so |particularly |that |very "
         rf"|exactly )*(?:{_FAN}|into|fond of|keen on"
         r"|crazy about|big on) (?P<v>.+)"),
    rule("preference.like", rf"(?:i|we)(?:'ve)? {ADV}(?:like|love|enjoy|adore|loved)(?! to (?:know|see|ask|hear|thank"
         rf"|get|have)\b)(?: to)? (?P<v>.+)"),
    rule("preference.like", rf"(?:{BEEN}){ADV}(?:{_FAN}|into|fond of|keen on|crazy about|passionate about"
         rf"|obsessed with|addicted to"
         r"|a sucker for) (?P<v>.+)"),
)  # fmt: skip

HABITS: Final[tuple[Rule, ...]] = (
    ended("habit", r"i used to (?!live|work|be|have|think|own|speak)(?P<v>.+?)(?:,? but .*)?"),
    ended("habit", rf"i(?:'ve| have)? {ADV}(?:quit|stopped|gave up|given up) (?P<v>(?!working|using|here|by|at|in|my"
        rf"|the|reading)\w+ing\b.*)"),
    ended("habit", rf"i {ADV}(?:no longer|don't)(?= .* any ?more) (?!eat|drink|live|work|like|have|want|need|know"
        rf"|speak)(?P<v>.+?)(?: any ?more)?"),
    denied("habit", r"i (?:never|rarely|hardly ever|seldom) (?!had|got|said|knew|thought|been|went|heard|saw|liked"
        r"|\w+ed\b|know|understand"
           r"|want|mind|meant|made|eat|drink)(?P<v>.+)"),
    rule("habit", r"i (?:usually|often|normally|typically|regularly|generally|always|tend to|mostly) (?!get (?:an?"
         r"|this|the) (?:error|exception)"
         r"|wanted|liked|loved|thought|knew|felt|have (?:a )?(?:problem|issue)|forget|want|think"
         r"|wonder)(?:like to )?(?P<v>(?!\w+ed\b).+)"),
    rule("habit", r"i (?P<v>work (?:nights|from home|remotely|part[- ]time|full[- ]time|night shifts?|shifts|weekends"
         r"|four days).*)"),
    rule("habit", r"(?:i|we) (?P<v>(?!have|had|got|was|were|said|will|can|could|should|would|must|might|may|never"
         r"|did|need|want|feel|think|know|am|went|get paid"
         r"|use|pay)(?!\w+ed\b)[a-z]+\b.*?"
         r" (?:(?:every|each) (?:single |other |second |few |\d+ |two |three )?(?:day|morning|evening|night"
         r"|afternoon|week|weekend"
         r"|month|year|time|summer|winter|spring|autumn|fall|hour|\w+day|days|weeks|months|years|hours|january|may"
         r"|june|july"
         r"|august|december|christmas|easter)|once a|twice a|three times a|\w+ times a|on (?:mon|tues|wednes|thurs"
         r"|fri|satur|sun)days"
         r"|daily(?! \w+ (?:of|they|that))|weekly|at weekends"
         r"|on weekends)\b.*)"),
    rule("habit", r"i (?P<v>(?:smoke|vape|meditate|commute|volunteer|jog|journal|babysit)\b.*)"),
)  # fmt: skip

_TASK: Final = (
    r"(?!(?:know|ask|see|take a look|decide (?:if|whether|between|on)|choose (?:between|the)|determine|chat|catch up"
    r"|understand"
    r"|thank|say|check|make (?:sure|it|this|that|the)|add|fix|implement"
    r"|convert|create|write (?:a |an |the |some )?"
    r"(?:function|script|test|query|email|code|class|program)|generate|get (?:the|this|it|some|a|an|rid|back)|find"
    r"|print|be (?:clear|sure|able(?! to (?:speak|hold|run a|swim|play|read|live|cook|walk|retire|travel|afford|ride"
    r"|drive|buy|dance|sing)\b))"
    r"|confirm|discuss|talk|share|mention|point|tell|test|debug|run (?:this|the|it|my)|use|hear|handle|ensure|display"
    r"|show|store|call"
    r"|parse|return|set|update|refactor|deploy|optimi[sz]e|integrate|calculate|figure|do (?:this|that|it|so)|help|try"
    r"|give|let|go back|make a point"
    r"|keep|think|focus on|follow|include|improve (?:my|the|this) (?:code|query|script|function|app|performance)"
    r"|connect|count|compute|open|load|save|upload|download|install|build a|compile|configure|reproduce|replace"
    r"|import|export|log in"
    r"|access|send|reply|explain|solve|work (?:it|this|that) out|cover|have (?:it|this|that|the)|put|look|start by"
    r"|come up)\b)"
)
GOALS: Final[tuple[Rule, ...]] = (
    rule("goal", rf"(?:i|we) {ADV}(?:want|hope|plan|aim|intend|wish|aspire)(?:ed)? to {_TASK}(?P<v>.+)"),
    rule("goal", rf"(?:i|we)(?:'d| would) {ADV}(?:like|love) to {_TASK}(?P<v>.+)"),
    rule("goal", rf"(?:i|we)(?:'m| am|'re| are|'ve been| have been) {ADV}(?:planning|hoping|aiming|trying|intending"
         rf"|striving|looking|working hard)"
         rf" (?:on |to )(?:(?:get |be )(?!back|into|over|out|through|up|on|in|better)\b)?{_TASK}(?P<v>(?!for\b"
         rf"|into\b|at\b|forward\b|up\b|out\b).+)"),
    rule("goal", rf"(?:i|we)(?:'m| am|'re| are|'ve been| have been) {ADV}(?P<v>(?:training for|saving (?:up )?(?:for"
         rf"|to)|preparing for|working towards?"
         r"|studying for|learning(?: how)?(?: to)?(?! (?:more )?about (?:this|that|it))) .+)"),
    rule("goal", r"(?:my|our) (?:\w+ )?(?:goal|aim|dream|ambition|resolution|target|objective)(?: for [\w ]+?"
         r"| this year)?(?:'s| is) (?:to )?(?P<v>.+)"),
    rule("goal", rf"{AM}(?:dreaming|thinking seriously) (?:of|about) (?P<v>.+)|i (?:have )?(?:always )?(?:dream"
         rf"|dreamed|dreamt) of (?P<v2>.+)"),
)  # fmt: skip

_DECIDED: Final = r"(?:decided|agreed|chosen|chose|opted|settled|resolved|concluded|committed)"
_DECIDERS: Final = (
    r"(?:i|we|(?:the|our|my) (?:team|board|company|family|management|group|committee|wife and i"
    r"|husband and i|partner and i))"
)
DECISIONS: Final[tuple[Rule, ...]] = (
    rule("decision", rf"{_DECIDERS}(?:'ve| have| has)? {ADV}(?:all |both |jointly )?{_DECIDED} (?:to go "
         rf"|to stick )?(?:on|to|that|for|upon|in favou?r of|with|we(?:'ll| will))? ?"
         r"(?P<v>.+?)(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", r"let's (?P<v>(?:go with|use|stick with|pick|choose|drop|keep (?=the\b|our\b|it at\b)|adopt"
         r"|stay with|switch to|move to|settle on|call it) .+?)"
         r"(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", rf"{_DECIDERS}(?:'ve| have)? {ADV}ended up (?P<v>(?:going with|choosing|picking|buying|using"
         rf"|keeping|switching|hiring|dropping|renting|selling|cancel\w+) .+?)(?: (?:instead of|over"
         rf"|rather than) (?P<x>.+))?"),
    rule("decision", r"we(?:'ve| have)? (?:finally |now |also |just )*(?P<v>(?:dropped|scrapped|went with|gone with"
         r"|picked|selected|rejected|cancelled|canceled|abandoned"
         r"|postponed|adopted|approved|ruled out) .+?)(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", rf"{_DECIDERS}(?:'m| am|'re| are|'ll| will| is) {ADV}(?P<v>(?:go with|going with"
         rf"|going ahead with|stick with|sticking with|switching to|dropping) .+?)"
         r"(?: (?:instead of|over|rather than) (?P<x>.+))?"),
    rule("decision", r"(?:the|our|my|the final) (?:final )?(?:decision|plan|choice|verdict|conclusion)(?:'s| is"
         r"| was) (?:that |to (?=\w))(?P<v>.+)"),
    denied("decision", r"we(?: won't| will not|'re not going to| are not going to|'ve decided not to| decided not to"
        r"| decided against) (?P<v>.+)"),
)  # fmt: skip

OWNS: Final[tuple[Rule, ...]] = (
    rule("possession", rf"(?:i|we) {ADV}(?:own|drive|ride) (?:an? |the |my )?(?P<v>.+)"),
    rule("possession", r"(?:i|we)(?:'ve got| have got| have| got) an? (?P<v>(?:new |old |used |second-hand |black "
         r"|white |red |blue |grey |silver )*(?-i:[A-Z])[\w-]+"
         r"(?: [\w-]+){0,4})"),
    rule("possession", r"(?:i|we)(?:'ve got| have got| have) (?P<v>(?:an? |one |two |three |four "
         r"|five )(?:\w+ ){0,2}(?:dogs?|cats?|horses?|cars?|bikes?|bicycles?|motorcycles?"
         r"|motorbikes?|boats?|houses?|flats?|apartments?|gardens?|pianos?|guitars?|chickens|rabbits?|parrots?"
         r"|printers?|allotments?|cabins?|kayaks?))"
         r"(?: (?:in|with|that|which|at|on).*)?"),
)  # fmt: skip

ALL: Final[tuple[Rule, ...]] = (*STYLE, *DECISIONS, *LIKES, *HABITS, *GOALS, *OWNS)
