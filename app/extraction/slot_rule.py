"""What a row of the slot tables is, and the pieces of pattern that the tables are written with."""

import re
from dataclasses import dataclass
from typing import Final

from app.domain.memories import Cue, Polarity

ADV: Final = (
    r"(?:(?:really|also|still|just|currently|now|actually|always|absolutely|totally|do|personally|truly|especially"
    r"|quite"
    r"|particularly|mostly|simply|generally|honestly|genuinely|definitely|only|already|recently|finally|officially|both"
    r"|kinda|usually|mainly|so|very much|even|happily|proudly|legally|primarily|have|have just) )*"
)
AM: Final = rf"i(?:'m| am) {ADV}"
BEEN: Final = rf"i(?:'m| am|'ve been| have been| was) {ADV}"
HAVE: Final = rf"(?:i|we)(?:'ve| have) (?:got )?{ADV}"
OUR: Final = r"(?:my|our|the)"
YOU_ASKED: Final = r"(?:please |kindly |in (?:the )?future,? |from now on,? |going forward,? |and |also )*"
ROLE: Final = (
    r"(?P<r>(?:ex-?|step-?|grand|great-?grand|half-?)?(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?"
    r"|mother|mum|mom|father|dad|brother|sister|son|daughter|child|kid|baby|boss|manager|supervisor|colleague"
    r"|co-?worker|team ?mate|friend|cousin|aunt|uncle|grandma|grandpa|granny|nephew|niece|neighbou?r|roommate|flatmate"
    r"|housemate|teacher|tutor|coach|mentor|therapist|doctor|dentist|landlord|landlady|assistant|twin"
    r"|(?:mother|father|brother|sister)-in-law|co-?founder|lawyer|nanny|gran|nan|mate|pal|buddy|bestie|line manager"
    r"|other half|better half"
    r"|god(?:mother|father|son|daughter)))"
)
ROLES: Final = (
    r"(?P<r>(?:grand)?(?:parents|kids|children|sons|daughters|brothers|sisters|siblings|twins|friends|colleagues"
    r"|cousins|grandparents|in-laws|roommates|bosses))"
)
OF_ROLE: Final = (
    r"(?:younger |older |little |big |best |close |good |old |oldest |youngest |elder |eldest |new |former |late |dear "
    r"|twin |direct |line |only |middle |other |own )*"
)
PET: Final = (
    r"(?P<r>(?:dog|cat|puppy|kitten|parrot|hamster|rabbit|bunny|horse|pony|budgie|canary|guinea pig|turtle|tortoise"
    r"|snake|goldfish|fish|ferret|gecko|lizard|rat|mouse|chicken|donkey|pet))"
)
PETS: Final = (
    r"(?P<r>dogs|cats|puppies|kittens|parrots|hamsters|rabbits|bunnies|horses|ponies|budgies|guinea pigs|turtles"
    r"|tortoises|goldfish|fish|ferrets|rats|chickens|donkeys|goats|sheep)"
)
NAME: Final = r"(?P<v>[^\W\d_][\w'.-]*(?: [^\W\d_][\w'.-]*){0,3})"
"""A name by its shape; whether it is one is decided by its capitals."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to say something of a slot.

    `pattern` matches a clause from its start. Group `v` is the value, `x` the value it replaces; `r` and `t` fill the
    `{r}` and `{t}` of the keys. `more` lists further facts of the same match as (key, group). `listed` values may be
    several. `fixed` stands for the value when the wording itself is the value.
    """

    key: str
    pattern: re.Pattern[str]
    polarity: Polarity = Polarity.POSITIVE
    cue: Cue = Cue.NONE
    listed: bool = False
    more: tuple[tuple[str, str], ...] = ()
    fixed: str | None = None


def rule(
    key: str,
    pattern: str,
    *,
    polarity: Polarity = Polarity.POSITIVE,
    cue: Cue = Cue.NONE,
    listed: bool = False,
    more: tuple[tuple[str, str], ...] = (),
    fixed: str | None = None,
) -> Rule:
    """A row whose pattern ignores case and must match the clause to its end."""
    return Rule(key, re.compile(rf"(?:{pattern})$", re.IGNORECASE), polarity, cue, listed, more, fixed)


def ended(key: str, pattern: str, *, listed: bool = False) -> Rule:
    """A row for what no longer holds."""
    return rule(key, pattern, polarity=Polarity.NEGATIVE, cue=Cue.END, listed=listed)


def denied(key: str, pattern: str, *, listed: bool = False) -> Rule:
    """A row for what does not hold."""
    return rule(key, pattern, polarity=Polarity.NEGATIVE, listed=listed)


def changed(key: str, pattern: str, *, more: tuple[tuple[str, str], ...] = ()) -> Rule:
    """A row for what has come in the place of something else."""
    return rule(key, pattern, cue=Cue.UPDATE, more=more)
