"""Request bodies, with their descriptions for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gridproof.server.ranked_seed import CHOSEN


class Schema(BaseModel):
    """Base class of request bodies; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CreateSession(Schema):
    """Create a session from a pack, a text, a trace or a puzzle."""

    pack: str | None = Field(None, max_length=200, description="built-in pack, such as sokoban/first-steps")
    level: int = Field(1, ge=1, description="first level, counted from 1")
    text: str | None = Field(None, description="levels as text")
    game: str | None = Field(None, max_length=100, description="game of the text, if it cannot be detected")
    trace: dict[str, Any] | str | None = Field(None, description="trace; the session starts at its end")
    watch: bool = Field(
        False, description="a trace that ended with a win is to be watched, even if the game could go on"
    )
    puzzle: str | None = Field(None, max_length=200, description="id of a puzzle that is ready")
    seed: int | None = Field(
        None, ge=0, lt=CHOSEN, description="random seed; by default a random one (only then scores count)"
    )


class RequestPuzzle(Schema):
    """Request a new puzzle: the one of an id, or the next of a kind and a difficulty."""

    id: str | None = Field(None, max_length=200, description="such as sokoban-small-easy-1f3k9")
    game: str | None = Field(None, max_length=100)
    kind: str | None = Field(None, max_length=100)
    difficulty: str | None = Field(None, max_length=100)
    played: list[Annotated[str, Field(max_length=200)]] = Field(
        default_factory=list, max_length=500, description="ids that the player has had"
    )


class ListSessions(Schema):
    """List the sessions of these ids."""

    ids: list[str] = Field(max_length=50)


class LevelText(Schema):
    """A level: the first of a text."""

    text: str
    game: str | None = Field(None, max_length=100, description="game of the text, if it cannot be detected")


class RenderPicture(LevelText):
    """Render a level or a position."""

    level: int | None = Field(
        None, ge=1, description="valid level of a text, counted from 1; by default its only one"
    )
    theme: Literal["auto", "light", "dark"] = "auto"
    width: int | None = Field(None, ge=1, le=4000)


class PlayActions(Schema):
    """Play actions from a start, then perhaps those of a click or a drag."""

    actions: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list)
    x: int | None = Field(None, ge=-1, le=1000, description="column of a click after the actions, from 0")
    y: int | None = Field(None, ge=-1, le=1000, description="row of the click, from 0 at the top")
    to: list[Annotated[int, Field(ge=-1, le=1000)]] | None = Field(
        None, min_length=2, max_length=2, description="column and row to which it is dragged"
    )


class PlayLesson(PlayActions):
    """Play a step of a lesson from its start."""

    actions: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=200)


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


class ConvertText(LevelText):
    """Convert levels to a format."""

    format: str = Field(max_length=100)
    options: dict[Line, int] = Field(
        default_factory=dict, max_length=20, description="numbers that the format needs"
    )


class LevelOrPosition(LevelText):
    """A level, and perhaps a position of it."""

    position: str | None = Field(
        None, max_length=100_000, description="position as text; by default all starts of the level"
    )


class PlayTrial(LevelText, PlayActions):
    """Play the first level of a text from its start."""

    actions: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=2000)


class ParseFormula(LevelOrPosition):
    """Parse a formula about a level."""

    formula: str = Field(max_length=10_000)


class CheckFormula(ParseFormula):
    """Prove or refute a formula."""

    paths: Literal["all", "some"] = "all"
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")


class AnalyseLevel(LevelText):
    """Analyse a level."""

    seconds: float | None = Field(None, gt=0, description="time limit for the engines in seconds")


class CreateCertificate(LevelOrPosition):
    """Certify that a level, or a position of it, cannot be won."""

    actors: list[Line] | None = Field(None, max_length=26, description="actors; null means all players")
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")


class AnalysePack(Schema):
    """Analyse a built-in pack, or the levels of a text."""

    pack: str | None = Field(None, max_length=200, description="such as sokoban/first-steps")
    text: str | None = None
    game: str | None = Field(None, max_length=100, description="game of the text, if it cannot be detected")


class ReadCollection(LevelText):
    """Read a collection of levels."""


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


class NoteHelp(Schema):
    """Note that a hint was shown."""

    key: str = Field(max_length=64, description="the key of the level on which it was shown")


class SubmitScore(Schema):
    """Submit a score, shown by a session or a trace."""

    name: str = Field(min_length=1, max_length=40, description="the player's name")
    session: str | None = Field(None, max_length=64)
    level: int | None = Field(None, ge=1, description="level of the session; by default the current one")
    trace: dict[str, Any] | str | None = None


class StartJob(LevelText):
    """Solve a level or a position."""

    position: str | None = Field(
        None, max_length=100_000, description="position of the text's level, as text; by default its start"
    )
    minimise: str | None = Field(
        "actions", max_length=40, description="measure to minimise; null means any solution"
    )
    minimize: str | None = Field(None, max_length=40, description="other spelling of minimise")
    seconds: float | None = Field(None, gt=0, description="time limit in seconds")

    @model_validator(mode="after")
    def _accept_minimize(self) -> Self:
        if "minimize" in self.model_fields_set:
            if "minimise" in self.model_fields_set and self.minimise != self.minimize:
                raise ValueError("minimise and minimize are one field: give one of them")
            self.minimise = self.minimize
        return self
