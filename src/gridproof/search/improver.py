"""A game's own improver of solutions, its extension `improver`; importing this module loads none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gridproof.core.extension import find_extension
from gridproof.core.game import Game, Measure
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter
from gridproof.core.trace import Trace


@dataclass(slots=True)
class ImproveQuestion:
    """A trace that an improver makes cheaper."""

    trace: Trace
    """Without a loop; it has been replayed."""
    measure: Measure
    """The measure to minimise, or two of them."""
    is_win: bool
    """True if any win will do for the end; else the result ends in the last position of the trace."""
    meter: Meter
    """The limit; the improver ends soon after it is reached."""
    report: Callable[[int], None]
    """Takes the number of positions found since the last report."""
    optimal: bool = False
    """Set to True by the improver when it has proved that no trace to that end costs less than the last one it has
    yielded, or the given one."""


@dataclass(frozen=True, slots=True)
class Improver:
    """A game's own improver of solutions."""

    name: str
    """The engine's name in the answer: "vicinity"."""
    meaning: str
    """One line about it."""
    function: str
    """"package.module:function", imported on first use. It takes an `ImproveQuestion`, and yields cheaper and cheaper
    traces to the same end; between two searches that found none, it may yield None."""

    def load(self) -> Callable[[ImproveQuestion], Iterator[Trace | None]]:
        """Import the function."""
        module, _, name = self.function.partition(":")
        function: Callable[[ImproveQuestion], Iterator[Trace | None]] = getattr(load(module), name)
        return function


def improver_of(game: Game) -> Improver | None:
    """Return a game's own improver; None when it has none."""
    return find_extension(game, "improver", Improver)
