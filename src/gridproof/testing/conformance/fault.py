"""Faults that the kit reports, and their places."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from gridproof.core.errors import GridproofError


class NonConformance(GridproofError):
    """A fault of a game, with its place.

    Attributes
    ----------
    fault : str
        Description in one sentence.
    places : tuple of str
        Places from the outside in: the game, the level, the position, the action.
    """

    def __init__(self, fault: str, *places: str) -> None:
        super().__init__(fault)
        self.fault = fault
        self.places = places

    def __str__(self) -> str:
        return ": ".join((*self.places, self.fault))


def require(condition: object, fault: str) -> None:
    """Raise NonConformance unless the condition is true."""
    if not condition:
        raise NonConformance(fault)


@contextlib.contextmanager
def place(name: str) -> Iterator[None]:
    """Context that adds a place to faults, and turns any exception into a fault."""
    try:
        yield
    except NonConformance as fault:
        fault.places = (name, *fault.places)
        raise
    except Exception as error:
        raise NonConformance(f"raises {type(error).__name__}: {error}", name) from error


def raises(kinds: type[Exception] | tuple[type[Exception], ...], call: Callable[[], object]) -> bool:
    """Return whether a call raises an exception of these kinds; others pass through."""
    try:
        call()
    except kinds:
        return True
    return False


def require_immutable(value: object, attribute: str, what: str) -> None:
    """Require that assignment to an attribute raises."""
    present = getattr(value, attribute)
    require(
        raises((AttributeError, TypeError), lambda: setattr(value, attribute, present)),
        f"{what} is not immutable: its {attribute} can be assigned",
    )
