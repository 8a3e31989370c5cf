"""The rules of extended Sokoban: frozen values and pure functions, with clause numbers beside the code."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridproof.core import position as core
from gridproof.core.errors import IllegalAction, InvalidLevel
from gridproof.core.rng import check_seed
from gridproof.games.sokoban.validity import Cell, LevelParts, name_cell

if TYPE_CHECKING:
    from gridproof.core.trace import Trace


class Action(core.NamedEnum):
    """The player's actions in a fixed order; the value is the text of the action."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    BOMB = "bomb"

    def __str__(self) -> str:
        return str(self._value_)  # `value` takes ten times as long


STEPS: Mapping[Action, Cell] = {
    Action.UP: (0, -1),
    Action.DOWN: (0, 1),
    Action.LEFT: (-1, 0),
    Action.RIGHT: (1, 0),
}
"""The player's displacement by each action: x grows to the right, y downwards (K1)."""

LETTERS: Mapping[str, Action] = {
    "u": Action.UP,
    "d": Action.DOWN,
    "l": Action.LEFT,
    "r": Action.RIGHT,
    "!": Action.BOMB,
}
"""The letters of solutions (K22); a capital, which marks a push, is read as the small letter."""

_NAMED: Mapping[str, Action] = {**{str(action): action for action in Action}, **LETTERS}


@dataclass(frozen=True, slots=True)
class Stepped:
    """The player has stepped to a free cell."""

    to: Cell


@dataclass(frozen=True, slots=True)
class Pushed:
    """The player has stepped to where a box stood, and the box has moved along by one."""

    box: Cell
    to: Cell


@dataclass(frozen=True, slots=True)
class Bombed:
    """A bomb has deleted these walls; none, when it hit none."""

    walls: frozenset[Cell]


State = tuple[Cell, frozenset[Cell], int, frozenset[Cell]]
"""The player's cell, the boxes, the bombs and the walls."""
GridStep = tuple[Action, Cell, Cell | None]
"""A step inside the grid: the action, the next cell, and the one behind it when that is inside too."""


