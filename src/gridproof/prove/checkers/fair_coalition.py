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
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.prove.certificate_file import CertificateFile, locate_defect
from gridproof.prove.checkers.fairness import acts_of
from gridproof.prove.checkers.fixpoints import LEAST, check_ranks
from gridproof.prove.checkers.rank_lists import CoalitionTurn, RankListChecker
from gridproof.prove.checkers.statements import FormulaStatement, turns_of
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


class _FairChecker(RankListChecker):
    kinds = frozenset({LEAST})

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        super().__init__(said, listed)
        self._acts = [CoalitionActs(said, getattr(one.formula, "names", ())) for one in self._fixpoints]
        self._paths = [{path: number for number, path in enumerate(acts.paths)} for acts in self._acts]

    def has_form(self, place: int, numbers: list[int]) -> bool:
        """Return whether a list has the length of those for the fixpoint at a place."""
        return numbers[0] == 1 or len(numbers) == 1 + len(self._paths[place])

    def is_right(self, base: int, place: int, turn: CoalitionTurn) -> bool:
        """Return whether a list fits those of the turns that may follow."""
        wins, acts = self.is_forced(base, place), self._acts[place]
        if turn.reaches or not turn.holds:
            return wins is turn.reaches
        steps = [(bases, acts.done(text)) for bases, text in turn.moves]
        visit = acts.visit(turn.name, {number for _, done in steps for number in done})
        proof = self.list_of(base, place)[1:]
        if wins:
            return (any if turn.is_mine else all)(
                all(
                    self.is_forced(one, place) and _falls(proof, self.list_of(one, place)[1:], visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
        return all(
            (all if turn.is_mine else any)(
                any(
                    not self.is_forced(one, place)
                    and self._is_answer(path, place, (proof, self.list_of(one, place)[1:]), visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
            for path in acts.longest
        )

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
