"""Games of OpenSpiel: importing this registers every game with pyspiel, as `gridproof_sokoban` and so on.

import pyspiel
import gridproof.envs.open_spiel

game = pyspiel.load_game("gridproof_twenty48(level=twenty48/positions/1)")

The games have perfect information. Chance is explicit: a node for the start, if chance draws it, and one after each action that
can lead to several positions. Several players move in turn.
"""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gridproof.core import registry
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import NATURE, Level, Outcome, Position
from gridproof.core.text.level_lookup import first_pack, pack_names
from gridproof.envs.conversion import environment_of
from gridproof.envs.extension import EnvExtension, PlayerPlanes
from gridproof.envs.levels import levels_of
from gridproof.envs.rewards import find_reward
from gridproof.envs.rules_batch import end_status
from gridproof.envs.vector import check_count
from gridproof.kernels.game import packing_of

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("this needs OpenSpiel: pip install gridproof[openspiel]") from error

MAX_ACTIONS = 10_000
"""Actions after which a game ends, if its environments are never truncated."""
MOST_OUTCOMES = 1 << 16
"""Bound of the outcomes of an action on levels without a kernel, which is not known."""
_Type = pyspiel.GameType


class Moment(NamedTuple):
    """All that changes in a state; copies share it."""

    position: Position[Any] | None
    """None before chance has drawn the start."""
    player: int
    """Player who moves, or whose action waits for its outcome."""
    actions: int
    """Number of actions done."""
    rewards: tuple[float, ...]
    returns: tuple[float, ...]
    over: bool = False
    chances: tuple[Outcome[Any], ...] = ()
    """Outcomes of which chance draws one next; () if it is a player's turn."""
    waiting: Any = None
    """Action that has these outcomes; None before the start."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


class SpielGame(pyspiel.Game):
    """A level as a game of OpenSpiel; each game of gridproof has a subclass.

    The number of an action is its place among its player's own actions in `Level.all_actions`.

    Parameters
    ----------
    parameters : dict
        "level": a name as on the command line, such as "sokoban/first-steps/3" or "mine.xsb#2"; "reward": a name of
        `gridproof.envs.REWARDS`, by default that of the environments; "ends_at_win": true if a win ends the game even if it
        could go on; "max_actions": the game ends after so many actions.

    Raises
    ------
    GridproofError
        When there is no such level or reward, or the game does not list its actions.
    """

    game: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game = self.game
        given = _default_parameters(game) | dict(parameters or {})
        self.level: Level = levels_of(game, given["level"] or None)[0]
        self.starts = merge_outcomes(self.level.starts())
        self.actors = tuple(actor for actor in game.actors(self.level) if actor != NATURE)
        self.actions = {actor: _own_actions(self.level, actor) for actor in self.actors}
        self.numbers = {action: number for own in self.actions.values() for number, action in enumerate(own)}
        if not self.numbers:
            raise GridproofError(f"{game.name} lists no actions: OpenSpiel needs `Level.all_actions`")
        self._reward = find_reward(game, given["reward"] or None)
        self._measure = _measure(game, self._reward.measure)
        self.at_win = given["ends_at_win"] or not game.policy.act_after_win
        super().__init__(
            _game_type(game, self.level), self._info(check_count("max_actions", given["max_actions"])), given
        )

    def _info(self, max_actions: int) -> Any:
        low, high = 0.0, 0.0
        for most, weight in ((1, self._reward.win), (1, self._reward.lose), (max_actions, self._reward.step)):
            low, high = low + min(0.0, most * weight), high + max(0.0, most * weight)
        if self._reward.score or self._reward.measured:
            high = math.inf
        return pyspiel.GameInfo(
            num_distinct_actions=max(map(len, self.actions.values())),
            max_chance_outcomes=_most_outcomes(self.level),
            num_players=len(self.actors),
            min_utility=-math.inf if self._reward.measured or self._reward.score < 0 else low,
            max_utility=high,
            max_game_length=max_actions,
        )

    def new_initial_state(self, state: None = None) -> SpielState:
        """Return the state at the start, where chance draws it if there are several starts."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of the board, or of the game's history if this is wanted."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)

    def rewards(
        self, before: Position[Any], outcome: Outcome[Any], player: int, ended: bool
    ) -> tuple[float, ...]:
        """Return each player's reward of an outcome of a player's action in a position."""
        after = outcome.position
        growth = int(self._measure(after)) - int(self._measure(before))
        found = []
        for one in range(len(self.actors)):
            won = self._won_by(after, one)
            reward = self._reward if one == player else self._reward.without_steps()
            won_now = won and not self._won_by(before, one)
            found.append(reward.of_step(outcome.reward, growth, won=won_now, lost=ended and not won))
        return tuple(found)

    def _won_by(self, position: Position[Any], player: int) -> bool:
        by_name = {item.name: item for item in self.level.game.propositions}
        if len(self.actors) > 1 and "won" in by_name and by_name["won"].parameters:
            return bool(by_name["won"].value(position, self.actors[player]))
        return position.won


