"""How the kit says what is wrong, and where."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from gridproof.core.errors import GridproofError


class NonConformance(GridproofError):
    """What a game does wrong, and where.

    Attributes
    ----------
    fault : str
        What is wrong, in one sentence.
    places : tuple of str
        Where, from the outside in: the game, the level, the position, the action.
    """

    def __init__(self, fault: str, *places: str) -> None:
        super().__init__(fault)
        self.fault = fault
        self.places = places

    def __str__(self) -> str:
        return ": ".join((*self.places, self.fault))


def require(condition: object, fault: str) -> None:
    """Raise NonConformance with this sentence unless the condition is true."""
    if not condition:
        raise NonConformance(fault)


@contextlib.contextmanager
def place(name: str) -> Iterator[None]:
    """Faults inside are at this place; any exception is a fault."""
    try:
        yield
    except NonConformance as fault:
        fault.places = (name, *fault.places)
        raise
    except Exception as error:
        raise NonConformance(f"raises {type(error).__name__}: {error}", name) from error


def raises(kinds: type[Exception] | tuple[type[Exception], ...], act: Callable[[], object]) -> bool:
    """Whether an act raises an exception of these kinds; others pass."""
    try:
        act()
    except kinds:
        return True
    return False


def require_immutable(value: object, attribute: str, what: str) -> None:
    """Assigning an attribute, even its own value, must raise."""
    present = getattr(value, attribute)
    require(
        raises((AttributeError, TypeError), lambda: setattr(value, attribute, present)),
        f"{what} is not immutable: its {attribute} can be assigned",
    )
