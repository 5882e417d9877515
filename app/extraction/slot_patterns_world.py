"""Rows about the world around the speaker: company, project, technology, people, pets."""

from typing import Final

from app.extraction.slot_rule import ADV, NAME, OF_ROLE, OUR, PET, ROLE, ROLES, Rule, changed, rule

_HEADS: Final = r"(?:employees|people|staff|members|developers|engineers|folks|colleagues|persons|devs|of us)"
_GROUP: Final = r"(?:company|team|startup|start-up|firm|office|organi[sz]ation|business|department|agency|studio|group)"
_COUNT: Final = (
    r"(?:about |around |roughly |over |nearly |almost |just |now |only )*(?:\d[\d,.]*|two|three|four|five|six|seven"
    r"|eight"
    r"|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|eighty|ninety|a hundred|\w+teen|\w+ty(?:-\w+)?)"
)

COMPANY: Final[tuple[Rule, ...]] = (
    changed("company.size", rf"(?:we|{OUR} {_GROUP})(?:'ve| have| has)? {ADV}(?:moved|grew|grown|went|gone|expanded"
        rf"|shrank"
            rf"|shrunk|scaled|increased|doubled|jumped) (?:up |down "
            rf"|the team )?from (?P<x>{_COUNT})(?: {_HEADS})? to (?P<v>{_COUNT}"
            rf"(?: {_HEADS})?)(?: .*)?"),
    changed("company.size", rf"(?:we|{OUR} {_GROUP})(?:'ve| have| has)? {ADV}(?:grew|grown|expanded|shrank|shrunk"
        rf"|scaled) (?:up"
            rf" |down |in size )?to (?P<v>{_COUNT}(?: {_HEADS})?)(?: .*)?"),
    rule("company.size", rf"we(?:'re| are) {ADV}(?:an? )?(?:\w+ )?{_GROUP} of (?P<v>{_COUNT}(?: {_HEADS})?)(?: .*)?"),
    rule("company.size", rf"(?:we|{OUR} {_GROUP})(?:'ve got|'s got| have| has| employs?| counts| consists of| is| are)"
         rf"(?: grown to)? {ADV}(?P<v>{_COUNT} {_HEADS})(?: .*)?"),
    rule("company.size", rf"there are {ADV}(?P<v>{_COUNT} of us)(?: .*)?"),
    rule("company.size", rf"we(?:'re| are) {ADV}(?:an? )?(?P<v>[\w-]+[- ](?:person|people|man"
         rf"|strong))(?: {_GROUP})?(?: .*)?"),
    rule("company.location", rf"{OUR} (?:\w+ )?(?:{_GROUP}|headquarters|hq|employer)(?:'s| is| are) {ADV}(?:(?:based"
         rf"|located|headquartered) )?"
         r"(?:in|near) (?P<v>.+)"),
    changed("company.location", rf"{OUR} (?:\w+ )?(?:{_GROUP}|headquarters|hq|employer)(?: has)? {ADV}(?:moved"
        rf"|relocated) to (?P<v>.+)"),
    changed("company.location", rf"{OUR} (?:\w+ )?(?:{_GROUP}|headquarters|hq|employer)(?: has)? {ADV}(?:moved"
        rf"|relocated) from"
            r" (?P<x>.+?) to (?P<v>.+)"),
    rule("company.name", rf"{OUR} (?:own )?(?:company|startup|start-up|firm|business|agency|studio"
         rf"|shop)(?:'s name)?(?:'s| is)"
         rf"(?: called| named)? {NAME}"),
)  # fmt: skip

