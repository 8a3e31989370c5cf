"""Certificates: the statement, the result of its check, and a game's own kinds (its extension `certificates`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.representation import one_line, text_html
from gridproof.core.text.phrases import format_count

if TYPE_CHECKING:
    from gridproof.core.limit import Meter

CLOSED = "closed"
"""The kind of certificates that every game has."""


class Statement(NamedTuple):
    """Statement of a certificate: from the starts, these actors never reach the goal."""

    level: Level
    starts: tuple[Position[Any], ...]
    goal: Goal
    goal_text: str
    who: tuple[str | None, ...]
    kind: str
    lemmas: Sequence[Any]

    def __str__(self) -> str:
        """Return what is claimed, in a sentence, and the first start."""
        name = f"{self.level.game.name} {self.level.title}".rstrip()
        starts = format_count(len(self.starts), "starts")
        actors = "" if self.who == (None,) else f" by {', '.join(map(str, self.who))}"
        return f"{self.goal_text} can never be reached{actors} in {name} from {starts} ({self.kind})\n{self.starts[0]}"

    def __repr__(self) -> str:
        return one_line(f"<Statement: {self}".partition("\n")[0] + ">")

    def _repr_html_(self) -> str:
        """Return the HTML fragment that notebooks show."""
        return text_html(str(self), "pre")


class Verified(NamedTuple):
    """Result of the check of a certificate."""

    holds: bool | None
    """True if the certificate proves its statement; None when a limit was reached first."""
    reason: str
    """The first thing that is wrong, with its line; or which limit was reached."""
    positions: int
    """The number of listed positions, as far as the file could be read."""
    statement: Statement | None
    """The statement; None when it could not be read."""

    def __str__(self) -> str:
        """Return the result, with the reason for a no."""
        if self.holds is None:
            return f"no answer: {self.reason}"
        return (
            f"holds: {format_count(self.positions, 'positions')}" if self.holds else f"refused: {self.reason}"
        )

    def __repr__(self) -> str:
        return one_line(f"<Verified: {self}>")

    def _repr_html_(self) -> str:
        """Return the HTML fragment that notebooks show."""
        return text_html(str(self), "pre")


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
    """One of the values of `CERTIFICATES`, a mapping of names; every game also has the kind CLOSED."""

    def check(self, statement: Statement, listed: Mapping[str, int], /) -> None:
        """Check a certificate by the rules alone.

        It raises `gridproof.prove.certificate_file.Defect` at the first thing that is wrong.
        """

    def closed_set(self, starts: list[Any], goal: Goal, meter: Meter, progress: Any, /) -> ClosedSet | None:
        """Return the set that a certificate of this kind would list; None where the kind is no use."""


def kinds_of(game: Game) -> Mapping[str, CertificateKind]:
    """A game's own kinds of certificates, by name."""
    return find_extension(game, "certificates", Mapping) or {}
