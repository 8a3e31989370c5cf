"""Request bodies, with their descriptions for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gridproof.server.ranked_seed import CHOSEN


class Schema(BaseModel):
    """Base class of request bodies; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CreateSession(Schema):
    """Create a session from a pack, a text or a trace."""

    pack: str | None = Field(None, max_length=200, description="built-in pack, such as sokoban/first-steps")
    level: int = Field(1, ge=1, description="first level, counted from 1")
    text: str | None = Field(None, description="levels as text")
    game: str | None = Field(None, max_length=100, description="game of the text, if it cannot be detected")
    trace: dict[str, Any] | str | None = Field(None, description="trace; the session starts at its end")
    seed: int | None = Field(
        None, ge=0, lt=CHOSEN, description="random seed; by default a random one (only then scores count)"
    )


class ListSessions(Schema):
    """List the sessions of these ids."""

    ids: list[str] = Field(max_length=50)


class RenderPicture(Schema):
    """Render a level or a position."""

    text: str
    game: str | None = Field(None, max_length=100)
    theme: Literal["auto", "light", "dark"] = "auto"
    width: int | None = Field(None, ge=1, le=4000)


Line = Annotated[str, Field(max_length=200)]
Symbol = Annotated[str, Field(max_length=100)]
Side = Literal["left", "right", "top", "bottom"]


class DraftSchema(Schema):
    """A draft of a level."""

    cells: list[list[Symbol]] = Field(max_length=100, description="symbol of each cell, row by row")
    fields: dict[Line, Line] = Field(default_factory=dict, max_length=100)
    title: Line = ""
    author: Line = ""
    keys: dict[Line, Annotated[str, Field(max_length=10_000)]] = Field(default_factory=dict, max_length=100)


class DraftEdit(Schema):
    """One edit of a draft: a tool on a cell, the value of a field, or one more or fewer line of cells."""

    tool: Line | None = None
    x: int = 0
    y: int = 0
    part: Line = ""
    field: Line | None = None
    value: Line = ""
    grow: Side | None = None
    shrink: Side | None = None


class EditDraft(Schema):
    """Edit a draft, or a draft made from a text."""

    game: str | None = Field(None, max_length=100)
    draft: DraftSchema | None = None
    text: str | None = None
    level: int = Field(1, ge=1, description="level of the text, counted from 1")
    edits: list[DraftEdit] = Field(default_factory=list, max_length=500)


class ConvertText(Schema):
    """Convert levels to a format."""

    text: str
    game: str | None = Field(None, max_length=100)
    format: str = Field(max_length=100)
    options: dict[Line, int] = Field(
        default_factory=dict, max_length=20, description="numbers that the format needs"
    )


class LevelText(Schema):
    """A level: the first of a text."""

    text: str
    game: str | None = Field(None, max_length=100)


class ParseFormula(LevelText):
    """Parse a formula about a level."""

    formula: str = Field(max_length=10_000)


class CheckFormula(ParseFormula):
    """Prove or refute a formula."""

    paths: Literal["all", "some"] = "all"
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")


class AnalyseLevel(LevelText):
    """Analyse a level."""

    seconds: float | None = Field(None, gt=0, description="time limit for the engines in seconds")


class CreateCertificate(LevelText):
    """Certify that a level, or a position of it, cannot be won."""

    position: str | None = Field(
        None, max_length=100_000, description="position as text; by default all starts of the level"
    )
    actors: list[Line] | None = Field(None, max_length=26, description="actors; null means all players")
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")


class AnalysePack(Schema):
    """Analyse a built-in pack, or the levels of a text."""

    pack: str | None = Field(None, max_length=200, description="such as sokoban/first-steps")
    text: str | None = None
    game: str | None = Field(None, max_length=100, description="game of the text, if it cannot be detected")


class CreateReplay(Schema):
    """Watch a trace."""

    trace: dict[str, Any] | str
    count: int = Field(2000, ge=1, le=2000, description="number of steps known to the client")


class CopySession(Schema):
    """Copy a session from a page's actions without the server, since the given line of a level."""

    line: dict[str, Any] = Field(description="level, steps, and how many of the steps were done")
    deeds: list[Any] = Field(max_length=20_000, description="pairs of act and a text, or undo, redo, restart")


class CreateInvitation(Schema):
    """Invite a guest, with what the guest may do."""

    actor: str | None = Field(None, max_length=64, description="the only actor that the guest plays")
    plays: bool = Field(False, description="true to play, false to watch only")


class SubmitScore(Schema):
    """Submit a score, shown by a session or a trace."""

    name: str = Field(min_length=1, max_length=40, description="the player's name")
    session: str | None = Field(None, max_length=64)
    level: int | None = Field(None, ge=1, description="level of the session; by default the current one")
    trace: dict[str, Any] | str | None = None


class StartJob(Schema):
    """Solve a level or a position."""

    text: str
    game: str | None = Field(None, max_length=100)
    minimise: str | None = Field(
        "actions", max_length=40, description="measure to minimise; null means any solution"
    )
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")
