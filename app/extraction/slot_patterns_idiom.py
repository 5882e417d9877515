"""Rows in the looser wordings of talk, tried where no plainer row of the other tables matches."""

from typing import Final

from app.extraction.slot_rule import ADV, AM, NAME, OF_ROLE, PETS, ROLE, ROLES, Rule, changed, denied, ended, rule

_PROPER: Final = r"(?-i:[A-ZÀ-Ý])[\w'.-]*(?: (?:de |of |upon |la |el )?(?-i:[A-ZÀ-Ý])[\w'.-]*)*"
_THING: Final = r"(?P<v>(?!i\b|we\b|you\b|he\b|she\b|they\b|it\b|that\b|this\b|there\b|if\b|when\b)[\w' /&-]{2,60}?)"
_HAS: Final = rf"(?:'ve| have|'d| had)? ?{ADV}"
_NOT_NOW: Final = r"(?:,? (?:any ?more|any longer))"
_LASTS: Final = r"(?:for good|permanently|these days|nowadays|full[- ]time)"
_DWELLING: Final = r"(?:house|home|flat|apartment|place|room|studio)"

HOME: Final[tuple[Rule, ...]] = (
    rule("profile.location", rf"(?:my |our )?home(?:'s| is) {ADV}(?:[\w-]+ ){{0,4}}?in (?P<v>{_PROPER})"),
    rule("profile.location", rf"(?P<v>{_PROPER}) is {ADV}(?:(?:my |our )?(?:new )?home|where (?:i|we) live)"
         r"(?: base)?(?: now| these days)?"),
    rule("profile.location", rf"(?:i|we)(?:'m| am|'re| are) {ADV}in (?P<v>{_PROPER})(?: now)?,? (?:\w+ )?{_LASTS}"),
    changed("profile.location", rf"(?:i|we){_HAS}(?:ended up living|put down roots|made (?:a|my|our) home|set up home"
            rf"|(?:got|found|bought|rented|been renting|rent) (?:an?|my|our) (?:\w+ )?{_DWELLING}) (?:near|in)"
            rf" (?P<v>{_PROPER})(?:,?"
            rf" .*)?"),
    changed("profile.location", r"(?:my|our) (?:company|employer|firm|job|work|boss)(?: has| have)?"
            r" (?:transferred|relocated|moved) (?:me|us) (?:over |back )?(?:from .+? )?to (?:the |its |their )?"
            rf"(?P<v>{_PROPER})(?: (?:office|branch|site|headquarters|plant))?(?:,? .*)?"),
    changed("profile.location", rf"(?:i|we)(?:'ve| have)? ?(?:was|were|got|been) (?:transferred|relocated) to (?:the )?"
            rf"(?P<v>{_PROPER})(?: (?:office|branch|site))?(?:,? .*)?"),
    ended("profile.location", rf"(?:i|we)(?:'m| am|'re| are) (?:no longer (?:based |living )?in (?P<v>{_PROPER})"
          rf"|not (?:based|living) in (?P<v2>{_PROPER}){_NOT_NOW})"),
)  # fmt: skip

_LET_GO: Final = r"(?:laid off|let go|fired|sacked|made redundant|dismissed)"
WORK: Final[tuple[Rule, ...]] = (
    ended("profile.employer", rf"i{_HAS}(?:handed in|gave(?: in)?|given|put in) my (?:notice|resignation)"
          r" (?:at|to|with) (?P<v>.+)"),
    ended("profile.employer", rf"i(?:'ve| have)? ?(?:was|got|been) {ADV}{_LET_GO} (?:by|from|at) (?P<v>.+)"),
    ended("profile.employer", rf"(?P<v>{_PROPER}) {ADV}(?:laid me off|let me go|fired me|made me redundant)"),
    ended("profile.employer", r"(?:[\w ]{0,20} was )?my last day (?:at|with) (?P<v>.+)"),
    changed("profile.employer", rf"(?P<v>{_PROPER}) (?:has )?{ADV}(?:hired|recruited|poached|employed|took on) me"
            r"(?: as (?:an? |the |their )?(?P<n>.+))?", more=(("profile.occupation", "n"),)),
    rule("profile.employer", rf"{AM}(?:at|with) (?P<v>{_PROPER}) as (?:an? |the )?(?P<n>.+)",
         more=(("profile.occupation", "n"),)),
    changed("profile.employer", rf"i{_HAS}(?:left|quit) (?P<x>{_PROPER}) (?:and |to )"
            r"(?:work (?:at|for|with)|join(?:ed)?) (?P<v>.+)"),
    ended("profile.marital_status", rf"(?:{AM}|we(?:'re| are) )(?:no longer|not)"
          rf" (?P<v>married|engaged|single){_NOT_NOW}?"),
    ended("profile.occupation", r"i (?:no longer work|don't work|do not work|stopped working|quit working"
          rf"|used to work) as (?:an? |the )?(?P<v>.+?){_NOT_NOW}?"),
    ended("profile.occupation", r"i used to be (?:an? |the )(?P<v>.+)"),
    ended("profile.occupation", rf"i(?:'m| am) (?:no longer|not) (?:an? |the )(?P<v>.+?){_NOT_NOW}?"),
    changed("profile.occupation", rf"i{_HAS}(?:re-?trained|re-?qualified|qualified) (?:as|to be|to become) (?:an? )?"
            r"(?P<v>.+)"),
    rule("profile.occupation", rf"i {ADV}(?:earn|make) (?:my|a) (?:living|money) as (?:an? )?(?P<v>.+)"),
    rule("profile.occupation", rf"by (?:trade|profession|training),? i(?:'m| am) {ADV}(?:an? )?(?P<v>.+)"),
    changed("profile.occupation", rf"i{_HAS}(?:taken|took) over as (?:an? |the )?(?P<v>.+)"),
    changed("profile.marital_status", rf"(?:i|we){_HAS}(?P<v>tied the knot|got hitched)(?: .*)?"),
)  # fmt: skip

