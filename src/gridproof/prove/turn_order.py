"""The players who take turns where a coalition forces something, and whether a coalition is of them."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level
from gridproof.core.text.phrases import some
from gridproof.prove.formula import Coalition, Formula, subformulas
from gridproof.search.actors import Who


def turn_order(level: Level, who: Who) -> tuple[str, ...]:
    """Return the players who take turns, in their order."""
    named = level.game.actors(level) if who == (None,) else tuple(filter(None, who))
    return tuple(name for name in named if name != NATURE)


def check_turns(formula: Formula, level: Level, who: Who) -> None:
    """Check, before any work, that only players act, and that each coalition names some of them; else GridproofError."""
    if NATURE in who:
        raise GridproofError(f"{NATURE} takes no turn; remove it from the actors")
    order = turn_order(level, who)
    for one in subformulas(formula):
        if isinstance(one, Coalition) and (unknown := [name for name in one.names if name not in order]):
            those = f"{some(order)} do, in this order" if len(order) > 1 else f"only {some(order)} does"
            raise GridproofError(f"{unknown[0]} in {one} takes no turn: {those}")
