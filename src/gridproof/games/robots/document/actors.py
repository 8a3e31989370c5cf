"""The source document's Controller, Viewer and Robot, which the board plays with."""

# ruff: noqa: N815  # the document's spelling

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.games.robots import requests
from gridproof.games.robots.document.tiles import RULES, BoardResponse, BoardSnapshot, Hint, Rule
from gridproof.games.robots.hints import News
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, request_of
from gridproof.games.robots.race.strategies import RandomStrategy
from gridproof.games.robots.requests import Local, Walk

if TYPE_CHECKING:
    from gridproof.games.robots.document import Board

Observer = Callable[[BoardSnapshot], None]
"""Sees each change of the board, without acting (R27)."""


class Controller:
    """Stands between the board, the robots and at most one viewer (R27)."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self.robots: tuple[Robot, ...] = ()
        self.viewer: Viewer | None = None
        self.ended = False
        """Whether the game is over."""
        self._observers: list[Observer] = []

    # -- viewers

    def add_viewer(self, viewer: Viewer) -> Controller | None:
        """Attach a viewer, and return itself to it; ignored with None while there is another (R27)."""
        if self.viewer is not None:
            return None
        self.viewer = viewer
        return self

    def remove_viewer(self) -> None:
        """Let the viewer go, so that another may come (R27)."""
        if self.viewer is not None:
            self.viewer.controller = None
        self.viewer = None

    def add_observer(self, observer: Observer) -> None:
        """Call a function with a snapshot after each change; any number of them (R27)."""
        self._observers.append(observer)

    def remove_observer(self, observer: Observer) -> None:
        """Call it no more.

        Raises
        ------
        GridproofError
            When it was not called.
        """
        if observer not in self._observers:
            raise GridproofError("the controller has no such observer")
        self._observers.remove(observer)

    # -- initialisation (R24)

    def pre_initialize(self) -> None:
        """It can be referred to from now on: nothing of an earlier game is left."""
        self.board, self.robots, self.ended = None, (), False
        if self.viewer is not None:
            self.viewer.init()

    def post_initialize(self, board: Board, robots: Iterable[Robot]) -> None:
        """It is given the board and the initialized robots."""
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
        return self._playing().move_request(robot, local_coords, rotation)

    def notify_auto_movement(self, robot: Robot | None, response: BoardResponse) -> None:
        """Tell a robot that it was moved; when there is none, nothing is told."""
        if robot is not None:
            robot.notify_auto_movement(response)

    def notify_hint(self, robot: Robot, hint: Hint) -> None:
        """Give a robot a hint."""
        robot.notify_hint(hint)

    def notify_view(self) -> None:
        """Tell the viewer that something has changed (R29), and show it to the observers (R27)."""
        if self.viewer is not None:
            self.viewer.notify_state_change()
        for observer in tuple(self._observers):
            observer(self.request_board_status())

    def game_over(self) -> None:
        """Some robot has won: terminate all robots, tell the viewer, and end (R26)."""
        if self.ended:
            return
        self.ended = True
        for robot in self.robots:
            robot.terminate()
        if self.viewer is not None:
            self.viewer.notify_game_over()

    def request_board_status(self) -> BoardSnapshot:
        """A snapshot of the board (R28).

        Raises
        ------
        GridproofError
            When there is no board, or it has been reset.
        """
        return self._playing().request_snapshot()

    def _playing(self) -> Board:
        if self.board is None:
            raise GridproofError("the controller has no board: the board must be initialized")
        return self.board

    addViewer, removeViewer = add_viewer, remove_viewer
    preInitialize, postInitialize = pre_initialize, post_initialize
    moveRequest, requestBoardStatus = move_request, request_board_status
    notifyAutoMovement, notifyHint, notifyView = notify_auto_movement, notify_hint, notify_view


class Screen(NamedTuple):
    """What a viewer shows."""

    snapshot: BoardSnapshot
    fireworks: tuple[Robot, ...] = ()
    """At the end: the robots that have won (R29)."""
    exploding: tuple[Robot, ...] = ()
    """At the end: all others (R29)."""


class Viewer:
    """Draws the board; it is only told that something has changed (R29).

    Parameters
    ----------
    controller : Controller
        Which it attaches itself to; when that has another viewer, `controller` is None afterwards (R27).
    """

    def __init__(self, controller: Controller) -> None:
        self.init()
        self.controller = controller.add_viewer(self)

    def init(self) -> None:
        """`Init`: nothing has changed, and nothing was drawn; also when another game begins."""
        self.board_changed = False
        self.current_snapshot: BoardSnapshot | None = None
        self.game_over = False
        """Whether it has been told that the game is over."""

    def notify_state_change(self) -> None:
        """The board has changed."""
        self.board_changed = True

    def notify_game_over(self) -> None:
        """The game is over: from the next drawing on, fireworks and explosions are shown (R29)."""
        self.game_over = True

    def update_view(self) -> Screen:
        """Draw: with a new snapshot at first and when something has changed, else with the one it has (R29).

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
        return self._screen(self.current_snapshot)

    def _screen(self, snapshot: BoardSnapshot) -> Screen:
        if not self.game_over:
            return Screen(snapshot)
        won = snapshot.at_home
        return Screen(snapshot, won, tuple(robot for robot in snapshot.robots if robot not in won))

    @property
    def boardChanged(self) -> bool:  # noqa: N802  # the document's name
        """As `board_changed`."""
        return self.board_changed

    @property
    def currentSnapshot(self) -> BoardSnapshot | None:  # noqa: N802  # the document's name
        """As `current_snapshot`."""
        return self.current_snapshot

    Init = init
    notifyStateChange, notifyGameOver, updateView = notify_state_change, notify_game_over, update_view