PEOPLE: Final[tuple[Rule, ...]] = (
    rule("relation.{r}.name", rf"(?P<v>{_PROPER}), (?:my|our) {OF_ROLE}{ROLE},? .+"),
    rule("relation.{r}.name", rf"(?:my|our) {OF_ROLE}{ROLE},? (?P<v>{_PROPER})(?:,? and (?:i|me)\b.*)?"),
    rule("relation.{r}.name", rf"(?P<v>{_PROPER}) is (?:my|our) {OF_ROLE}{ROLE}\b.*"),
    rule("relation.{r}.location", rf"(?:my|our) {OF_ROLE}(?:{ROLES}) {ADV}(?:live|are living) [^,]{{0,40}}? in"
         rf" (?P<v>{_PROPER})"),
    rule("pet.{r}.name", rf"(?:i|we)(?:'ve got| have(?: got)?| own| adopted| got| keep) (?:[\w-]+ ){{0,3}}?{PETS}"
         r"(?:,|:| called| named)+ (?P<v>.+)"),
    rule("pet.{r}.name", rf"(?:my|our) (?:[\w-]+ ){{0,2}}?{PETS}(?: are)?(?:,|:| called| named)+ (?P<v>.+)"),
    rule("pet.{r}.name", rf"(?:i|we){_HAS}(?:named|called) (?:my|our|the) (?:new )?(?:\w+ )?"
         r"(?P<r>dog|cat|puppy|kitten|parrot|hamster|rabbit|horse) " + NAME),
)  # fmt: skip

_HIVES: Final = r"(?:hives|an? (?:itchy |bad )?rash|an allergic reaction|anaphyla\w+ ?(?:shock)?)"
_DEGREE: Final = r"(?:(?:severe|bad|mild|strong|serious|slight|terrible|nasty|known|life-threatening) )*"
HEALTH: Final[tuple[Rule, ...]] = (
    denied("health.allergy", rf"i{_HAS}(?:grew|grown|outgrew|outgrown)(?: out of)? my {_DEGREE}(?P<v>.+?) allergy"),
    rule("health.allergy", rf"{_THING} (?:is|are) (?:something|the (?:one|only) thing|what) i(?:'m| am)"
         rf" {ADV}allergic to"),
    rule("health.allergy", rf"{_THING} {ADV}(?:bring|break)s? me out(?: in .+)?"),
    rule("health.allergy", rf"{_THING} {ADV}gives? me {_HIVES}(?: .*)?"),
    rule("health.allergy", rf"{_THING} {ADV}makes? my (?:eyes|throat|lips|face|tongue|skin|mouth) (?:swell|itch"
         rf"|close up"
         r"|tingle|puff)(?: .*)?"),
    rule("diet.avoid", r"i(?:'ve| have)? (?:had to|have to) (?:give up|cut out|stay off|stop eating|stop drinking)"
         r" (?P<v>.+)",
         listed=True),
    rule("health.allergy", rf"i {ADV}(?:react (?:badly|allergically|very badly) to|break out in {_HIVES} (?:from"
         rf"|when i eat)|get {_HIVES} (?:from|when i eat)|(?:have|get|had) an? {_DEGREE}allergic reaction to)"
         rf" (?P<v>.+)"),
    rule("health.allergy", rf"(?:i|we|my) .{{1,60}}?\b(?:because of|due to|on account of|given|for) (?:an?|my)"
         rf" {_DEGREE}(?P<v>[\w-]+(?: [\w-]+)?) allerg(?:y|ies)"),
    rule("health.allergy", rf"my {_DEGREE}(?P<v>(?!food\b|skin\b)[\w-]+(?: [\w-]+)?) allergy(?: .*)?"),
    rule("health.condition", rf"{AM}(?:an? )?(?P<v>c(?:o)?eliac)(?: .*)?"),
    rule("health.medication", r"(?:my |the )?(?:\w+ )?(?:doctor|gp|psychiatrist|cardiologist) (?:has )?(?:just )?"
         r"(?:(?:put|started) me on|prescribed (?:me )?)(?P<v> ?.+)"),
)  # fmt: skip

