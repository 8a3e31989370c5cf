"""Checker of the kind "recurrence": what coalitions can force again and again, without fairness.

Each line is as of "coalition", but `G F q`, `F G q`, `G F p -> G F q` and `G (p -> F q)` have a list in place of a number.
The first three are of one form: if p comes again and again, so does q. In the last one a play waits from each p to the next
q, and each wait must end; so it has two lists in one, for a play that does not wait and for one that does, and p is always
true for them, and q where nothing is awaited.

`[1, RANK, 0]`: the coalition can force it. The rank of the next turn is lower where p is true, and not higher where it is
not, until q comes. So after the last q, p comes only so many times.

`[0, RANK, RANK]`: the others can prevent it. The first rank never grows, and falls where q is true; so q comes only so many
times. The second one falls while the first stays the same, until p comes; so p comes again and again.
"""

from __future__ import annotations

from gridproof.prove.certificate_file import CertificateFile
from gridproof.prove.checkers.fixpoints import check_ranks
from gridproof.prove.checkers.rank_lists import CoalitionTurn, RankListChecker
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.recurrence import RECURRENT, RESPONSE

SIZE = 3
"""The numbers of one list."""


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_ranks(_RecurrenceChecker(said, listed), said, listed, positions)


class _RecurrenceChecker(RankListChecker):
    kinds = frozenset(RECURRENT)

    def has_form(self, place: int, numbers: list[int]) -> bool:
        """Return whether a list has the length and the truths of those for the fixpoint at a place."""
        parts = 2 if self._fixpoints[place].kind == RESPONSE else 1
        return len(numbers) == parts * SIZE and set(numbers[::SIZE]) <= {0, 1}

    def is_right(self, base: int, place: int, turn: CoalitionTurn) -> bool:
        """Return whether the list at a base fits those of the turns that may follow."""
        numbers = self.list_of(base, place)
        if self._fixpoints[place].kind != RESPONSE:
            return self._fits(numbers, place, turn, 0)
        for waits, first in enumerate((0, SIZE)):
            awaits = (turn.holds or bool(waits)) and not turn.reaches
            after = turn._replace(holds=True, reaches=not awaits)
            if not self._fits(numbers[first : first + SIZE], place, after, SIZE * awaits):
                return False
        return True

    def _fits(self, numbers: list[int], place: int, turn: CoalitionTurn, first: int) -> bool:
        """Return whether three numbers fit those of the next turns, which begin at `first` in their lists."""
        truth, *ranks = numbers

        def fits(base: int) -> bool:
            after = self.list_of(base, place)[first : first + SIZE]
            return after[0] == truth and (_falls if truth else _prevents)(turn, ranks, after[1:])

        if truth:
            return (any if turn.is_mine else all)(all(map(fits, bases)) for bases, _ in turn.moves)
        return (all if turn.is_mine else any)(any(map(fits, bases)) for bases, _ in turn.moves)


def _falls(turn: CoalitionTurn, before: list[int], after: list[int]) -> bool:
    """Return whether the rank of the coalition goes on as it must."""
    return turn.reaches or after[0] < before[0] + (not turn.holds)


def _prevents(turn: CoalitionTurn, before: list[int], after: list[int]) -> bool:
    """Return whether the ranks of the others go on as they must."""
    if turn.reaches:
        return after[0] < before[0]
    return after[0] <= before[0] if turn.holds else after < before
