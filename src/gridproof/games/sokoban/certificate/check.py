"""Check certificates of the kind "pushes" by the rules alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gridproof.core.limit import check_stop
from gridproof.core.text.phrases import short_repr
from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.prove.certificate import Statement
from gridproof.prove.certificate_file import Defect, locate_defect
from gridproof.prove.verify import position_of

_FORMS = ({"trap"}, {"freeze"}, {"trap", "frozen"})


class Lemma(NamedTuple):
    """A reason why positions are dead: boxes that never move, or more boxes in a trap than depots."""

    frozen: Places
    trap: Places | None

    def proves_dead(self, boxes: Places, depots: Places) -> bool:
        """Return whether positions with these boxes cannot be won."""
        if boxes & self.frozen != self.frozen:
            return False
        if self.trap is None:
            return bool(self.frozen & ~depots)
        return (boxes & self.trap).bit_count() > (depots & self.trap).bit_count()

    def holds(self, pushes: Pushes, walls: Places) -> bool:
        """Return whether the lemma is true among these walls."""
        if pushes.movable_boxes(self.frozen, walls):
            return False
        return self.trap is None or not (
            self.trap & self.frozen or pushes.exits(self.trap, walls | self.frozen)
        )


class Lemmas:
    """The lemmas of a certificate, indexed by a box that a position must have."""

    def __init__(self, pushes: Pushes, lemmas: Sequence[Any]) -> None:
        self._pushes, self._verdicts = pushes, dict[tuple[Lemma, Places], bool]()
        self._by_box: dict[Places, list[Lemma]] = {}
        everything = pushes.grid.to_places(pushes.level.walls)
        for number, data in enumerate(lemmas, 1):
            lemma = self._parse(data, number)
            if not lemma.holds(pushes, everything):  # with fewer walls it holds still less
                raise Defect(1, f"lemma {number} is not true: {short_repr(data)}")
            self._by_box.setdefault(lemma.frozen & -lemma.frozen, []).append(lemma)

    def _parse(self, data: Any, number: int) -> Lemma:
        try:
            sets = {name: self._places(squares) for name, squares in data.items()}
        except (AttributeError, TypeError, ValueError, KeyError):
            sets = {}
        if sets.keys() not in _FORMS:
            raise Defect(
                1, f"lemma {number} is neither a trap nor a freeze of squares in the grid: {short_repr(data)}"
            )
        return Lemma(sets.get("frozen", sets.get("freeze", 0)), sets.get("trap"))

    def _places(self, squares: Any) -> Places:
        cells = {(x, y) for x, y in squares if type(x) is int and type(y) is int}
        if not cells or len(cells) < len(squares):
            raise ValueError
        return self._pushes.grid.to_places(cells)

    def proves_dead(self, node: Node, player: Places) -> bool:
        """Return whether a lemma that is true here proves that the position cannot be won."""
        walls, depots = self._pushes.permanent_walls(node, player), self._pushes.depots
        grid = self._pushes.grid
        boxes = [0, *map(grid.bits.__getitem__, grid.to_cells(node.boxes))]
        lemmas = (lemma for box in boxes for lemma in self._by_box.get(box, ()))
        return any(lemma.proves_dead(node.boxes, depots) and self._is_true(lemma, walls) for lemma in lemmas)

    def _is_true(self, lemma: Lemma, walls: Places) -> bool:
        if (lemma, walls) not in self._verdicts:
            self._verdicts[lemma, walls] = lemma.holds(self._pushes, walls)
        return self._verdicts[lemma, walls]


def check(statement: Statement, listed: Mapping[str, int]) -> None:
    """Check that no listed position has the goal, and that each successor is listed or dead.

    Raises
    ------
    Defect
        When the certificate is wrong.
    """
    if statement.lemmas and not statement.goal.is_win:
        raise Defect(1, f"lemmas are about wins, not about {statement.goal_text}")
    checker = _Checker(statement)
    for text, line in listed.items():
        checker.add_listed(text, line)
    for start in statement.starts:
        checker.require_listed(*checker.pushes.node(start), 1, "the start")  # type: ignore[arg-type]  # Sokoban's
    for node, region, line in checker.nodes:
        check_stop()
        for after, player in checker.pushes.successors(node, region):
            checker.require_listed(after, player, line, "what follows")


class _Checker:
    """The nodes and regions of the listed positions."""

    def __init__(self, statement: Statement) -> None:
        self._statement, self.pushes = statement, Pushes(statement.level)  # type: ignore[arg-type]  # Sokoban's
        self._lemmas, self._dead = Lemmas(self.pushes, statement.lemmas), set[Node]()
        self._places: dict[Node, tuple[Places, ...]] = {}  # where the player may be
        self.nodes: list[tuple[Node, Places, int]] = []

    def add_listed(self, text: str, line: int) -> None:
        """Add a listed position, which must not have the goal."""
        with locate_defect(line):
            node, player = self.pushes.node(position_of(self._statement.level, text))  # type: ignore[arg-type]  # Sokoban's
        region = self.pushes.region(node, player)
        if self._has_goal(node, region):
            raise Defect(line, f"{self._statement.goal_text} holds here:\n{text}")
        self._places[node] = (*self._places.get(node, ()), region)
        self.nodes.append((node, region, line))

    def require_listed(self, node: Node, player: Places, line: int, role: str) -> None:
        """Raise a Defect unless a position is listed or dead."""
        if any(region & player for region in self._places.get(node, ())) or node in self._dead:
            return
        if not self._lemmas.proves_dead(node, player):
            shows = self.pushes.position(node, player).text()
            raise Defect(line, f"{role} is not listed, and not dead by a lemma:\n{shows}")
        if not node.bombs:  # else what a lemma says may depend on where the player is
            self._dead.add(node)

    def _has_goal(self, node: Node, region: Places) -> bool:
        if self._statement.goal.is_win:
            return node.boxes == self.pushes.depots
        cells = map(self.pushes.grid.bits.__getitem__, self.pushes.grid.to_cells(region))
        return any(self._statement.goal(self.pushes.position(node, cell)) for cell in cells)
