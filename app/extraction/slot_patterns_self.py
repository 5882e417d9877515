"""Rows about the speaker: name, place, work, age, languages, diet, health. The first row that matches a clause wins."""

from typing import Final

from app.extraction.slot_rule import ADV, AM, BEEN, HAVE, NAME, Rule, changed, denied, ended, rule

_WORKS: Final = rf"i(?:'m|'ve been)? {ADV}(?:work|worked(?= here)|am working|been working|working)"
_NOT_NOW: Final = r"(?: any ?more| any longer)"
_LANGUAGE_LEVEL: Final = r"(?:(?:fluent|native|basic|good|some|conversational|a bit of|a little(?: bit of)?|decent) )?"

_SELF: Final = r"(?P<v>(?-i:[A-ZÀ-Ý])[\w'-]+(?: (?-i:[A-ZÀ-Ý])[\w'-]+)?)"

IDENTITY: Final[tuple[Rule, ...]] = (
    rule("profile.name", rf"i(?:'m| am) {_SELF}, (?P<n>\d{{1,3}})(?: years old)?(?:,? (?:and |i'm )?(?:from"
         rf"|living in) (?P<o>[^,]+).*)?",
         more=(("profile.age", "n"), ("profile.origin", "o"))),
    rule("profile.name", rf"i(?:'m| am) {_SELF}, (?:an? |the )?(?P<n>[\w -]+?)(?: (?:at"
         rf"|for) (?P<w>[^,]+?))?(?: (?:from|in|based in) (?P<o>[^,]+))?",
         more=(("profile.occupation", "n"), ("profile.employer", "w"), ("profile.origin", "o"))),
    rule("profile.name", rf"i(?:'m| am) {_SELF},? from (?P<o>(?-i:[A-ZÀ-Ý])[^,]+).*", more=(("profile.origin", "o"),)),
    changed("profile.name", rf"(?:my name|i)(?:'s| is|'m| am) now (?:called )?{NAME}"),
    rule("profile.name", rf"my (?:full |first |real |given |last |own )?name(?:'s| is) {NAME}"),
    rule("profile.name", rf"(?:please |you can |just |people |everyone |everybody |my friends "
         rf"|friends )*calls? me {NAME}"),
    rule("profile.name", rf"(?:{AM}called|i go by|{AM}known as|this is"
         rf"|you're talking to) (?=(?-i:[A-Z])){NAME}(?: here| speaking)?"),
    rule("profile.email", r"(?:.{0,60}\b)?(?:my|me|e-?mail)\b.{0,40}?(?P<v>[\w.+-]+@[\w-]+\.[\w.-]*\w)(?: .*)?"),
    rule("profile.phone", r"my (?:new )?(?:phone|mobile|cell|telephone|number|phone number|mobile number|cell number)"
         r"(?: number)?(?:'s| is| changed to| has changed to)(?: now)? (?P<v>\+?\d[\d ()/-]{5,20})"),
    rule("profile.timezone", r"my time ?zone(?:'s| is)(?: now)? (?P<v>.+)|"
         r"(?:i(?:'m| am)|we(?:'re| are)) (?:in|on) (?:the )?(?P<v2>[\w/+-]+(?: [\w/+-]+)?) time(?: ?zone)?"),
    rule("profile.pronouns", r"my pronouns are (?P<v>.+)|i (?:use|go by) (?P<v2>\w+/\w+)(?: pronouns)?"),
    rule("profile.birthday", r"i was born (?:on|in) (?P<v>(?:the )?(?:\d|january|february|march|april|may|june|july"
         r"|august"
         r"|september|october|november|december).*)"),
    rule("profile.birthday", r"my (?:birthday|birth ?date|date of birth)(?:'s| is)(?: on)?(?: the)? (?P<v>.*\d.*)"),
    rule("profile.age", rf"{AM}(?P<v>\d{{1,3}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ]\w+)?)"
         r"(?: ?years?[ -]old| ?y/?o| now| years of age)?"),
    rule("profile.age", rf"{AM}(?P<v>\d{{1,2}})(?: years old)?,? and (?:i )?(?:live|living|based) in (?P<n>.+)",
         more=(("profile.location", "n"),)),
    changed("profile.age", rf"i {ADV}(?:turned|turn|'ve turned) (?P<v>\d{{1,3}}|(?:twenty|thirty|forty|fifty|sixty)"
            r"(?:-\w+)?)(?: .*)?"),
    rule("profile.age", rf"{AM}(?P<v>in my (?:early |mid[- ]?|late )?(?:\w+ties|\d0s|teens))"),
    changed("profile.marital_status", rf"(?:i|we) {ADV}got (?P<v>married|divorced|engaged|separated)(?: (?:to|last|in"
        rf"|on"
            r"|two|a|this|yesterday).*)?"),
    rule("profile.marital_status", rf"(?:{BEEN}|we(?:'re| are|'ve been) )(?:happily |recently |newly )?(?P<v>married"
         r"|divorced|engaged|widowed|separated|single)(?: to (?P<n>.+?))?(?: (?:for|since|in|with|and|now|again).*)?"),
    rule("profile.nationality", rf"my nationality is (?P<v>.+)|{AM}an? (?P<v2>[\w ]+?) (?:citizen|national)(?: .*)?"),
    rule("profile.rent", r"(?:my|our) (?:monthly )?rent(?:'s| is| went up to| increased to| is now"
         r"| was raised to)(?: now)?"
         r" (?P<v>.*\d.*)|(?:i|we) pay (?P<v2>.*\d.*?) (?:in |for |of )?rent(?: .*)?"),
    rule("profile.salary", r"my (?:annual |yearly |monthly |current )?(?:salary|income)(?:'s| is| went up to)(?: now)?"
         r" (?P<v>.*\d.*)|i (?:earn|make) (?:about |around )?(?P<v2>[$€£]?\d[\d.,]*k?.*?(?:year|month|annum|annually"
         r"|hour|k))"),
)  # fmt: skip