_FAVOURED: Final = (
    r"(?:thing|jam|passion|comfort food|guilty pleasure|weakness|happy place|cup of tea|favou?rite hobby)"
)
TASTE: Final[tuple[Rule, ...]] = (
    rule("preference.like", r"there(?:'s| is) nothing (?:that )?(?:i|we) (?:like|love|enjoy) (?:more|better) than"
         r" (?P<v>.+)"),
    rule("preference.like", r"what (?:i|we) (?:enjoy|love|like) (?:the )?(?:most|best)(?: of all)? (?:is|are)"
         r" (?P<v>.+)"),
    rule("preference.dislike", r"what (?:i|we) (?:hate|dislike) (?:the )?most(?: of all)? (?:is|are) (?P<v>.+)"),
    rule("preference.response_style", r"(?:please )?(?P<v>(?:explain|describe|answer|write|summari[sz]e|show|present"
         r"|keep|use"
         r"|give|phrase) (?!it\b|this\b|that\b|the following).+?),? (?:whenever|wherever|where|if) (?:you can"
         r"|possible)"),
    rule("preference.like", r"nothing makes me happier than (?P<v>.+)"),
    rule("preference.like", rf"{_THING} (?:is|are) {ADV}(?:(?:totally|very much|definitely) )?(?:my"
         rf"|one of my) (?:absolute |big |great )?{_FAVOURED}s?"),
    rule("preference.like", rf"i{_HAS}(?:have |got )*an? (?:\w+ )?(?:soft spot|weakness|passion|love) for (?P<v>.+)"),
    rule("preference.like", r"(?:i|we) (?:can't|cannot) (?:get enough of|live without|resist) (?P<v>.+)"),
    rule("preference.like", rf"(?:i|we)(?:'m| am|'re| are)?{_HAS}(?:got|gotten|getting) (?:really |very |seriously"
         rf" )?into"
         r" (?P<v>(?!an?\b|the\b|my\b|trouble|bed|it\b).+)"),
    rule("preference.like", rf"{AM}(?:hooked on|mad about|nuts about|mad for|a big admirer of) (?P<v>.+)"),
    rule("preference.dislike", rf"i{_HAS}(?:went|gone) off (?P<v>(?!to\b|on\b|with\b).+?)(?: (?:completely"
         rf"|entirely))?"),
    rule("preference.dislike", rf"{_THING} (?:(?:is|are|was) {ADV}not|isn't|aren't|just isn't|just aren't) (?:really "
         rf"|exactly )?(?:my {_FAVOURED}|my style|for me)"),
    rule("preference.dislike", rf"{_THING} {ADV}(?:drives? me (?:crazy|mad|nuts|up the wall|insane)|bores? me"
         r"|disgusts? me|gets? on my nerves|makes? me (?:gag|sick|queasy)|turns? my stomach)(?: .*)?"),
    rule("preference.dislike", r"i (?:could|can) (?:happily |easily |gladly |well )?(?:live|do) without (?:ever"
         r" )?(?P<v>.+)"),
    rule("preference.like", rf"{_THING} (?:is|are) (?:about |pretty much |practically )?the only \w+ (?:that )?i(?:'ll"
         r"| will)? (?:drink|eat|wear|use|watch|read|trust|listen to)"),
    rule("preference.dislike", rf"{_THING} tastes? (?:like \w+|awful|horrible|disgusting) to me"),
    rule("preference.dislike", r"i(?:'ve| have) never (?:really |much )?(?:liked|enjoyed|cared for|been (?:into|a"
         r" fan of"
         r"|one for)|warmed to) (?P<v>.+)"),
    rule("preference.dislike", r"i (?:have no patience|have no time) for (?P<v>.+)"),
    rule("preference.prefers", r"between .{2,40}? (?:and|or) .{2,40}?,? i(?:'d| would)?(?: (?:always|usually|still"
         r"|rather))* (?:take|choose|pick|prefer|go for|go with) (?P<v>.+)"),
    rule("preference.prefers", r"i(?:'d| would)(?: (?:always|usually|still|rather))* (?:take|choose|pick) (?P<v>.+?)"
         r" over (?P<x>.+?)(?:,? (?:any|every) (?:day|time).*)?"),
    rule("preference.prefers", r"(?:for me,? |give me )?(?P<v>[\w' -]{2,30}?) over (?P<x>[\w' -]{2,30}?),? (?:any"
         r" (?:day"
         r"|time)|every time)(?: .*)?"),
    rule("preference.response_style", r"(?:please |and )*(?P<v>(?:always |never )?(?!i\b|it\b|that\b|this\b|do you"
         r"|\w+ed\b|\w+ing\b)"
         r"[a-z]+ .*? (?:when|whenever|each time|every time|any time) i (?:ask|mention|request|talk|inquire|bring up"
         r"|want|share"
         r"|discuss)\b.*)"),
    rule("preference.response_style", r"(?P<v>(?:when|whenever|each time|every time|any time) i (?:ask|mention"
         r"|request|talk"
         r"|inquire|bring up|share|discuss)\b[^,]{0,80}, (?:please )?(?:always |never )?(?!i\b|it\b|you\b|what"
         r"|how|can|could)"
         r"[a-z]+ .*)"),
    rule("preference.response_style", r"when(?:ever)? you (?:[\w']+ )?(?:answer|reply|respond|explain|write|talk|speak"
         r"|summari[sz]e|describe|give|show|send|draft|recommend|suggest|present)\b[^,]*, (?P<v>(?:please )?(?:skip"
         r"|avoid|use|keep|be|give|start|don't|do not|never|always|include|go|leave|stick|add|show|write|put"
         r"|answer)\b.*)"),
)  # fmt: skip