_NOT_NAMED: Final = (
    r"(?!(?-i:The|My|Our|This|That|A|An|New|Next|Final|Current|Project|First|Last|Overall|Total|Official|Original"
    r"|January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tues|Wednes|Thurs|Fri"
    r"|Satur|Sun)(?:day)?\b)"
)
_WORK_NOUN: Final = r"(?:project|release|launch|app)"
_BY_NAME: Final = rf"{_NOT_NAMED}(?P<q>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w-]*){{0,2}}?)"
_PROJECT: Final = rf"(?:project (?P<p>[\w-]+)|{_BY_NAME})(?: {_WORK_NOUN})?"
_SURELY: Final = rf"(?:project (?P<p>[\w-]+)|{_BY_NAME} {_WORK_NOUN})"
"""A project for certain: a person may be due, too."""
_MOVED: Final = (
    r"(?:has been |has |was |got |is |'s )?(?:been )?(?:re-?scheduled|moved|pushed(?: back| out)?|extended|changed"
    r"|shifted|postponed|brought forward|slipped|delayed|set back)(?: from (?P<x>.+?))? (?:to|until) (?P<v>.+)"
)
_ADJUSTED: Final = (
    r"(?:has been |has |was |got |is )?(?:been )?(?:raised|increased|cut|reduced|changed|lowered|doubled|went up"
    r"|went down|set)(?: from (?P<x>.+?))? to (?P<v>.*\d.*)"
)
_DUE: Final = r"(?:(?:'s| is)(?: now| on| set for| still)*|:) (?P<v>.+)"
_COSTS: Final = r"(?:'s| is)(?: now| about| around| still| only)* (?P<v>.*\d.*)"


_OWNING: Final = _PROJECT.replace("<p>", "<p2>").replace("<q>", "<q2>")
"""The same for the other side of an alternative, where a group may not have the same name."""


def _named(thing: str) -> str:
    """A thing of a project that is called by its name: "the deadline for Orion", "Orion's deadline"."""
    return rf"(?:{OUR} )?(?:{thing} (?:for|of) (?:{OUR} )?{_PROJECT}|{_OWNING}(?:'s)? {thing})"


_DEADLINE: Final = r"(?:deadline|due date)"
_MOVER: Final = rf"(?:we|i|they|(?:{OUR} )?[\w-]+)(?:'ve| have| has)? {ADV}"
_MOVES: Final = r"(?:moved|pushed(?: back)?|postponed|shifted|extended|changed|set|rescheduled)"
_MOVED_TO: Final = r"(?: from (?P<x>.+?))? to (?P<v>.*(?:\d|day\b|week|month).*)"
PROJECT: Final[tuple[Rule, ...]] = (
    changed("project.{p}.deadline", rf"{_named(_DEADLINE)} {_MOVED}"),
    rule("project.{p}.deadline", rf"{_named(_DEADLINE)}{_DUE}"),
    changed("project.{p}.deadline", rf"{_MOVER}{_MOVES} {_named(_DEADLINE)}{_MOVED_TO}"),
    changed("project.deadline", rf"{_MOVER}{_MOVES} (?:{OUR} )?deadline{_MOVED_TO}"),
    rule("project.{p}.deadline", rf"(?P<p>(?!(?:today|tomorrow|this|that|it|what|there|my|our|the)\b)[\w-]+)'s"
         rf" {_DEADLINE}{_DUE}"),
    rule("project.{p}.deadline", rf"(?:{OUR} )?{_SURELY}"
         r"(?:'s| is| will be) due(?: in)?(?: on| by| before)? (?P<v>.+)"),
    rule("project.{p}.deadline", rf"(?:{OUR} )?{_PROJECT} (?:has to|must|needs to|should|has got to) (?:be )?(?:\w+ )??"
         r"(?:submitted|delivered|completed?|released|finished|live|ship|launch)"
         r" (?:by|before|no later than) (?P<v>.+)"),
    changed("project.{p}.budget", rf"{_named('budget')} {_ADJUSTED}"),
    rule("project.{p}.budget", rf"{_named('budget')}{_COSTS}"),
    rule("project.{p}.budget", rf"(?:{OUR} )?{_PROJECT} has a budget of (?:about |around )*(?P<v>.*\d.*)"),
    changed("project.deadline", rf"(?:{OUR} )?(?:\w+ )?deadline(?: for (?:the |my |our )?[\w ]+?)? {_MOVED}"),
    rule("project.deadline", rf"(?:{OUR} )?(?:\w+ ){{0,2}}?(?:deadline|due date)(?: for [\w ]+?)?(?:'s| is)(?: now"
         rf"| on| set for| still)*"
         r" (?P<v>.+)"),
    rule("project.deadline", r"(?:i|we)(?:'ve got| have) an? (?:\w+ )?deadline (?:of|on|by) (?P<v>.+)"),
    rule("project.deadline", rf"{OUR} (?:project|release|report|thesis|launch|paper|assignment|app)(?:'s| is) due"
         r"(?: on| by)? (?P<v>.+)"),
    changed("project.budget", rf"{OUR} (?:\w+ ){{0,2}}?budget(?: for [\w ]+?)? (?:has been |has |was |got "
        rf"|is )?(?:been )?(?:raised"
            r"|increased|cut|reduced|changed|lowered|doubled|went up|went down"
            r"|set)(?: from (?P<x>.+?))? to (?P<v>.*\d.*)"),
    rule("project.budget", rf"{OUR} (?:\w+ ){{0,2}}?budget(?: for [\w ]+?)?(?:'s| is)(?: now| about| around| still"
         rf"| only)* (?P<v>.*\d.*)"),
    rule("project.budget", r"(?:i|we) have (?:an? |about |around )*(?P<v>.*\d.*?)(?: budget| to spend)(?: .*)?"),
    rule("project.budget", r"(?:i|we) have a budget of (?:about |around )*(?P<v>.*\d.*)"),
    rule("project.name", rf"{OUR} (?:\w+ )?(?:project|app|product|side project)(?:'s name)?(?:'s| is) (?:called"
         rf"|named) (?P<v>.+)"),
)  # fmt: skip