class SpielState(pyspiel.State):
    """A state of a `SpielGame`."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        nothing = (0.0,) * len(game.actors)
        self.moment = Moment(None, 0, 0, nothing, nothing, chances=game.starts)
        if len(game.starts) == 1:
            self._apply_chance(0)

    @property
    def position(self) -> Position[Any] | None:
        """The position; None before chance has drawn the start."""
        return self.moment.position

    def current_player(self) -> int:
        """Return the player who moves, or the number for chance or for the end."""
        if self.moment.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.moment.chances else self.moment.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.moment.over

    def rewards(self) -> list[float]:
        """Return each player's reward of the last action, after chance has drawn its outcome."""
        return [*self.moment.rewards]

    def returns(self) -> list[float]:
        """Return the sum of each player's rewards."""
        return [*self.moment.returns]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the outcomes, in the order of the rules, with their probabilities."""
        return [(number, float(one.probability)) for number, one in enumerate(self.moment.chances)]

    def _legal_actions(self, player: int) -> list[int]:
        position, game = self.position, self._game()
        if position is None or player != self.current_player():
            return []
        return sorted(game.numbers[action] for action in position.actions(game.actors[player]))

    def _apply_action(self, number: int) -> None:
        game, moment = self._game(), self.moment
        if moment.chances or moment.position is None:
            self._apply_chance(number)
            return
        action = game.actions[game.actors[moment.player]][number]
        chances = merge_outcomes(moment.position.outcomes(action))
        nothing = (0.0,) * len(game.actors)
        self.moment = moment._replace(
            actions=moment.actions + 1, rewards=nothing, chances=chances, waiting=action
        )
        if len(chances) == 1:
            self._apply_chance(0)

    def _action_to_string(self, player: int, number: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            game = self._game()
            return str(game.actions[game.actors[player]][number])
        return self.moment.chances[number].label or f"outcome {number}"

    def __str__(self) -> str:
        moment = self.moment
        if moment.position is None:
            return "before the start"
        text = moment.position.text()
        if moment.waiting is not None:
            return f"{text}after {moment.waiting}\n"
        actors = self._game().actors
        return f"{text}{actors[moment.player]} moves\n" if len(actors) > 1 and not moment.over else text

    def _game(self) -> SpielGame:
        game: SpielGame = self.get_game()
        return game

    def _apply_chance(self, number: int) -> None:
        """Go on with an outcome; if it is one of an action, reward the players."""
        game, before, outcome = self._game(), self.moment.position, self.moment.chances[number]
        ended, _ = end_status(outcome.position, game.at_win)
        player = -1
        if before is not None:
            player = self.moment.player
            rewards = game.rewards(before, outcome, player, ended)
            returns = tuple(map(sum, zip(self.moment.returns, rewards, strict=True)))
            self.moment = self.moment._replace(rewards=rewards, returns=returns)
        self._enter(outcome.position, player, ended)

    def _enter(self, position: Position[Any], player: int, ended: bool) -> None:
        """Enter a position after an action of a player; the next player with an executable action moves."""
        actors, actions = self._game().actors, self.moment.actions
        order = [(player + by) % len(actors) for by in range(1, len(actors) + 1)]
        can_act = (one for one in order if position.actions(actors[one]))
        over = ended or actions >= self._game().max_game_length()
        following = order[0] if over else next(can_act)
        self.moment = self.moment._replace(
            position=position, player=following, over=over, chances=(), waiting=None
        )


class BoardObserver:
    """Observer of the whole board, as a player sees it, and of whose turn it is.

    Parameters
    ----------
    game : SpielGame
    params : None

    Attributes
    ----------
    tensor : float32 array (n,)
    dict : mapping of str to float32 array
        Views of the tensor: "board", the planes of `gridproof.envs.observe` or those of the game for several players; and for
        several players "turn", 1 at the place of the player who moves, counted from the observer.
    """

    def __init__(self, game: SpielGame, params: Any = None) -> None:
        if params:
            raise ValueError(f"this observer has no parameters, not {params}")
        self._players, self._planes = len(game.actors), _planes_of(game.level)
        shape = self._planes(game.level.start(), 0).shape
        cells = math.prod(shape)
        self.tensor = np.zeros(cells + (self._players if self._players > 1 else 0), np.float32)
        self.dict = {"board": self.tensor[:cells].reshape(shape)}
        if self._players > 1:
            self.dict["turn"] = self.tensor[cells:]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees of a state."""
        self.tensor.fill(0)
        if state.position is not None:
            self.dict["board"][...] = self._planes(state.position, player)
        if "turn" in self.dict and state.current_player() >= 0:
            self.dict["turn"][(state.current_player() - player) % self._players] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the state as a text, the same for all players."""
        return str(state)


Planes = Callable[[Position[Any], int], Any]
"""Returns the planes of a position as a player sees it, an array (planes, height, width)."""


def _planes_of(level: Level) -> Planes:
    found = find_extension(level.game, "env", EnvExtension)
    if isinstance(found, PlayerPlanes):
        planes: Planes = pkgutil.resolve_name(found.planes)
        return planes
    env = environment_of(level, "planes")
    return lambda position, player: env.reset(options={"position": position})[0]


def _own_actions(level: Level, actor: str) -> list[Any]:
    return [action for action in level.all_actions() if level.owner(action) == actor]


def _measure(game: Game, name: str) -> Callable[[Any], int]:
    """Return the measure of a reward."""
    values: dict[str, Any] = {item.name: item.value for item in game.propositions}
    found: Callable[[Any], int] = values.get(name, lambda position: 0)
    return found


def merge_outcomes(outcomes: Iterable[Outcome[Any]]) -> tuple[Outcome[Any], ...]:
    """Merge outcomes with the same position and reward, such as hints, which a player who sees the board does not need."""
    merged = dict[Any, Outcome[Any]]()
    for one in outcomes:
        key = one.position, one.reward
        before = merged[key].probability if key in merged else 0
        merged[key] = merged.get(key, one)._replace(probability=one.probability + before)
    return tuple(merged.values())


def _most_outcomes(level: Level) -> int:
    """Return an upper bound of the outcomes of a chance node; 0 if there are none."""
    if not _has_chance(level):
        return 0
    found = packing_of(level)
    return max(found[1].most if found else MOST_OUTCOMES, len(merge_outcomes(level.starts())))


def _has_chance(level: Level) -> bool:
    """Return whether a game is random, judged by its starts and first actions."""
    position = level.start()
    chances = (level.starts(), *map(position.outcomes, position.actions()))
    return any(len(merge_outcomes(one)) > 1 for one in chances)


def _default_parameters(game: Game) -> dict[str, Any]:
    """Return the parameters of a game: its level is the first of its environments, "" if it has none of its own."""
    found = find_extension(game, "env", EnvExtension)
    levels = found.defaults.get("levels") if found else None
    if not levels and pack_names(game):
        levels = f"{first_pack(game.name)}/1"
    most = found.max_episode_steps if found else None
    return {"level": levels or "", "reward": "", "ends_at_win": False, "max_actions": most or MAX_ACTIONS}


def _game_type(game: Game, level: Level | None = None) -> Any:
    """Return the type of a game, or of one level of it, which may have no chance."""
    parameters = _default_parameters(game)
    if level is None and parameters["level"]:
        level = levels_of(game, parameters["level"])[0]
    is_random = level is None or _has_chance(level)
    mode = _Type.ChanceMode
    return _Type(
        short_name=f"gridproof_{game.name}",
        long_name=f"{game.title} (gridproof)",
        dynamics=_Type.Dynamics.SEQUENTIAL,
        chance_mode=mode.EXPLICIT_STOCHASTIC if is_random else mode.DETERMINISTIC,
        information=_Type.Information.PERFECT_INFORMATION,
        utility=_Type.Utility.GENERAL_SUM,
        reward_model=_Type.RewardModel.REWARDS,
        max_num_players=len(game.actors(level)) if level else 1,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
        default_loadable=bool(parameters["level"]),
    )


def _register(game: Game) -> None:
    """Register a game with pyspiel, by a class of its own, which pickles find in this module."""
    # Nothing but a class will do: pyspiel drops what makes games when Python has ended, and a class refers to itself.
    name = f"{SpielGame.__name__}_{game.name}"
    globals()[name] = type(name, (SpielGame,), {"game": game, "__module__": __name__})
    pyspiel.register_game(_game_type(game), globals()[name])


for _game in registry.games():
    _register(_game)