_WORKPIECE: Final = (
    r"(?:(?:the|my|our) (?:[\w-]+ ){0,2}?(?:project|release|thesis|dissertation|launch|app|product|prototype|mvp|beta"
    r"|manuscript|book|rollout|migration))"
)
_OVERSEER: Final = r"(?:boss|manager|supervisor|advis[eo]r|client|customer|professor|editor|publisher|team lead)"
_BY: Final = r"(?:by|before|no later than)"
WORLD: Final[tuple[Rule, ...]] = (
    rule("project.deadline", rf"{_WORKPIECE} (?:has to|must|needs to|should|has got to) (?:be )?(?:\w+ )??(?:in|done"
         rf"|finished|submitted|ready|handed in|delivered|complete|completed|out|live|ship|launch) {_BY} (?P<v>.+)"),
    rule("project.deadline", rf"{_WORKPIECE}(?:'s| is) due(?: in)?(?: on| by| before)? (?P<v>.+)"),
    rule("project.deadline", rf"(?:my|our|the) (?:\w+ )?{_OVERSEER} (?:wants?|expects?|needs?|is expecting) .+? {_BY}"
         r" (?P<v>.+)"),
    ended("possession", rf"(?:i|we){_HAS}(?:got|gotten) rid of (?:my|our|the) (?P<v>(?:[\w-]+ )?(?:car|bike|boat|house"
          r"|flat|dog|cat|piano|motorbike|motorcycle|van|caravan|tv|television|allotment|printer|horse)s?)(?: .*)?"),
    ended("possession", rf"(?:i|we) (?:no longer (?:own|have)|don't (?:own|have)(?=.*{_NOT_NOW}$)) (?:my|our|the|an?)"
          rf" (?P<v>[\w -]+?){_NOT_NOW}?"),
    rule("goal", r"i(?:'ve| have) (?:set (?:myself )?(?:a|the) goal (?:of|to)|(?:got )?my (?:heart|sights|eyes)"
         r" set on) (?P<v>.+)"),
    rule("decision", r"(?:i|we)(?:'ve| have)? (?:made up (?:my|our) minds?|made the (?:call|decision)|come to the"
         r" conclusion|came to the conclusion) (?:to|that (?:we|i)(?:'ll| will|'re going to)?|that) (?P<v>.+)"),
    rule("decision", r"(?:the two|both) of us (?:have )?(?:finally )?(?:decided|agreed|settled|opted) (?:on|to|for)"
         r" (?P<v>.+)"),
)  # fmt: skip

ALL: Final[tuple[Rule, ...]] = (*HOME, *WORK, *PEOPLE, *HEALTH, *TASTE, *WORLD)
