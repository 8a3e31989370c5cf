"""Checks of search directions: bounds, predecessors, and the positions where propositions hold."""

from __future__ import annotations

import itertools
from typing import Any

from gridproof.core.game import Proposition
from gridproof.core.position import Position
from gridproof.core.proposition import propositions
from gridproof.testing.conformance.fault import place, require
from gridproof.testing.proposition_arguments import arguments_of

_FEW = 50
"""Largest number of predecessors to check."""


def check_directions(path: list[Position[Any]]) -> None:
    """Check along the positions of players' actions."""
    for item in propositions(path[0].level.game).values():
        with place(f"the proposition {item.name!r}"):
            _check_proposition(item, path)
    for before, after in itertools.pairwise(path):
        with place(f"position {after.text()!r}"):
            _check_predecessors(before, after)


def _check_proposition(item: Proposition, path: list[Position[Any]]) -> None:
    most = len(item.parameters)
    directed = any(one is not None for one in (item.bound, item.chance, item.where))
    for count in range(most - item.optional, most + 1 if directed else 1):
        for arguments in arguments_of(item, path[0].level, count):
            with place(f"with the arguments {arguments}"):
                _check_arguments(item, arguments, path)


def _check_arguments(item: Proposition, arguments: tuple[int | str, ...], path: list[Position[Any]]) -> None:
    values = [bool(item.value(position, *arguments)) for position in path]
    if item.bound is not None:
        _check_bounds([item.bound(position, *arguments) for position in path], values)
    if item.chance is not None:
        _check_chances(item, arguments, path)
    if item.where is not None:
        listed = list(item.where(path[0].level, *arguments))
        found = set(listed)
        require(len(found) == len(listed), "it holds twice in one position")
        everywhere = all(item.value(position, *arguments) for position in listed)
        require(everywhere, "it does not hold in every position where it is said to")
        for position, value in zip(path, values, strict=True):
            require(not value or position in found, f"it is not said that it holds in {position.text()!r}")


def _check_bounds(bounds: list[int], values: list[bool]) -> None:
    left: int | None = None  # actions until it holds for the next time
    for bound, holds in zip(reversed(bounds), reversed(values), strict=True):
        left = 0 if holds else None if left is None else left + 1
        require(isinstance(bound, int) and bound >= 0, f"the bound {bound!r} is no whole number from 0 on")
        require(left is None or bound <= left, f"the bound is {bound}, but {left} actions are enough")


def _check_chances(item: Proposition, arguments: tuple[int | str, ...], path: list[Position[Any]]) -> None:
    assert item.chance is not None
    for position in path:
        outcomes = [[*position.outcomes(action)] for action in position.actions()]
        holds = bool(item.value(position, *arguments))
        best = max(
            (
                sum(one.probability for one in mine if item.value(one.position, *arguments))
                for mine in outcomes
            ),
            default=0,
        )
        for actions, true in enumerate((int(holds), 1 if holds else best)):
            most = item.chance(position, actions, *arguments)
            require(
                true <= most,
                f"its chance within {actions} actions is said to be {most} at most, but is {true}",
            )


def _check_predecessors(before: Position[Any], after: Position[Any]) -> None:
    predecessors = before.level.game.predecessors
    listed = predecessors and predecessors(after)
    if listed is None:
        return
    found = tuple(listed)
    require(before in found, f"{before.text()!r} leads here, and is none of the predecessors")
    for position in found[:_FEW]:
        outcomes = (outcome for action in position.actions() for outcome in position.outcomes(action))
        require(
            any(outcome.position == after for outcome in outcomes),
            f"the predecessor {position.text()!r} does not lead here",
        )