PLACE: Final[tuple[Rule, ...]] = (
    changed("profile.location", rf"(?:i|we)(?:'ve| have| had)? {ADV}(?:moved|relocated) (?:back |over |here |down "
        rf"|up )?"
            r"from (?P<x>.+?) to (?P<v>.+)"),
    changed("profile.location", rf"(?:i|we)(?:'ve| have| had)? {ADV}(?:moved|relocated|emigrated|immigrated) (?:back "
        rf"|over"
            r" |out |down |up |away )?to (?P<v>.+?)(?: from (?P<x>.+))?"),
    changed("profile.location", rf"(?:i|we)(?:'ve| have)? {ADV}(?:settled(?: down)?|bought a house|bought a flat"
        rf"|rented a"
            r" (?:flat|place|house)) in (?P<v>.+)"),
    ended("profile.location", rf"i (?:no longer live|don't live|do not live) in (?P<v>.+?){_NOT_NOW}?"),
    ended("profile.location", r"(?:i|we)(?:'ve)? (?:used to live in|moved (?:away from|out of)) (?P<v>.+)"),
    rule("profile.location", rf"(?:i|we)(?:'m| am|'ve been| have been| are|'re)? {ADV}(?:live|lived(?= here)|living"
         rf"|reside"
         r"|residing|staying permanently|based|located)(?: here)? (?:in|near|outside|around|out of|at|on|just outside)"
         r" (?!my |a |an |our |fear|peace|the same|your )(?P<v>.+)"),
    rule("profile.location", r"(?:my|our) (?:current )?(?:home|home base|place|house|flat|apartment|city)(?:'s"
         r"| is)(?: now)?"
         r" (?:in )?(?P<v>.+)|i call (?P<v2>.+) home"),
    rule("profile.location", rf"{AM}an? (?P<v>(?-i:[A-Z])\w+)(?:-based| resident| local)(?: .*)?"),
    rule("profile.origin", rf"(?:{AM}|i )(?:originally )?(?:come "
         rf"|came )?(?:originally )?from (?P<v>.+?)(?: originally)?"),
    rule("profile.origin", r"i (?:grew up|was raised|was born(?: and (?:raised|bred|grew up))?) (?:in|near"
         r"|outside) (?P<v>.+)"),
    rule("profile.origin", r"my (?:home ?town|home country|birthplace|country of origin)(?:'s| is) (?P<v>.+)"),
    rule("profile.address", r"my (?:home |postal |new )?address(?:'s| is)(?: now)? (?P<v>.+)|i live at (?P<v2>\d.+"
         r"|.+\d)"),
)  # fmt: skip

