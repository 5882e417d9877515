"""Every error that the house can raise has a name of its own and a title that a caller can read."""

import importlib
import pkgutil
import re

import pytest

import app
from app.core.errors import DomainError
from app.main import create_app

EXAMPLES = create_app().openapi()["components"]["examples"]
UNDECLARED = {"error", "not_found", "conflict", "no_such_route", "method_not_allowed", "request_refused"}


def kinds() -> list[type[DomainError]]:
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type[DomainError]] = [DomainError]
    for kind in found:
        found.extend(child for child in kind.__subclasses__() if child not in found)
    return found


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_an_error_has_a_name_and_says_what_it_means(kind: type[DomainError]):
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.slug)
    assert "slug" in vars(kind), "an error without a slug of its own would pass for another"
    assert kind.title().endswith(".")
    assert 400 <= kind.status < 600


def test_no_two_errors_have_the_same_name():
    slugs = [kind.slug for kind in kinds()]
    assert len(slugs) == len(set(slugs))


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_an_error_that_a_caller_can_meet_is_declared_by_some_route(kind: type[DomainError]):
    assert kind.slug in EXAMPLES or kind.slug in UNDECLARED
