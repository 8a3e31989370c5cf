"""The source document's Controller, Viewer and Robot, which the board plays with, and the snapshots that they see."""

# ruff: noqa: N815  # the document's spelling

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple, Protocol

from gridproof.core.errors import GridproofError
from gridproof.games.robots import requests
from gridproof.games.robots.document.tiles import (
    AbsoluteCoord,
    BoardResponse,
    HomeTile,
    Rule,
    Tile,
)
from gridproof.games.robots.hints import Hint
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, ask_strategy
from gridproof.games.robots.race.strategies import RandomStrategy
from gridproof.games.robots.requests import Local, Walk
from gridproof.games.robots.rules import Position


@dataclass(frozen=True, slots=True, eq=False)
class BoardSnapshot:
    """Immutable copy of a board (R28)."""

    tiles: Mapping[AbsoluteCoord, Tile]
    """Snapshot tile of every cell."""
    robots: Mapping[Robot, int]
    """Rotation of every robot."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", MappingProxyType(dict(self.tiles)))
        object.__setattr__(self, "robots", MappingProxyType(dict(self.robots)))

    @property
    def rules(self) -> Mapping[Robot, Rule | None]:
        """Rule of every robot."""
        return MappingProxyType({robot: robot.rules for robot in self.robots})

    @property
    def at_home(self) -> tuple[Robot, ...]:
        """Robots on their own homes, in the robots' order."""
        home = {
            tile.occupier
            for tile in self.tiles.values()
            if isinstance(tile, HomeTile) and tile.occupier is tile.target
        }
        return tuple(robot for robot in self.robots if robot in home)


class Playable(Protocol):
    """Board as controllers use it."""

    @property
    def position(self) -> Position: ...

    def move_request(
        self, robot: Robot, local_coords: Local | None = None, rotation: int | None = None
    ) -> BoardResponse: ...

    def request_snapshot(self) -> BoardSnapshot: ...


Observer = Callable[[BoardSnapshot], None]
"""Function that gets a snapshot after each change of the board (R27)."""


class Controller:
    """Mediator between the board, the robots and at most one viewer (R27)."""

    def __init__(self) -> None:
        self.board: Playable | None = None
        self.robots: tuple[Robot, ...] = ()
        self.viewer: Viewer | None = None
        self.ended = False
        """True if the game is over."""
        self._observers: list[Observer] = []

    # -- viewers

    def add_viewer(self, viewer: Viewer) -> Controller | None:
        """Attach a viewer and return itself; return None while there is another viewer (R27)."""
        if self.viewer is not None:
            return None
        self.viewer = viewer
        return self

    def remove_viewer(self) -> None:
        """Detach the viewer, so that another may attach itself (R27)."""
        if self.viewer is not None:
            self.viewer.controller = None
        self.viewer = None

    def add_observer(self, observer: Observer) -> None:
        """Call a function with a snapshot after each change; any number of them (R27)."""
        self._observers.append(observer)

    def remove_observer(self, observer: Observer) -> None:
        """Call an observer no more.

        Raises
        ------
        GridproofError
            When the controller has no such observer.
        """
        if observer not in self._observers:
            raise GridproofError("the controller has no such observer")
        self._observers.remove(observer)

    # -- initialisation (R24)

    def pre_initialize(self) -> None:
        """Forget an earlier game; robots may refer to the controller from now on."""
        self.board, self.robots, self.ended = None, (), False
        if self.viewer is not None:
            self.viewer.init()

    def post_initialize(self, board: Playable, robots: Iterable[Robot]) -> None:
        """Take the board and the initialized robots."""
        self.board, self.robots = board, tuple(robots)

    # -- between robots and board

    def move_request(
        self, robot: Robot, local_coords: Local | None = None, rotation: int | None = None
    ) -> BoardResponse:
        """Forward a robot's request to the board, and its answer to the robot (R12).

        Raises
        ------
        GridproofError
            As `Board.move_request`.
        """
        return self._require_board().move_request(robot, local_coords, rotation)

    def notify_auto_movement(self, robot: Robot | None, response: BoardResponse) -> None:
        """Tell a robot, if there is one, that it was moved."""
        if robot is not None:
            robot.notify_auto_movement(response)

    def notify_hint(self, robot: Robot, hint: Hint) -> None:
        """Give a robot a hint."""
        robot.notify_hint(hint)

    def notify_view(self) -> None:
        """Tell the viewer that something has changed (R29), and give the observers a snapshot (R27)."""
        if self.viewer is not None:
            self.viewer.notify_state_change()
        for observer in tuple(self._observers):
            observer(self.request_board_status())

    def game_over(self) -> None:
        """End the game after a win: terminate all robots, and tell the viewer (R26)."""
        if self.ended:
            return
        self.ended = True
        for robot in self.robots:
            robot.terminate()
        if self.viewer is not None:
            self.viewer.notify_game_over()

    def request_board_status(self) -> BoardSnapshot:
        """Return a snapshot of the board (R28).

        Raises
        ------
        GridproofError
            When there is no board, or it has been reset.
        """
        return self._require_board().request_snapshot()

    def _require_board(self) -> Playable:
        if self.board is None:
            raise GridproofError("the controller has no board: the board must be initialized")
        return self.board

    addViewer, removeViewer = add_viewer, remove_viewer
    preInitialize, postInitialize = pre_initialize, post_initialize
    moveRequest, requestBoardStatus = move_request, request_board_status
    notifyAutoMovement, notifyHint, notifyView = notify_auto_movement, notify_hint, notify_view