WORK: Final[tuple[Rule, ...]] = (
    ended("profile.employer", rf"{AM}no longer (?:with|at|working (?:for|at)|employed (?:by|at)) (?P<v>.+)"),
    ended("profile.employer", rf"i (?:no longer work|don't work|do not work) (?:at|for|with) (?P<v>.+?){_NOT_NOW}?"),
    ended("profile.employer", r"i used to (?:work|be) (?:at|for|with) (?P<v>.+)"),
    ended("profile.employer", rf"i(?:'ve)? {ADV}(?:(?:quit|left|resigned from) my (?:job|position|role)(?: at| with|"
          r" from)?|resigned from) (?P<v>(?-i:[A-Z]).*)"),
    changed("profile.employer", rf"i(?:'ve| have)? {ADV}(?:switched|changed|moved) (?:jobs |companies |employers )?from"
            r" (?P<x>.+?) to (?P<v>.+)"),
    changed("profile.employer", rf"i(?:'ve| have)? {ADV}(?:joined|started (?:working |a (?:new )?job "
        rf"|my new job )?(?:at|with"
            r"|for)|got (?:hired by|a (?:new )?job (?:at|with))|signed with|accepted (?:an offer|a job) (?:from"
            r"|at)) (?P<v>(?!(?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:church|gym|library|club|team|group|band|choir|class"
            r"|course|league|community|party|gang|brigade|program(?:me)?|platform|server|channel)\b).+?)"
            r"(?: as (?:an? |the |their )?(?P<n>.+))?",
            more=(("profile.occupation", "n"),)),
    changed("profile.occupation", rf"i(?:'ve| have| was| got| have been)? {ADV}(?:became|become|promoted to"
        rf"|been promoted to|"
            r"got promoted to|was promoted to|made) (?:an? |the )?(?P<v>.+?)(?: (?:at|for|with) (?P<n>.+))?",
            more=(("profile.employer", "n"),)),
    rule("profile.occupation", rf"(?:{_WORKS}|{AM}employed) as (?:an? |the )?(?P<v>.+?)(?: (?:at|for|with) (?P<n>.+))?",
         more=(("profile.employer", "n"),)),
    rule("profile.occupation", rf"{_WORKS} (?P<v>for myself|freelance|as a freelancer)"),
    rule("profile.employer", rf"(?:{_WORKS}|{AM}employed) (?:at|for|with|by|over at) (?P<v>.+?)(?: as (?:an? "
         rf"|the )?(?P<n>.+))?",
         more=(("profile.occupation", "n"),)),
    rule("profile.employer", rf"my (?:new |current )?employer(?:'s| is)(?: now)? (?P<v>.+)"
         rf"|{AM}with (?P<v2>(?-i:[A-Z])\w+)"),
    rule("profile.occupation", rf"{_WORKS} in (?P<v>(?!(?:the|a|an|my|our|this|that|progress)\b)[a-z& ]+)(?: (?:at"
         rf"|for) (?P<n>.+))?",
         more=(("profile.employer", "n"),)),
    rule("profile.occupation", r"my (?:new |current |day )?(?:job(?: title)?|profession|occupation|title|role)(?:'s"
         r"| is)(?: now)?"
         r" (?:as )?(?:being )?(?:an? |the )?(?P<v>.+?)(?: (?:at|for|with) (?P<n>.+))?",
         more=(("profile.employer", "n"),)),
    rule("profile.occupation", r"i (?P<v>teach .+)"),
    rule("profile.occupation", rf"{BEEN}(?:working as )?(?:an? |the |one of the )(?P<v>.+?) (?:at|for|with"
         rf"|of) (?:an? |the )?"
         r"(?:[\w -]+? )?(?:called|named) (?P<n>.+)", more=(("profile.employer", "n"),)),
    rule("profile.occupation", rf"{BEEN}(?:working as )?(?:an? |the )?(?P<v>[\w/& -]+?)(?: by (?:profession|trade"
         rf"|training)"
         r"| for a living)?(?:,? (?:at|with|for) (?P<n>.+))?", more=(("profile.employer", "n"),)),
    rule("profile.education", rf"(?:{AM}|i )(?:studying|study|majoring in|doing (?:a|my) (?:phd|master'?s?"
         rf"|bachelor'?s?|mba)"
         r" in) (?P<v>.+)"),
    rule("profile.education", r"i (?:have|hold|got|earned|did) (?P<v>(?:an? |my )?(?:phd|ph\.d|master'?s?(?: degree)?"
         r"|bachelor"
         r"'?s?(?: degree)?|mba|degree|diploma)\b.*)"),
)  # fmt: skip

