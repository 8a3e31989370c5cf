"""Checker of the kind "fair-coalition": what coalitions can force if the others do not stay unfair for ever.

Each line is as of "coalition", but F and U have a list in place of a number. The acts are numbered as the assumptions list
them; those of the coalition do not count. A strong act comes again at its player's turn where it is possible, a weak one
always. It is left where it is done; a weak one also at its player's turn where it is impossible.

`[1, RANK, ACT, RANK, ACT, ...]`: the coalition can force it. Read from the left, the next turn has a lower rank; or the same
rank and the same act, which is not left here, and comes again here or the rest goes on likewise. So in the end the goal
comes, or one act comes again and again and is never done.

`[0, RANK, ...]`: the others can prevent it, fairly. There is a rank for each sequence of different acts, all but the last
strong. For each sequence the others have an answer after which, read from the left, the rank of the acts so far is lower,
or the same where an act does not come again here; from an act on that is left here, nothing is asked. So they can answer
for one sequence after the other, until each act is done or comes no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.fairness import acts_of
from gridproof.prove.checkers.fixpoints import LEAST, NEVER, RankChecker, check_ranks, turns_of
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.fairness import MOST_STRONG

Path = tuple[int, ...]
"""A sequence of acts."""


class Visit(NamedTuple):
    """A turn: the acts that are left there, or do not count, and those that come again."""

    left: Set[int]
    again: Set[int]


class CoalitionActs:
    """The acts that the others have to do again and again, and the sequences of them that have ranks."""

    def __init__(self, said: FormulaStatement, names: Sequence[str]) -> None:
        owners = {str(action): said.level.owner(action) for action in said.level.all_actions()}
        self._acts = acts_of(said.level, said.fair)
        if any(act.formula for act in self._acts):
            raise GridproofError("with <<...>>, fairness is about acts")
        self.owners = [owners[min(act.actions)] if act.actions else "" for act in self._acts]
        others = set(turns_of(said)).difference(names)
        self.others = [number for number, owner in enumerate(self.owners) if owner in others]
        self.strong = {number for number in self.others if self._acts[number].strong}
        if len(self.strong) > MOST_STRONG:
            raise GridproofError(f"at most {MOST_STRONG} acts of others can be strongly fair")
        self.paths = list(self._paths(()))
        self.longest = [one for one in self.paths if all(one != two[:-1] for two in self.paths)] or [()]

    def _paths(self, before: Path) -> Iterator[Path]:
        for number in self.others:
            if number not in before:
                yield (*before, number)
                if number in self.strong:
                    yield from self._paths((*before, number))

    def done(self, text: str) -> Set[int]:
        """Return the acts that an action does."""
        return {number for number, act in enumerate(self._acts) if text in act.actions}

    def visit(self, name: str, possible: Set[int]) -> Visit:
        """Return what a turn of a player means, where these acts are possible."""
        mine = {number for number in self.others if self.owners[number] == name}
        weak = {number for number in self.others if number not in self.strong}
        own = {number for number in range(len(self._acts)) if number not in self.others}
        return Visit(own | (mine & weak) - possible, weak | mine & possible)


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    with locate_defect(1):
        checker = _FairChecker(said, listed)
    check_ranks(checker, said, listed, positions)


class _FairChecker(RankChecker):
    """The lists of the listed positions, beside their numbers."""

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        super().__init__(said, listed)
        self._proofs: list[list[int]] = []
        self._acts = [CoalitionActs(said, getattr(one.formula, "names", ())) for one in self._fixpoints]
        self._paths = [{path: number for number, path in enumerate(acts.paths)} for acts in self._acts]

    def store(self, values: list[Any]) -> bool:
        """Store the numbers and lists of a line; return whether they have their form."""
        numbers = list[Any]()
        for column, value in enumerate(values if len(values) == self.width else ()):
            place = column % len(self._fixpoints)
            if self._fixpoints[place].kind != LEAST:
                numbers.append(value)
                self._proofs.append([])
                continue
            if not isinstance(value, list) or not all(type(one) is int and one >= 0 for one in value):
                return False
            if value[:1] != [1] and (value[:1] != [0] or len(value) != 1 + len(self._paths[place])):
                return False
            numbers.append(value[0] - 1)
            self._proofs.append(value[1:])
        return super().store(numbers)

    def check_position(self, line: int, position: Position[Any], but: str = LEAST) -> None:
        """Check the numbers and lists of a listed position."""
        super().check_position(line, position, but)
        for turn, name in enumerate(self._order):
            after = (turn + 1) % len(self._order)
            moves = [([self.base(line, after)], "")]
            for action in position.actions(name):
                lines = (self.positions.line_of(one.position) for one in position.outcomes(action))
                moves.append(([self.base(one, after) for one in lines], str(action)))
            base = self.base(line, turn)
            for place, (one, hold, goal) in enumerate(self._tests):
                if one.kind == LEAST:
                    truth = True if goal(position, base) else None if hold(position, base) else False
                    if not self._is_right(base, place, name, moves, truth):
                        raise Defect(line, f"the list is wrong for {one.formula} here:\n{position.text()}")

    def _is_right(
        self, base: int, place: int, name: str, moves: list[tuple[list[int], str]], truth: bool | None
    ) -> bool:
        """Return whether a list fits those of the turns that may follow; `truth` is what the turn itself decides."""
        wins, acts = self._wins(base, place), self._acts[place]
        if truth is not None:
            return wins is truth
        is_mine = name in getattr(self._fixpoints[place].formula, "names", ())
        steps = [(bases, acts.done(text)) for bases, text in moves]
        visit = acts.visit(name, {number for _, done in steps for number in done})
        proof = self._proof(base, place)
        if wins:
            return (any if is_mine else all)(
                all(
                    self._wins(one, place) and _falls(proof, self._proof(one, place), visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
        return all(
            (all if is_mine else any)(
                any(
                    not self._wins(one, place)
                    and self._is_answer(path, place, (proof, self._proof(one, place)), visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
            for path in acts.longest
        )

    def _wins(self, base: int, place: int) -> bool:
        return self._numbers[place][base] != NEVER

    def _proof(self, base: int, place: int) -> list[int]:
        return self._proofs[(base - self.base(2, 0)) * len(self._fixpoints) + place]

    def _is_answer(
        self, path: Path, place: int, ranks: tuple[list[int], list[int]], visit: Visit, done: Set[int]
    ) -> bool:
        """Return whether the others have answered for a sequence of acts, by the ranks before and after."""
        for length, act in enumerate(path, 1):
            if act in visit.left or act in done:
                return True
            before, after = (listed[self._paths[place][path[:length]]] for listed in ranks)
            if before != after:
                return after < before
            if act in visit.again:
                return False
        return True


def _falls(before: list[int], after: list[int], visit: Visit, done: Set[int]) -> bool:
    """Return whether the ranks and acts of a turn lead on to those of the next."""
    for place in range(0, min(len(before), len(after)), 2):
        if before[place] != after[place]:
            return after[place] < before[place]
        act, same = before[place + 1 : place + 2], after[place + 1 : place + 2]
        if not act or act != same or act[0] in visit.left or act[0] in done:
            return False
        if act[0] in visit.again:
            return True
    return False
