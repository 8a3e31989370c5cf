"""Check certificates of the kind "pushes" by the rules alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from gridproof.core.limit import Stopped, check_stop
from gridproof.core.text.phrases import short_repr
from gridproof.games.sokoban.certificate.canonical_texts import CanonicalTexts
from gridproof.games.sokoban.certificate.lemma import Lemma
from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.prove.certificate import Statement
from gridproof.prove.certificate_file import Defect, locate_defect

_FORMS = ({"trap"}, {"freeze"}, {"trap", "frozen"})
_CHECK_EVERY = 1024  # squares of a lemma


class Lemmas:
    """The lemmas of a certificate, indexed by a box that a position must have."""

    def __init__(self, pushes: Pushes, lemmas: Sequence[Any]) -> None:
        self._pushes, self._verdicts = pushes, dict[tuple[Lemma, Places], bool]()
        self._by_box: dict[Places, list[Lemma]] = {}
        self._walls = pushes.grid.to_places(pushes.level.walls)
        for number, data in enumerate(lemmas, 1):
            lemma = self._parse(data, number)
            if not lemma.holds(pushes, self._walls):  # with fewer walls it holds still less
                raise Defect(1, f"lemma {number} is not true: {short_repr(data)}")
            self._by_box.setdefault(lemma.frozen & -lemma.frozen, []).append(lemma)

    def _parse(self, data: Any, number: int) -> Lemma:
        try:
            sets = {name: self._places(squares) for name, squares in data.items()}
        except Stopped:
            raise
        except (AttributeError, TypeError, ValueError, KeyError):
            sets = {}
        if sets.keys() not in _FORMS:
            raise Defect(
                1, f"lemma {number} is neither a trap nor a freeze of squares in the grid: {short_repr(data)}"
            )
        return Lemma(sets.get("frozen", sets.get("freeze", 0)), sets.get("trap"))

    def _places(self, squares: Any) -> Places:
        places = Places()
        for first in range(0, len(squares), _CHECK_EVERY):
            check_stop()
            part = squares[first : first + _CHECK_EVERY]
            places |= self._pushes.grid.to_places((x, y) for x, y in part if type(x) is type(y) is int)
        if not places or places.bit_count() < len(squares):
            raise ValueError
        return places

    def proves_dead(self, node: Node, player: Places) -> bool:
        """Return whether a lemma that is true here proves that the position cannot be won."""
        walls, depots = self._pushes.permanent_walls(node, player), self._pushes.depots
        box, left = Places(), node.boxes
        while True:  # with no box, then with each
            for lemma in self._by_box.get(box, ()):
                if lemma.proves_dead(node.boxes, depots) and self._is_true(lemma, walls):
                    return True
            if not left:
                return False
            box = left & -left
            left ^= box

    def _is_true(self, lemma: Lemma, walls: Places) -> bool:
        if walls != self._walls and (lemma, walls) not in self._verdicts:
            self._verdicts[lemma, walls] = lemma.holds(self._pushes, walls)
        return walls == self._walls or self._verdicts[lemma, walls]


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
    for line, text in enumerate(listed, 2):
        check_stop()
        checker.add_listed(text, line)
    for start in statement.starts:
        checker.require_listed(*checker.pushes.node(start), 1)  # type: ignore[arg-type]  # Sokoban's
    for node, region, line in checker.nodes:
        check_stop()
        checker.require_successors(node, region, line)


class _Checker:
    """The nodes and regions of the listed positions."""

    def __init__(self, statement: Statement) -> None:
        self._statement, self.pushes = statement, Pushes(statement.level)  # type: ignore[arg-type]  # Sokoban's
        self._lemmas, self._texts = Lemmas(self.pushes, statement.lemmas), CanonicalTexts(self.pushes)
        # by walls and bombs, then by boxes: where the player may be, in a listed position or a dead one
        self._places = defaultdict[tuple[Places, int], dict[Places, tuple[Places, ...]]](dict)
        self.nodes: list[tuple[Node, Places, int]] = []

    def add_listed(self, text: str, line: int) -> None:
        """Add a listed position, which must not have the goal."""
        with locate_defect(line):
            node, player = self._texts.node(text)
        region = self.pushes.region(node, player)
        if self._has_goal(node, region):
            raise Defect(line, f"{self._statement.goal_text} holds here:\n{text}")
        places = self._places[node.walls, node.bombs]
        places[node.boxes] = (*places.get(node.boxes, ()), region)
        self.nodes.append((node, region, line))

    def require_successors(self, node: Node, region: Places, line: int) -> None:
        """Raise a Defect unless each successor is listed or dead."""
        places = self._places[node.walls, node.bombs]
        for boxes, player in self.pushes.after_pushes(node, region):
            for place in places.get(boxes, ()):
                if place & player:
                    break
            else:
                self._require_dead(Node(boxes, node.walls, node.bombs), player, line)
        for after, player in self.pushes.after_bombs(node, region):
            self.require_listed(after, player, line)

    def require_listed(self, node: Node, player: Places, line: int) -> None:
        """Raise a Defect unless a position is listed or dead."""
        places = self._places[node.walls, node.bombs].get(node.boxes, ())
        if not any(place & player for place in places):
            self._require_dead(node, player, line)

    def _require_dead(self, node: Node, player: Places, line: int) -> None:
        if not self._lemmas.proves_dead(node, player):
            role = "what follows" if line > 1 else "the start"
            shows = self.pushes.position(node, player).text()
            raise Defect(line, f"{role} is not listed, and not dead by a lemma:\n{shows}")
        if not node.bombs:  # else what a lemma says may depend on where the player is
            self._places[node.walls, 0][node.boxes] = (self.pushes.grid.all_cells,)

    def _has_goal(self, node: Node, region: Places) -> bool:
        if self._statement.goal.is_win:
            return node.boxes == self.pushes.depots
        cells = map(self.pushes.grid.bits.__getitem__, self.pushes.grid.to_cells(region))
        return any(self._statement.goal(self.pushes.position(node, cell)) for cell in cells)