LANGUAGE: Final[tuple[Rule, ...]] = (
    rule(
        "profile.language", rf"(?:i|we) {ADV}(?:speak|am fluent in|can speak) {_LANGUAGE_LEVEL}(?P<v>.+)", listed=True
    ),
    rule("profile.language", rf"{AM}(?:fluent|bilingual|native|proficient) in {_LANGUAGE_LEVEL}(?P<v>.+)", listed=True),
    rule("profile.language", r"my (?:native|first|second|mother) (?:language|tongue)(?:'s| is) (?P<v>.+)"),
    rule("profile.language", rf"{AM}an? native (?:speaker of )?(?P<v>\w+)(?: speaker)?"),
    denied("profile.language", r"i (?:don't|do not|can't|cannot) speak (?:any )?(?P<v>.+)", listed=True),
)

_DIETS: Final = (
    r"(?:strict(?:ly)? |mostly |pretty much )?(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|keto|halal|kosher"
    r"|paleo|gluten[- ]free|dairy[- ]free|plant[- ]based|omnivore|carnivore|raw vegan|lacto-vegetarian)"
)
DIET: Final[tuple[Rule, ...]] = (
    ended("diet.kind", rf"{AM}(?:no longer|not) (?:an? )?(?P<v>{_DIETS}){_NOT_NOW}?"),
    changed("diet.kind", rf"(?:i|we)(?:'ve| have)? {ADV}(?:went|gone|became|become|turned"
        rf"|switched to(?: an?)?) (?:an? )?"
            rf"(?P<v>{_DIETS})(?: diet)?(?: .*)?"),
    rule("diet.kind", rf"(?:{BEEN}|we(?:'re| are) {ADV})(?:on )?(?:an? )?(?P<v>{_DIETS})(?: diet)?(?: (?:since|for"
         rf"|again|once more|these days|and|now|so"
         r"|because|by|but).*)?"),
    rule("diet.kind", rf"(?:i|we) {ADV}(?:eat|follow|keep|am on)(?: an?)? (?:strictly )?(?P<v>{_DIETS})(?: diet"
         rf"| food)?"),
    ended("diet.avoid", rf"i {ADV}(?:eat|drink|started (?:eating|drinking)) (?P<v>.+?) again"),
    rule("diet.avoid", rf"(?:i|we) {ADV}(?:don't|do not|can't|cannot|never|no longer|won't)(?: really| ever)? (?:eat"
         rf"|drink|touch"
         rf"|consume|have(?= any)) (?:any )?(?P<v>.+?){_NOT_NOW}?", listed=True),
    rule("diet.avoid", rf"(?:i|we)(?:'ve| have)? {ADV}(?:gave up|given up|quit|stopped|cut out|avoid|stay away from"
         rf"|am off|went"
         r" off|am avoiding|have to avoid) (?:eating |drinking )(?P<v>.+)", listed=True),
    rule("diet.avoid", rf"(?:i|we)(?:'ve| have)? {ADV}(?:gave up|given up|quit|stopped|cut out|avoid|stay away from"
         rf"|went off"
         r"|have to avoid) (?P<v>(?:all )?(?:red |processed |refined )?(?:alcohol|meat|sugar|coffee|dairy|gluten"
         r"|carbs|wine"
         r"|beer|soda|fish|bread|chocolate|caffeine|pork|beef|eggs|milk|cheese|seafood|shellfish|nuts|junk food"
         r"|fast food"
         r"|sweets|salt|spirits|energy drinks)\b.*)", listed=True),
)  # fmt: skip

