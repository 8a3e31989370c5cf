"""Certificates: the statement, the result of its check, and a game's own kinds (its extension `certificates`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.limit import check_stop
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.representation import one_line, text_html
from gridproof.core.text.phrases import format_count, short_repr

if TYPE_CHECKING:
    from gridproof.core.limit import Meter

CLOSED = "closed"
"""The kind of certificates that every game has."""


class AnyStatement(Protocol):
    """Statement of a certificate of any kind."""

    @property
    def level(self) -> Level:
        """The level that it is about."""

    @property
    def starts(self) -> tuple[Position[Any], ...]:
        """The positions from which it is true."""

    @property
    def who(self) -> tuple[str | None, ...]:
        """The actors: names, or None for all players."""

    @property
    def kind(self) -> str:
        """The kind of the certificate."""

    @property
    def claim(self) -> str:
        """The claim, without the level: "won can never be reached by a alone"."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The values of the first line that are this statement's own, as JSON data."""

    def covers(self, starts: frozenset[Position[Any]]) -> bool:
        """Return whether it answers the question for a level with these starts."""


class Statement(NamedTuple):
    """Statement of a certificate: from the starts, these actors never reach the goal."""

    level: Level
    starts: tuple[Position[Any], ...]
    goal: Goal
    goal_text: str
    who: tuple[str | None, ...]
    kind: str
    lemmas: Sequence[Any]

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        return f"{self.goal_text} can never be reached{describe_actors(self.who)}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return the goal as JSON data."""
        return {"goal": self.goal_text}

    def covers(self, starts: frozenset[Position[Any]]) -> bool:
        """Return whether all these starts are among those of the statement."""
        return starts.issubset(self.starts)

    def __str__(self) -> str:
        """Return what is claimed, in a sentence, and the first start."""
        return statement_text(self)

    def __repr__(self) -> str:
        return one_line(f"<Statement: {self}".partition("\n")[0] + ">")

    def _repr_html_(self) -> str:
        """Return the HTML fragment that notebooks show."""
        return text_html(str(self), "pre")


def describe_actors(who: tuple[str | None, ...]) -> str:
    """Describe the actors of a statement; "" for all players."""
    names = ", ".join(map(str, who))
    return "" if who == (None,) else f" by {names}" + (" alone" if len(who) == 1 else "")


def statement_text(statement: AnyStatement) -> str:
    """Return what is claimed, in a sentence, and the first start."""
    name = f"{statement.level.game.name} {statement.level.title}".rstrip()
    starts = format_count(len(statement.starts), "starts")
    return f"{statement.claim} in {name} from {starts} ({statement.kind})\n{statement.starts[0]}"


def position_of(level: Level, text: Any) -> Position[Any]:
    """Return the position of a text; GridproofError, unless the text is canonical."""
    check_stop()
    position = level.position(text)
    if position.text() != text:
        raise GridproofError(f"the text is not canonical: {short_repr(text)}")
    return position


class Verified(NamedTuple):
    """Result of the check of a certificate."""

    holds: bool | None
    """True if the certificate proves its statement; None when a limit was reached first."""
    reason: str
    """The first thing that is wrong, with its line; or which limit was reached."""
    positions: int
    """The number of listed positions, as far as the file could be read."""
    statement: Any
    """The statement; None when it could not be read."""

    def __str__(self) -> str:
        """Return the result, with the reason for a no."""
        if self.holds is None:
            return f"no answer: {self.reason}"
        return (
            f"holds: {format_count(self.positions, 'positions')}" if self.holds else f"refused: {self.reason}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result and the statement as JSON data; None where the statement could not be read."""
        statement = self.statement
        data = {
            "holds": self.holds,
            "reason": self.reason or None,
            "positions": self.positions,
            "game": statement and statement.level.game.name,
            "title": statement and statement.level.title,
            "level": statement and statement.level.text(),
            "starts": statement and [start.text() for start in statement.starts],
            "goal": None,
            "actors": None if statement is None or statement.who == (None,) else [*map(str, statement.who)],
            "kind": statement and statement.kind,
        }
        return data | (dict(statement.facts) | {"claim": statement.claim} if statement else {})

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