_PART: Final = (
    r"(?P<t>backend|back-end|frontend|front-end|database|db|infrastructure|api|stack|tech stack|mobile app|app|website"
    r"|server|servers|pipeline|ci|cloud|hosting|orm|framework|search|queue|cache|monitoring|analytics)"
)
_DATABASE: Final = (
    r"(?:postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|redis|valkey|oracle|cassandra|dynamodb|clickhouse|duckdb|neo4j"
    r"|cockroachdb|elasticsearch|sql server|bigquery|snowflake)"
)
_FOR_PROJECT: Final = r" (?:for|in|on) (?:the|our|my|this) (?:[\w-]+ ){0,2}?(?:project|product|app|service|system)"
TECH: Final[tuple[Rule, ...]] = (
    changed("tech.{t}", rf"(?:we|i)(?:'ve| have)? {ADV}(?:migrated|moved|switched|ported) (?:our|the"
        rf"|my) {_PART} from (?P<x>.+?) to"
            r" (?P<v>.+)"),
    changed("tech.{t}", rf"(?:we|i)(?:'ve| have)? {ADV}(?:migrated|moved|switched|ported) (?:our|the"
        rf"|my) {_PART} to (?P<v>.+)"),
    rule("tech.{t}", rf"(?:my|our) {_PART} {ADV}(?:runs on|is built (?:with|on|in|using)|uses|is written in"
         rf"|is based on|is powered by"
         r"|is in|is hosted on|consists of|is now|is) (?!called|broken|down|slow|not|failing|the |a |very "
         r"|too )(?P<v>.+)"),
    rule("tech.{t}", rf"we {ADV}use (?P<v>.+?) (?:for|as|on) (?:the |our )?{_PART}"),
    rule("tech.database", rf"(?:we|i) {ADV}(?:use|chose|picked|went with) (?P<v>{_DATABASE}){_FOR_PROJECT}"),
    rule("tech.stack", rf"(?:we|i) {ADV}use (?P<v>(?-i:[A-Z])\S*(?:(?:,| and|, and) (?-i:[A-Z])\S*)*){_FOR_PROJECT}"),
)  # fmt: skip

_SAID: Final = r"(?:(?: just)? (?:said|says|told me|mentioned)(?: that)? (?:he|she|they)(?:'s| is|'re| are)?)?"
_WHO: Final = rf"(?:my|our) {OF_ROLE}{ROLE}(?:,? (?P<n>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?),?)?{_SAID}"
_NAMED: Final = (("relation.{r}.name", "n"),)

