"""A game's own kinds of certificates: its extension `certificates`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.game import Game

if TYPE_CHECKING:
    from gridproof.core.limit import Meter
    from gridproof.core.proposition import Goal
    from gridproof.prove.certificate_result import Statement


class ClosedSet(Protocol):
    """Positions that a certificate lists."""

    holds: bool | None
    """True if they are closed and without the goal; None if a limit was reached."""

    def __len__(self) -> int: ...

    def texts(self) -> Iterable[str]:
        """Return the canonical text of each."""

    def lemmas(self) -> list[Any]:
        """Return the lemmas that it relies on, as the certificate has them."""


@runtime_checkable
class CertificateKind(Protocol):
    """One of the values of `CERTIFICATES`, a mapping of names; every game also has the kind "closed"."""

    def check(self, statement: Statement, listed: Mapping[str, int], /) -> None:
        """Check a certificate by the rules alone.

        It raises `gridproof.prove.certificate_file.Defect` at the first thing that is wrong.
        """

    def closed_set(self, starts: list[Any], goal: Goal, meter: Meter, progress: Any, /) -> ClosedSet | None:
        """Return the set that a certificate of this kind would list; None where the kind is no use."""


def kinds_of(game: Game) -> Mapping[str, CertificateKind]:
    """A game's own kinds of certificates, by name."""
    return find_extension(game, "certificates", Mapping) or {}
