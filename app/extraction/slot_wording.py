"""A fact of a slot as one English sentence, and how much it matters."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.domain.memories import Polarity
from app.extraction.slot_rules import Fact
from app.extraction.third_person import closed, third_person

_SENTENCES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "profile.name": ("{s}'s name is {v}", "{s}'s name is not {v}"),
        "profile.location": ("{s} lives in {v}", "{s} does not live in {v} any more"),
        "profile.origin": ("{s} comes from {v}", "{s} does not come from {v}"),
        "profile.employer": ("{s} works for {v}", "{s} does not work for {v} any more"),
        "profile.occupation": ("{s} works as {a}", "{s} does not work as {a} any more"),
        "profile.age": ("{s} is {v} years old", "{s} is not {v} years old"),
        "profile.birthday": ("{s}'s birthday is {v}", "{s}'s birthday is not {v}"),
        "profile.email": ("{s}'s e-mail address is {v}", "{s}'s e-mail address is not {v}"),
        "profile.marital_status": ("{s} is {v}", "{s} is not {v}"),
        "profile.language": ("{s} speaks {v}", "{s} does not speak {v}"),
        "diet.kind": ("{s} is {v}", "{s} is not {v} any more"),
        "diet.avoid": ("{s} does not take {v}", "{s} takes {v} again"),
        "health.allergy": ("{s} is allergic to {v}", "{s} is not allergic to {v}"),
        "health.condition": ("{s} has {v}", "{s} does not have {v}"),
        "health.medication": ("{s} takes {v}", "{s} does not take {v} any more"),
        "company.size": ("{s}'s company has {v}", "{s}'s company does not have {v}"),
        "company.location": ("{s}'s company is based in {v}", "{s}'s company is not based in {v}"),
        "preference.like": ("{s} likes {v}", "{s} does not like {v} any more"),
        "preference.dislike": ("{s} does not like {v}", "{s} does not mind {v}"),
        "preference.prefers": ("{s} prefers {v}", "{s} does not prefer {v}"),
        "preference.response_style": ("{s} wants the assistant to {v}", "{s} does not want the assistant to {v}"),
        "decision": ("{s} decided on {v}", "{s} decided against {v}"),
        "goal": ("{s} wants to {v}", "{s} does not want to {v}"),
        "possession": ("{s} has {v}", "{s} does not have {v} any more"),
    }
)
_IMPORTANCE: Final = (
    ("health.", 5),
    ("profile.name", 5),
    ("profile.", 4),
    ("relation.", 4),
    ("diet.", 4),
    ("decision", 4),
    ("project.", 4),
    ("company.", 4),
    ("preference.response_style", 4),
)
_NEGATED: Final = re.compile(r"(?:please )?(?:don't|do not|don't ever|do not ever) ", re.IGNORECASE)
_TOLD: Final = re.compile(
    r"(?:always|never|not|don't|do not|be|keep|use|answer|reply|respond|address|call|stop|avoid|skip|speak|write"
    r"|explain|make"
    r"|give|talk|include|start|end|add|show|cite|format|provide|contact|message|refer|put|ask|tell|remind|suggest)\b"
)
_DEED: Final = re.compile(
    r"(?:go|use|stick|pick|choose|drop|keep|adopt|stay|switch|move|settle|call|support|build|ship|hire|buy|sell|start"
    r"|stop|make"
    r"|run|deploy|launch|postpone|cancel|write|take|have|do|get|be|add|remove|replace|migrate|rent|travel|fly|meet)\b"
)
_RELATION: Final = re.compile(r"(relation|pet)\.([\w-]+)\.(\w+)")
_RELATION_WORDS: Final = {
    "name": "is called {v}",
    "birthday": "has a birthday on {v}",
    "location": "lives in {v}",
    "occupation": "works as {a}",
    "employer": "works for {v}",
    "age": "is {v} years old",
}
_CONDITION: Final = re.compile(
    r"(?P<c>(?:when(?:ever)?|if) [^,]+|(?:each|every|any) time [^,]+), (?:please )?", re.IGNORECASE
)
_OWN: Final = re.compile(r"\b(?:i|me|my|we|us|our|i'm|we're|i've|we've|myself)\b", re.IGNORECASE)
_USUAL: Final = 3


def importance_of(key: str) -> int:
    """How much a fact of the slot `key` matters, 1 to 5."""
    return next((level for prefix, level in _IMPORTANCE if key.startswith(prefix)), _USUAL)


def sentence_of(fact: Fact, subject: str) -> str | None:
    """`fact` as a sentence about `subject`; None when the registry's slot has no fixed wording."""
    relation = _RELATION.fullmatch(fact.key)
    if relation:
        role, words = relation.group(2).replace("-", " "), _RELATION_WORDS[relation.group(3)]
        named = f"{role} {fact.who}" if fact.who else role
        if relation.group(3) == "name" and re.search(r"\w(?:,| and) \w", fact.value):
            named, words = role if role.endswith("s") or role == "children" else f"{role}s", "are called {v}"
        return closed(_filled(f"{{s}}'s {named} {words}", fact.value, subject))
    pair = _SENTENCES.get(fact.key)
    if fact.key == "preference.response_style":
        return _style_sentence(fact.value, subject)
    if pair is None:
        return None
    if fact.key == "decision":
        return _decision_sentence(fact, subject)
    over = f" rather than {fact.replaces}" if fact.key == "preference.prefers" and fact.replaces else ""
    return closed(_filled(pair[fact.polarity is Polarity.NEGATIVE], fact.value, subject) + over)


def stands_alone(fact: Fact) -> bool:
    """Whether the wording of the clause itself can say it; imperatives and clauses with several facts cannot."""
    return not fact.several and fact.key not in {"preference.response_style", "profile.name", "company.size"}


def _filled(pattern: str, value: str, subject: str) -> str:
    if _OWN.search(value):
        told = third_person(f"I am {value}", subject).rstrip(".")
        value = told.removeprefix(f"{subject} is ")
    return pattern.format(s=subject, v=value, a=_with_article(value))


def _with_article(job: str) -> str:
    if re.match(r"(?:an?|the|my|for|in|teach|head|freelance|vp|ceo|cto|cfo|coo)\b", job, re.IGNORECASE):
        return job
    return f"{'an' if job[0].lower() in 'aeiou' else 'a'} {job}"


def _style_sentence(value: str, subject: str) -> str:
    """A wish for the answers as what the speaker wants of the assistant."""
    wish = f"{value[0].lower()}{value[1:]}"
    condition = _CONDITION.match(wish)
    if condition:
        wish = f"{wish[condition.end() :]} {condition.group('c')}"
    if not condition and not _TOLD.match(wish):
        return closed(f"{subject} wants {wish}")
    negated = _NEGATED.match(wish)
    told = f"not to {wish[negated.end() :]}" if negated else f"to {wish}"
    return third_person(f"I want the assistant {told}", subject)


def _decision_sentence(fact: Fact, subject: str) -> str:
    against = "not " if fact.polarity is Polarity.NEGATIVE else ""
    over = f" instead of {fact.replaces}" if fact.replaces else ""
    joint = "to" if _DEED.match(fact.value) else "on"
    return third_person(f"I decided {against}{joint} {fact.value}{over}", subject)