class Robot:
    """Asks its controller for moves; it knows its rule, its hints, answers and notices, and no board.

    Parameters
    ----------
    name : str
        Its letter.
    strategy : Strategy, optional
        How it plays (R30); at random by default.
    """

    def __init__(self, name: str, strategy: Strategy | None = None) -> None:
        self.name = name
        self.strategy = strategy or RandomStrategy()
        self.rules: Rule | None = None
        self.controller: Controller | None = None
        self.playing = False
        """Whether it may ask for moves."""
        self.turns: Iterator[BoardResponse] = iter(())
        """Its answers to come: each step asks for a move."""
        self._knowledge: Knowledge | None = None

    @property
    def hints(self) -> frozenset[Hint]:
        """Those it remembers."""
        return self._knowledge.hints if self._knowledge else frozenset()

    @property
    def knowledge(self) -> Knowledge:
        """All that it knows.

        Raises
        ------
        GridproofError
            Before it is initialized.
        """
        if self._knowledge is None:
            raise GridproofError(f"the robot {self.name} is not initialized")
        return self._knowledge

    def initialize(self, controller: Controller, rules: Rule) -> None:
        """It is given its controller and its rule; it has no hints yet (R24)."""
        self.controller, self.rules = controller, rules
        meant = next(rule for rule, shown in RULES.items() if shown is rules)
        self._knowledge = Knowledge(self.name, meant)

    def play(self) -> Iterator[BoardResponse]:
        """Commence: each step of what it returns, also `turns`, is one request and gives the answer (R25).

        Whoever takes the steps is the scheduler. It ends when the robot is terminated.
        """
        self.playing = True
        self.turns = self._play()
        return self.turns

    def terminate(self) -> None:
        """It asks for nothing any more (R26)."""
        self.playing = False

    def notify_auto_movement(self, response: BoardResponse) -> None:
        """It was moved, and forgets its hints (R18)."""
        self._told(response)

    def notify_hint(self, hint: Hint) -> None:
        """It is given a hint, and remembers it (R19)."""
        self._told(hint)

    def request(self, request: requests.Request) -> BoardResponse:
        """Ask the controller for a walk or a rotation, and remember the answer.

        Raises
        ------
        GridproofError
            When it is not initialized, or the game is over.
        """
        if self.controller is None:
            raise GridproofError(f"the robot {self.name} is not initialized")
        before = self.knowledge
        self._knowledge = before.asking(request)
        coords, rotation = (
            ((request.dx, request.dy), None) if isinstance(request, Walk) else (None, request.by)
        )
        try:
            response = self.controller.move_request(self, coords, rotation)
        except GridproofError:
            self._knowledge = before  # nothing was asked
            raise
        self._knowledge = self.knowledge.answered(response)
        return response

    def _play(self) -> Iterator[BoardResponse]:
        while self.playing and self.controller is not None and self.controller.board is not None:
            position = self.controller.board.position
            yield self.request(request_of(self.strategy, self.knowledge, position))

    def _told(self, news: News) -> None:
        self._knowledge = self.knowledge.told(news)

    def __repr__(self) -> str:
        return self.name

    notifyAutoMovement, notifyHint = notify_auto_movement, notify_hint