class _Neighbours(dict[Cell, tuple[GridStep, ...]]):
    """The neighbours of each cell of a grid, made on first use."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__()
        self._width, self._height = size

    def _inside(self, x: int, y: int) -> Cell | None:
        return (x, y) if 0 <= x < self._width and 0 <= y < self._height else None  # K4

    def __missing__(self, cell: Cell) -> tuple[GridStep, ...]:
        x, y = cell
        self[cell] = tuple(
            (action, to, self._inside(x + 2 * dx, y + 2 * dy))
            for action, (dx, dy) in STEPS.items()
            if (to := self._inside(x + dx, y + dy))
        )
        return self[cell]


@dataclass(frozen=True, init=False)
class Level(core.Level):
    """A level of extended Sokoban (K2); its cells are pairs (x, y) of whole numbers from 0 (K1).

    Parameters
    ----------
    player : (int, int) or None
        Where the player starts; None is taken and refused with `K2-no-player`.
    bombs : int
        How many bombs there are.
    boxes, depots, walls : iterable of (int, int)
        Kept as frozen sets.
    size : (int, int), optional
        Width and height of the grid; as large as the largest coordinates need when not given (K4).
    title, author, keys, notes_above, notes_below
        What the level's text says of it (K21).
    certificate : Trace, optional
        A trace that wins the level.

    Raises
    ------
    InvalidLevel
        With every broken condition of K2, K3 and K4.
    GridproofError
        For a value of another kind, or a grid with more than `validity.LARGEST_SIDE` cells a side.
    """

    player: Cell
    bombs: int
    boxes: frozenset[Cell]
    depots: frozenset[Cell]
    walls: frozenset[Cell]
    size: tuple[int, int]
    notes_above: tuple[str, ...] = field(compare=False)
    """Comment lines directly above the board; the last is the title when the level has no other."""
    notes_below: tuple[str, ...] = field(compare=False)
    """Comment lines below the board."""

    def __init__(  # noqa: PLR0913  # its fields, as of every level
        self,
        player: Cell | None,
        bombs: int,
        boxes: Iterable[Cell],
        depots: Iterable[Cell],
        walls: Iterable[Cell],
        size: tuple[int, int] | None = None,
        *,
        title: str = "",
        author: str = "",
        keys: Mapping[str, str] | None = None,
        notes_above: Iterable[str] = (),
        notes_below: Iterable[str] = (),
        certificate: Trace | None = None,
    ) -> None:
        board = LevelParts.from_values([] if player is None else [player], bombs, boxes, depots, walls, size)
        notes = {"notes_above": tuple(notes_above), "notes_below": tuple(notes_below)}
        self._set_parts(board, title=title, author=author, keys=keys or {}, certificate=certificate, **notes)

    @classmethod
    def from_parts(cls, board: LevelParts, **about: Any) -> Level:
        """Return the level of a board with other attributes; errors are those of the constructor."""
        level = cls.__new__(cls)
        level._set_parts(board, **about)  # noqa: SLF001  # a second way to make it
        return level

    def _set_parts(self, board: LevelParts, **about: Any) -> None:
        if found := board.problems():
            raise InvalidLevel(found)
        parts = {"player": board.players[0], "bombs": board.bombs, "boxes": board.boxes}
        vars(self).update(about, **parts, depots=board.depots, walls=board.walls, size=board.size)
        self.__post_init__()

    @functools.cached_property
    def neighbours(self) -> Mapping[Cell, tuple[GridStep, ...]]:
        """The steps from each cell that stay in the grid, in the order of the actions (K4)."""
        return _Neighbours(self.size)

    def starts(self) -> Iterator[core.Outcome[Position]]:
        yield core.Outcome(self.start())

    def start(self, seed: int = 0) -> Position:
        """Return the start, which does not depend on the seed."""
        check_seed(seed)
        return Position(self, self.player, self.boxes, self.bombs, self.walls)

    def all_actions(self) -> tuple[Action, ...]:
        return tuple(Action)


@dataclass(frozen=True, slots=True, eq=False)
class Position(core.Position[Action]):
    """The player's cell, the boxes, the bombs and the walls that are left."""

    level: Level
    player: Cell
    boxes: frozenset[Cell]
    bombs: int
    walls: frozenset[Cell]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.player == other.player
            and self.boxes == other.boxes
            and self.bombs == other.bombs
            and self.walls == other.walls
            and (self.level is other.level or self.level == other.level)
        )

    def __hash__(self) -> int:  # without the level, for speed: positions of two levels are seldom mixed
        return hash((self.player, self.boxes, self.bombs, self.walls))

    @property
    def won(self) -> bool:
        return self.boxes == self.level.depots  # K9

    def actions(self, actor: str | None = None) -> tuple[Action, ...]:
        if self.won or actor not in (None, "player"):  # K15
            return ()
        steps = [step[0] for step in self.level.neighbours[self.player] if self._can_take(step)]
        if self.bombs > 0:  # K7
            steps.append(Action.BOMB)
        return tuple(steps)

    def outcomes(self, action: Action) -> tuple[core.Outcome[Position]]:
        outcome = None if self.won else self.execute(action)  # K15
        if outcome is None:
            if not isinstance(action, Action):
                raise self.no_action(action)
            raise IllegalAction(action, self._obstacle(action))
        return (outcome,)

    def successors(self, actor: str | None = None) -> list[State]:
        """Return the states after each step and after the bomb (K15)."""
        if self.won or actor not in (None, "player"):
            return []
        bombs, walls = self.bombs, self.walls
        found = [
            (*self._step(step), bombs, walls)
            for step in self.level.neighbours[self.player]
            if self._can_take(step)
        ]
        if bombs > 0:
            found.append((self.player, self.boxes, bombs - 1, walls - self._walls_in_line()))
        return found

    def at(self, successor: State) -> Position:
        return Position(self.level, *successor)

    def execute(self, action: Action) -> core.Outcome[Position] | None:
        """Return the outcome of an action by K6 and K7 alone, on completed levels too; None if not executable."""
        if action is Action.BOMB:
            return self._set_off_bomb() if self.bombs > 0 else None  # K7
        step = self._find_step(action)
        return None if step is None else self._move(step)

    def _find_step(self, action: Action) -> GridStep | None:
        """Return the step of an action, if it can be taken (K6)."""
        for step in self.level.neighbours[self.player]:
            if step[0] is action:
                return step if self._can_take(step) else None
        return None

    def action(self, text: str) -> Action:
        """Return the executable action with this text: its name, or its letter in solutions in either case.

        Raises
        ------
        IllegalAction
            When there is no such action, or it is not executable here.
        """
        if not isinstance(text, str):
            raise self.refusal(str(text))
        action = _NAMED.get(text) or (LETTERS.get(text.lower()) if len(text) == 1 else None)
        if action is None:
            raise self.refusal(text)
        can_execute = self.bombs > 0 if action is Action.BOMB else self._find_step(action) is not None
        if self.won or not can_execute:  # K15
            raise IllegalAction(text, self._obstacle(action))
        return action

    def _can_take(self, step: GridStep) -> bool:
        """K6: return whether the next cell is free, or holds a box and the cell behind it is free (K5)."""
        _, to, behind = step
        if to in self.walls:
            return False
        return to not in self.boxes or (
            behind is not None and behind not in self.walls and behind not in self.boxes
        )

    def _move(self, step: GridStep) -> core.Outcome[Position]:
        to, boxes = self._step(step)
        event: Stepped | Pushed = Stepped(to)
        if boxes is not self.boxes and step[2] is not None:
            event = Pushed(to, step[2])
        return core.Outcome(Position(self.level, to, boxes, self.bombs, self.walls), events=(event,))

    def _step(self, step: GridStep) -> tuple[Cell, frozenset[Cell]]:
        """K6: return the player and boxes after a step; a box in the way, and only that one, moves along by one."""
        _, to, behind = step
        if to in self.boxes and behind is not None:
            return to, self.boxes ^ {to, behind}
        return to, self.boxes

    def _walls_in_line(self) -> frozenset[Cell]:
        """K8: return the walls in the player's row and column."""
        column, row = self.player
        return frozenset(wall for wall in self.walls if wall[0] == column or wall[1] == row)

    def _set_off_bomb(self) -> core.Outcome[Position]:
        """K8: delete every wall in the player's row and column, and use one bomb; all else stays (K10)."""
        hit = self._walls_in_line()
        after = Position(self.level, self.player, self.boxes, self.bombs - 1, self.walls - hit)
        return core.Outcome(after, events=(Bombed(hit),))

    def predecessors(self) -> Iterable[Position] | None:
        """Return the positions from which a step or a push leads here (K6); None on a level with bombs.

        Each wall that a bomb can have deleted (K8) would double their number.
        """
        return None if self.level.bombs else self._iterate_predecessors()

    def _iterate_predecessors(self) -> Iterator[Position]:
        (x, y), (width, height) = self.player, self.level.size
        for dx, dy in STEPS.values():
            before, ahead = (x - dx, y - dy), (x + dx, y + dy)
            inside = 0 <= before[0] < width and 0 <= before[1] < height  # K4
            if not inside or before in self.walls or before in self.boxes:
                continue
            pulled = self.boxes.difference((ahead,)).union((self.player,))
            for boxes in (self.boxes, pulled) if ahead in self.boxes else (self.boxes,):
                if boxes != self.level.depots:  # K15
                    yield Position(self.level, before, boxes, self.bombs, self.walls)

    def _obstacle(self, action: Action) -> str:
        """Return why an action is not executable here."""
        if self.won:
            return "the level is completed"
        if action is Action.BOMB:
            return "no bomb is left"
        for direction, to, behind in self.level.neighbours[self.player]:
            if direction is action and to in self.walls:
                return f"a wall is in {name_cell(to)}"
            if direction is action:
                away = "out of the grid" if behind is None else f"to {name_cell(behind)}"
                return f"the box in {name_cell(to)} cannot be pushed {away}"
        return "nobody leaves the grid"