_ILLNESS: Final = (
    r"(?:\w+ ){0,3}?(?:diabetes|asthma|migraines?|adhd|add|autism|epilepsy|depression|anxiety|cancer|arthritis|dyslexia"
    r"|insomnia|celiac|coeliac|hypertension|high blood pressure|low blood pressure|hay fever|ibs|crohn'?s|ptsd|ocd"
    r"|eczema"
    r"|psoriasis|tinnitus|anemia|anaemia|sciatica|gout|lupus|parkinson'?s|multiple sclerosis|glaucoma|hiv|long covid"
    r"|bipolar|\w+itis|\w+osis|\w+algia|\w+emia|disorder|syndrome|disease|disability|heart condition|bad (?:back|knee"
    r"|knees)"
    r"|pacemaker|intolerance)\b.*"
)
HEALTH: Final[tuple[Rule, ...]] = (
    ended("health.allergy", rf"{AM}no longer allergic to (?P<v>.+)", listed=True),
    denied("health.allergy", r"i(?:'m| am) not (?:actually |really )?allergic to (?P<v>.+)", listed=True),
    rule("health.allergy", r"my allergy tests? (?:says?|said|shows?|showed|confirm(?:s|ed)|found)(?: that)?"
         r"(?: (?:it's|it is|it was|i'm|i am))?(?: only| just)?(?: allergic to)? (?P<v>(?!fine\b|negative\b|nothing\b"
         r"|clear\b|positive\b|not\b|no\b|i\b|that\b|it\b).+)", listed=True),
    rule("health.allergy", rf"{AM}(?:\w+ly |deathly )?allergic to (?P<v>.+)", listed=True),
    rule("health.allergy", rf"(?:{HAVE}|i have |i suffer from )(?:an? )?(?:\w+ly )?(?:severe |bad |mild |strong "
         rf"|serious |slight )?"
         r"allerg(?:y|ies) to (?P<v>.+)", listed=True),
    rule("health.allergy", r"(?:i have|i've got|i suffer from) (?:an? )?(?:severe |bad |mild |strong |serious "
         r"|slight )?(?P<v>.+?)"
         r" allerg(?:y|ies)", listed=True),
    rule("health.condition", rf"(?:i|i've been|i have been|i got) {ADV}(?:was |got )?diagnosed with (?:an? )?"
         r"(?P<v>.+)"),
    rule("health.condition", rf"i {ADV}(?:suffer|suffering|struggle|live|deal) (?:from|with) (?P<v>{_ILLNESS})"),
    rule("health.condition", rf"(?:i have|i've|i've got|i have got) (?:had )?(?:an? )?(?P<v>{_ILLNESS})"),
    rule("health.condition", rf"{AM}(?:an? )?(?:type \d )?(?P<v>(?:type \d )?diabetic|asthmatic|autistic|dyslexic"
         rf"|epileptic"
         r"|colou?r[- ]?blind|deaf|blind|lactose[- ]intolerant|gluten[- ]intolerant|hard of hearing|pregnant|bipolar"
         r"|anaemic"
         r"|anemic|immunocompromised|in a wheelchair|disabled)(?: .*)?"),
    rule("health.blood_type", r"my blood (?:type|group)(?:'s| is) (?P<v>.+)"),
    ended("health.medication", r"i(?:'ve)? (?:stopped taking|no longer take|don't take|came off|am off) (?P<v>.+?)"
          rf"{_NOT_NOW}?"),
    rule("health.medication", rf"{AM}(?:on|taking) (?P<v>(?:\w+(?:formin|pril|sartan|statin|olol|pine|zole|cillin"
         rf"|mycin|tine"
         r"|pram|line|pam|lam|oxin|mab|xaban|done|sone|fen|phen)|insulin|antidepressants?|medication|the pill"
         r"|aspirin)\b.*)"),
    rule("health.medication", rf"i {ADV}(?:have to )?(?:take|inject|use) (?P<v>(?:\d+ ?mg (?:of )?)?(?:\w+(?:formin"
         rf"|pril|sartan"
         r"|statin|olol|pine|zole|cillin|mycin|tine|pram|pam|lam|oxin|mab|xaban|sone|fen|phen|traline)|insulin"
         r"|antidepressants?|(?:my |daily )?medication|blood thinners|an? inhaler|aspirin|lithium|ritalin|adderall"
         r"|vitamin \w+"
         r"|painkillers)\b.*)"),
)  # fmt: skip

ALL: Final[tuple[Rule, ...]] = (*DIET, *HEALTH, *LANGUAGE, *IDENTITY, *PLACE, *WORK)