class Screen(NamedTuple):
    """Picture of a viewer."""

    snapshot: BoardSnapshot
    fireworks: tuple[Robot, ...] = ()
    """Winners, at the end (R29)."""
    exploding: tuple[Robot, ...] = ()
    """All other robots, at the end (R29)."""


class Viewer:
    """Viewer that draws the board; notices only say that something has changed (R29).

    Parameters
    ----------
    controller : Controller
        It attaches itself to this; if that has another viewer, `controller` is None afterwards (R27).
    """

    def __init__(self, controller: Controller) -> None:
        self.init()
        self.controller = controller.add_viewer(self)

    def init(self) -> None:
        """`Init`: forget changes and drawings, at first and for another game."""
        self.board_changed = False
        self.current_snapshot: BoardSnapshot | None = None
        self.game_over = False
        """True after the notice that the game is over."""

    def notify_state_change(self) -> None:
        """Take the notice that the board has changed."""
        self.board_changed = True

    def notify_game_over(self) -> None:
        """Take the notice that the game is over: the next drawing has fireworks and explosions (R29)."""
        self.game_over = True

    def update_view(self) -> Screen:
        """Draw, with a new snapshot at first and after changes, else with the last one (R29).

        Raises
        ------
        GridproofError
            When a snapshot is needed, and it is attached to no controller or there is no board.
        """
        if self.board_changed or self.current_snapshot is None:
            if self.controller is None:
                raise GridproofError("the viewer is attached to no controller")
            self.current_snapshot = self.controller.request_board_status()
        self.board_changed = False
        snapshot = self.current_snapshot
        if not self.game_over:
            return Screen(snapshot)
        won = snapshot.at_home
        return Screen(snapshot, won, tuple(robot for robot in snapshot.robots if robot not in won))

    boardChanged = property(attrgetter("board_changed"), doc="Same as `board_changed`.")
    currentSnapshot = property(attrgetter("current_snapshot"), doc="Same as `current_snapshot`.")
    Init = init
    notifyStateChange, notifyGameOver, updateView = notify_state_change, notify_game_over, update_view


class Robot:
    """Robot that sends requests to its controller; it knows its rule, hints, answers and notices, and no board.

    Parameters
    ----------
    name : str
        Its letter.
    strategy : Strategy, optional
        Its strategy (R30); random by default.
    """

    def __init__(self, name: str, strategy: Strategy | None = None) -> None:
        self.name = name
        self.strategy = strategy or RandomStrategy()
        self.rules: Rule | None = None
        self.controller: Controller | None = None
        self.playing = False
        """True if it may send requests."""
        self.turns: Iterator[BoardResponse] = iter(())
        """Iterator of its next answers: each step sends a request."""
        self._knowledge: Knowledge | None = None

    @property
    def hints(self) -> frozenset[Hint]:
        """Hints that it remembers."""
        return self._knowledge.hints if self._knowledge else frozenset()

    @property
    def knowledge(self) -> Knowledge:
        """Knowledge of the robot.

        Raises
        ------
        GridproofError
            Before it is initialized.
        """
        if self._knowledge is None:
            raise GridproofError(f"the robot {self.name} is not initialized")
        return self._knowledge

    def initialize(self, controller: Controller, rules: Rule) -> None:
        """Take the controller and the rule, without hints (R24)."""
        self.controller, self.rules = controller, rules
        self._knowledge = Knowledge(self.name, requests.Rule[rules.name])

    def play(self) -> Iterator[BoardResponse]:
        """Return an iterator, `turns`, of which each step sends one request and gives the answer (R25).

        The caller who takes the steps is the scheduler. It ends when the robot is terminated.
        """
        self.playing = True
        self.turns = self._play()
        return self.turns

    def terminate(self) -> None:
        """Send no more requests (R26)."""
        self.playing = False

    def notify_auto_movement(self, response: BoardResponse) -> None:
        """Take the notice of a movement, and forget the hints (R18)."""
        self._knowledge = self.knowledge.with_news(response)

    def notify_hint(self, hint: Hint) -> None:
        """Take a hint, and remember it (R19)."""
        self._knowledge = self.knowledge.with_news(hint)

    def request(self, request: requests.Request) -> BoardResponse:
        """Send a request to the controller, and remember the answer.

        Raises
        ------
        GridproofError
            When it is not initialized, or the game is over.
        """
        if self.controller is None:
            raise GridproofError(f"the robot {self.name} is not initialized")
        before = self.knowledge
        self._knowledge = before.with_request(request)
        try:
            if isinstance(request, Walk):
                response = self.controller.move_request(self, (request.dx, request.dy))
            else:
                response = self.controller.move_request(self, rotation=request.by)
        except GridproofError:
            self._knowledge = before  # nothing was asked
            raise
        self._knowledge = self.knowledge.with_answer(response)
        return response

    def _play(self) -> Iterator[BoardResponse]:
        while self.playing and self.controller is not None and self.controller.board is not None:
            position = self.controller.board.position
            yield self.request(ask_strategy(self.strategy, self.knowledge, position))

    def __repr__(self) -> str:
        return self.name

    notifyAutoMovement, notifyHint = notify_auto_movement, notify_hint
