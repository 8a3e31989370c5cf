"""Sokoban's own kinds of certificates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gridproof.prove.certificate import CertificateKind

if TYPE_CHECKING:
    from gridproof.core.limit import Meter
    from gridproof.core.proposition import Goal
    from gridproof.games.sokoban.certificate.write import ClosedSet
    from gridproof.prove.certificate import Statement


class PushesKind:
    """The kind whose listed positions stand for all that differ from them by a walk."""

    def check(self, statement: Statement, listed: Mapping[str, int]) -> None:
        from gridproof.games.sokoban.certificate.check import check

        check(statement, listed)

    def closed_set(self, starts: list[Any], goal: Goal, meter: Meter, progress: Any) -> ClosedSet | None:
        from gridproof.games.sokoban.certificate.write import ClosedSet

        if not goal.is_win:
            return None
        found = ClosedSet(starts)
        found.run(meter, progress)
        return found


CERTIFICATES: Mapping[str, CertificateKind] = {"pushes": PushesKind()}
