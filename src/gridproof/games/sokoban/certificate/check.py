"""The checker of certificates of the kind "pushes": by the rules alone, as `gridproof.prove.verify` asks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.wording import shown
from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.prove.verify import Statement, Wrong, position_of

_FORMS = ({"trap"}, {"freeze"}, {"trap", "frozen"})


class Lemma(NamedTuple):
    """Why positions are dead: boxes that never move, or more boxes in a trap than depots."""

    frozen: Places
    trap: Places | None

    def dead(self, boxes: Places, depots: Places) -> bool:
        """Whether it says that there is no win with these boxes."""
        if boxes & self.frozen != self.frozen:
            return False
        if self.trap is None:
            return bool(self.frozen & ~depots)
        return (boxes & self.trap).bit_count() > (depots & self.trap).bit_count()

    def holds(self, pushes: Pushes, walls: Places) -> bool:
        """Whether it is true among these walls."""
        if pushes.movable(self.frozen, walls):
            return False
        return self.trap is None or not (
            self.trap & self.frozen or pushes.leaves(self.trap, walls | self.frozen)
        )


class Lemmas:
    """Those of a certificate, by what they ask a position to have."""

    def __init__(self, pushes: Pushes, lemmas: Sequence[Any]) -> None:
        self._pushes, self._true = pushes, dict[tuple[Lemma, Places], bool]()
        self._by_box: dict[Places, list[Lemma]] = {}
        everything = pushes.grid.of(pushes.level.walls)
        for number, data in enumerate(lemmas, 1):
            lemma = self._read(data, number)
            if not lemma.holds(pushes, everything):  # with fewer walls it holds still less
                raise Wrong(1, f"lemma {number} is not true: {shown(data)}")
            self._by_box.setdefault(lemma.frozen & -lemma.frozen, []).append(lemma)

    def _read(self, data: Any, number: int) -> Lemma:
        try:
            sets = {name: self._places(squares) for name, squares in data.items()}
        except (AttributeError, TypeError, ValueError, KeyError):
            sets = {}
        if sets.keys() not in _FORMS:
            raise Wrong(1, f"lemma {number} is no trap and no freeze of squares in the grid: {shown(data)}")
        return Lemma(sets.get("frozen", sets.get("freeze", 0)), sets.get("trap"))

    def _places(self, squares: Any) -> Places:
        cells = {(x, y) for x, y in squares if type(x) is int and type(y) is int}
        if not cells or len(cells) < len(squares):
            raise ValueError
        return self._pushes.grid.of(cells)

    def dead(self, node: Node, player: Places) -> bool:
        """Whether a lemma that is true here says that there is no win."""
        walls, depots = self._pushes.lasting(node, player), self._pushes.depots
        boxes = [0, *(self._pushes.grid.bits[cell] for cell in self._pushes.grid.cells(node.boxes))]
        found = (
            lemma for box in boxes for lemma in self._by_box.get(box, ()) if lemma.dead(node.boxes, depots)
        )
        return any(self._is_true(lemma, walls) for lemma in found)

    def _is_true(self, lemma: Lemma, walls: Places) -> bool:
        if (lemma, walls) not in self._true:
            self._true[lemma, walls] = lemma.holds(self._pushes, walls)
        return self._true[lemma, walls]


def check(said: Statement, listed: Mapping[str, int]) -> None:
    """See that no position that a listed one stands for has the goal, and that all that follows is listed or dead.

    Raises
    ------
    Wrong
        When it is not so.
    """
    if said.lemmas and not said.goal.is_win:
        raise Wrong(1, f"lemmas are about wins, not about {said.goal_text}")
    checker = _Checker(said)
    for text, line in listed.items():
        checker.take(text, line)
    for start in said.starts:
        checker.see(*checker.pushes.node(start), 1, "the start")  # type: ignore[arg-type]  # Sokoban's
    for node, walked, line in checker.nodes:
        for after, player in checker.pushes.after(node, walked):
            checker.see(after, player, line, "what follows")


class _Checker:
    """The positions that listed ones stand for."""

    def __init__(self, said: Statement) -> None:
        self._said, self.pushes = said, Pushes(said.level)  # type: ignore[arg-type]  # Sokoban's
        self._lemmas, self._dead = Lemmas(self.pushes, said.lemmas), set[Node]()
        self._places: dict[Node, tuple[Places, ...]] = {}  # where the player may be
        self.nodes: list[tuple[Node, Places, int]] = []

    def take(self, text: str, line: int) -> None:
        """Look at what is listed."""
        try:
            node, player = self.pushes.node(position_of(self._said.level, text))  # type: ignore[arg-type]  # Sokoban's
        except GridproofError as error:
            raise Wrong(line, error) from None
        walked = self.pushes.walked(node, player)
        if self._has_goal(node, walked):
            raise Wrong(line, f"{self._said.goal_text} holds here:\n{text}")
        self._places[node] = (*self._places.get(node, ()), walked)
        self.nodes.append((node, walked, line))

    def see(self, node: Node, player: Places, line: int, what: str) -> None:
        """See that a position is among those that are listed, or dead."""
        if any(walked & player for walked in self._places.get(node, ())) or node in self._dead:
            return
        if not self._lemmas.dead(node, player):
            shows = self.pushes.position(node, player).text()
            raise Wrong(line, f"{what} is not listed, and not dead by a lemma:\n{shows}")
        if not node.bombs:  # else what a lemma says may depend on where the player is
            self._dead.add(node)

    def _has_goal(self, node: Node, walked: Places) -> bool:
        if self._said.goal.is_win:
            return node.boxes == self.pushes.depots
        cells = map(self.pushes.grid.bits.get, self.pushes.grid.cells(walked))
        return any(self._said.goal(self.pushes.position(node, cell or 0)) for cell in cells)
