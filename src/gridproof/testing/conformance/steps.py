"""Checks of steps: outcomes with their probabilities, random or listed, and refusals."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gridproof.core.errors import IllegalAction
from gridproof.core.game import Game
from gridproof.core.position import Outcome, Position
from gridproof.core.rng import Rng
from gridproof.testing.conformance.fault import place, raises, require, require_immutable

MANY = 20_000
"""Largest number of outcomes to check at the start of a walk."""
FEW = 200
"""Largest number of outcomes to check at later positions of a walk."""

_LABELS = 2  # outcomes of an action to look up by label
_REFUSALS = 4  # actions of other positions to try


def check_outcomes(outcomes: Iterable[Outcome[Any]], what: str, most: int) -> tuple[Outcome[Any], ...]:
    """Check each outcome and, if there are at most `most`, their sum; return the first `most` of them."""
    listed = tuple(itertools.islice(outcomes, most + 1))
    require(listed, f"there are no {what}")
    labels = set()
    for outcome in listed:
        _check_parts(outcome)
        require(outcome.label not in labels, f"two {what} have the label {outcome.label!r}")
        labels.add(outcome.label)
    if len(listed) <= most:
        total = sum((outcome.probability for outcome in listed), Fraction(0))
        require(total == 1, f"the probabilities of the {what} sum to {total}, not 1")
    return listed


def _check_parts(outcome: Outcome[Any]) -> None:
    require(isinstance(outcome, Outcome), f"a {type(outcome).__name__} is no Outcome")
    probability, label = outcome.probability, outcome.label
    require(isinstance(probability, Fraction), f"the probability {probability!r} is no Fraction")
    require(0 < probability <= 1, f"the probability {probability} is not above 0 and at most 1")
    require(isinstance(outcome.position, Position), f"a {type(outcome.position).__name__} is no Position")
    require(isinstance(outcome.reward, int), f"the reward {outcome.reward!r} is no whole number")
    require(isinstance(label, str) and "\n" not in label, f"the label {label!r} is not one line of text")
    require(isinstance(outcome.events, tuple), f"the events are a {type(outcome.events).__name__}, no tuple")


def check_steps(position: Position[Any], game: Game, rng: Rng, most: int) -> None:
    """Check every action of the position and its outcomes, at most `most` of them."""
    for action in position.all_actions():
        with place(f"action {action}"):
            outcomes = check_outcomes(position.outcomes(action), "outcomes", most)
            _check_labels(position, action, outcomes[:_LABELS])
            drawn = _draw(position, action, rng)
            known = outcomes if len(outcomes) <= most else [position.outcome(action, drawn.label)]
            require(drawn in known, f"step draws an outcome that is none of its outcomes: {drawn.label!r}")
            for outcome in outcomes[:_LABELS]:
                _check_outcome(position, action, outcome, game)


def check_successors(position: Position[Any], game: Game, most: int) -> None:
    """Check that `successors` agrees with the outcomes of actions, if these are at most `most`."""
    for actor in (None, *game.actors(position.level)):
        outcomes = (
            outcome.position for action in position.actions(actor) for outcome in position.outcomes(action)
        )
        if len(listed := list(itertools.islice(outcomes, most + 1))) > most:
            continue
        found = {successor: position.at(successor) for successor in position.successors(actor)}
        require(
            set(found.values()) == set(listed),
            f"successors({actor!r}) gives other positions than the outcomes of its actions",
        )
        require(
            len(found) == len(set(found.values())), f"successors({actor!r}) gives one position in two forms"
        )


def check_refusals(position: Position[Any], known: Iterable[Any]) -> None:
    """Check that actions of other positions that are not executable here are refused."""
    here = set(position.all_actions())
    for action in itertools.islice((action for action in known if action not in here), _REFUSALS):
        with place(f"action {action}, which is not executable"):
            calls = {
                "action(text)": lambda action=action: position.action(str(action)),
                "outcomes": lambda action=action: tuple(position.outcomes(action)),
                "outcome": lambda action=action: position.outcome(action, ""),
                "step": lambda action=action: position.step(action, Rng()),
            }
            for name, call in calls.items():
                require(raises(IllegalAction, call), f"{name} does not raise IllegalAction")


def _check_labels(position: Position[Any], action: Any, outcomes: Iterable[Outcome[Any]]) -> None:
    for outcome in outcomes:
        found = position.outcome(action, outcome.label)
        require(found == outcome, f"outcome({action}, {outcome.label!r}) is not the listed outcome")
    unknown = raises(IllegalAction, lambda: position.outcome(action, "no such label"))
    require(unknown, "an outcome with an unknown label does not raise IllegalAction")


def _draw(position: Position[Any], action: Any, rng: Rng) -> Outcome[Any]:
    seed = rng.word()
    drawn = position.step(action, Rng(seed))
    require(drawn == position.step(action, Rng(seed)), "step with the same generator draws another outcome")
    return drawn


def _check_outcome(position: Position[Any], action: Any, outcome: Outcome[Any], game: Game) -> None:
    require(outcome.position.level == position.level, "an outcome is a position of another level")
    require(pickle.loads(pickle.dumps(outcome)) == outcome, "pickling gives another outcome")  # noqa: S301  # our own
    for event in outcome.events:
        with place(f"event {type(event).__name__}"):
            hash(event)
            for attribute in getattr(event, "__dataclass_fields__", ()):
                require_immutable(event, attribute, "the event")
    for item in game.measures:
        with place(f"measure {item.name!r}"):
            cost = item.cost(position, action, outcome)
            require(isinstance(cost, int) and cost >= 0, f"the cost is {cost!r}, not a whole number from 0")
