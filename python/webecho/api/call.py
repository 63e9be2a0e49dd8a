"""The face that Python programs see: errors in their words, and wrong keywords named with the
nearest right one."""

import warnings
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from webecho.api.arguments import described
from webecho.errors import WebechoError

# What other tools call it.
SYNONYMS = {"threshold": "resemblance", "jobs": "threads", "output": "out"}

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def public(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """A function as Python programs call it."""
    known = [*signature(function).parameters]

    @wraps(function)
    def call(*given: Parameters.args, **named: Parameters.kwargs) -> Returned:
        for name in named:
            if name not in known:
                raise TypeError(unexpected(function.__name__, name, known))
        try:
            return function(*given, **named)
        except WebechoError as error:
            error.say_in_python()
            raise

    call.__doc__ = described(function)
    return call


def unexpected(function: str, name: str, known: list[str]) -> str:
    """What is said of a keyword that a function does not have."""
    ours = SYNONYMS.get(name)
    near = [ours] if ours in known else get_close_matches(name, known, 1)
    fix = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{function}() got an unexpected keyword argument {name!r}; {fix}"


def warn(*texts: str | None, above: int = 0) -> None:
    """Warns whoever called the public function that calls this, or that is so many calls above it,
    where there is something to say."""
    for text in filter(None, texts):
        warnings.warn(text, stacklevel=4 + above)


def estimates(reason: str | None) -> str | None:
    """What is said if resemblances could not be counted."""
    return None if reason is None else f"resemblances are estimated from features: {reason}"