PEOPLE: Final[tuple[Rule, ...]] = (
    rule("relation.{r}.name", rf"(?:my|our) {OF_ROLE}{ROLE}(?:'s name)?(?:'s| is)(?: called| named)? {NAME}"),
    rule("relation.{r}.name", rf"(?:i|we) have (?:an? |one |two |three )?{OF_ROLE}{ROLE},? (?:called|named"
         rf"|whose name is) {NAME}(?: .*)?"),
    rule("relation.{r}.name", rf"(?:i|we)(?:'ve got| have) (?:\w+ )?{OF_ROLE}{ROLES}(?:,|:| called| named)+ (?P<v>.+)"),
    rule("relation.{r}.name", rf"(?:my|our) (?:\w+ )?{ROLES} are (?:called|named) (?P<v>.+)"),
    rule("relation.{r}.name", rf"(?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?) is my {OF_ROLE}{ROLE}"),
    rule("relation.{r}.birthday", rf"my {OF_ROLE}{ROLE}(?: (?P<n>(?-i:[A-Z])[\w'-]+))?(?:'s birthday(?:'s"
         rf"| is)(?: on)?(?: the)?| was born"
         r" (?:on|in)(?: the)?| has (?:his|her|their) birthday (?:on|in)(?: the)?| (?:turns|will turn"
         r"|is turning) [\w-]+ (?:on|in)"
         r"(?: the)?) (?P<v>.+)", more=_NAMED),
    changed("relation.{r}.location", rf"{_WHO}(?: has| just| recently)* moved (?:back "
        rf"|over )?(?:from (?P<x>.+?) )?to (?P<v>.+)", more=_NAMED),
    rule("relation.{r}.location", rf"{_WHO} {ADV}(?:(?:is |are )?(?:lives?|living|based|located) (?:in|near"
         rf"|outside)) (?P<v>.+)",
         more=_NAMED),
    rule("relation.{r}.employer", rf"{_WHO} {ADV}(?:works?|is working|started|started working|got a job) (?:at|for"
         rf"|with) (?P<v>.+)",
         more=_NAMED),
    rule("relation.{r}.occupation", rf"{_WHO} {ADV}works? as (?:an? )?(?P<v>.+)", more=_NAMED),
    rule("relation.{r}.age", rf"{_WHO}(?:'s| is| just turned| turned| has turned)(?: now)? (?P<v>\d{{1,3}}|two|three"
         rf"|four|five|six|seven"
         r"|eight|nine|ten|eleven|twelve|\w+teen)(?: (?:years?|months?)(?: old)?)?", more=_NAMED),
    rule("relation.{r}.occupation", rf"{_WHO}(?:'s| is) {ADV}(?:an? |the )(?P<v>[\w -]+?)(?: (?:at|for|in) .*)?",
         more=_NAMED),
    rule("relation.{r}.occupation", rf"(?:both )?(?:of )?(?:my|our) {ROLES} (?:are|work as) (?:both )?(?P<v>[\w ]+)"),
    rule("relation.{r}.location", rf"(?:both )?(?:of )?(?:my|our) {ROLES} {ADV}(?:live|are living|are based"
         rf"|moved) (?:in|near|to) (?P<v>.+)"),
    rule("relation.{r}.name", rf"(?:my|our) {OF_ROLE}{ROLE},? (?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?),?"
         rf" (?!and\b"
         rf"|or\b)\w.*"),
)  # fmt: skip

PETS: Final[tuple[Rule, ...]] = (
    rule(
        "pet.{r}.name",
        rf"(?:i|we)(?:'ve got|'ve| have| have got| got| adopted| just got| own) (?:an? |one )?(?:\w+ ){{0,3}}?{PET}"
        rf"(?: who is|,)? (?:called|named|whose name is) {NAME}(?: .*)?",
    ),
    rule("pet.{r}.name", rf"(?:my|our|the) (?:\w+ )?{PET}(?:'s name)?(?:'s| is)(?: called| named)? {NAME}"),
    rule("pet.{r}.name", rf"(?:my|our) (?:\w+ )?{PET},? (?P<v>(?-i:[A-Z])[\w'-]+),? (?!and\b|or\b)\w.*"),
    rule("pet.{r}.name", rf"(?:my|our) (?:\w+ )?{PET},? (?P<v>(?-i:[A-Z])[\w'-]+)"),
)

ALL: Final[tuple[Rule, ...]] = (*COMPANY, *PROJECT, *TECH, *PEOPLE, *PETS)
