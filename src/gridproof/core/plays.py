"""What has been done on each level of a session; on those that lie by, as data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gridproof.core.frozen import FrozenDict
from gridproof.core.position import Position
from gridproof.core.progress import Play, SavedPlay

Packed = tuple[Position[Any], SavedPlay]
"""The start, and what was done since then."""


class Plays(dict[int, Play]):
    """The levels that have been entered, by place; a level that was packed is played again as it was, once it is needed."""

    def __init__(self, used: Mapping[int, Play], packed: Mapping[int, Packed] = FrozenDict()) -> None:
        super().__init__(used)
        self._packed = {**packed}

    def __missing__(self, place: int) -> Play:
        play = self[place] = Play.resumed(*self._packed[place])
        return play

    def __setitem__(self, place: int, play: Play) -> None:
        super().__setitem__(place, play)
        self._packed.pop(place, None)

    def __contains__(self, place: object) -> bool:
        return super().__contains__(place) or place in self._packed

    def entered(self, place: int) -> Play | None:
        """What has been done on a level; None when it has not been entered."""
        return self[place] if place in self else None  # noqa: SIM401  # `get` would not see what is packed

    def forget(self, place: int) -> None:
        """It has not been entered after all."""
        super().pop(place, None)
        self._packed.pop(place, None)

    def pack(self, but: int) -> None:
        """Keep what was done on all levels but one as texts: positions take ten times as much memory."""
        for place in [place for place in self if place != but]:
            play = self.pop(place)
            saved = play.saved(finished=False)
            alike = {step: step for step in saved.steps}  # each step once, however often it was done
            self._packed[place] = play.start, replace(saved, steps=tuple(map(alike.__getitem__, saved.steps)))

    def copy(self) -> Plays:
        """The same, apart from these."""
        return Plays({place: play.copy() for place, play in self.items()}, self._packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plays, (dict(self), self._packed)
