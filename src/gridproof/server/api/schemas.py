"""What requests may say, as OpenAPI tells it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gridproof.play.web.chance import CHOSEN


class Asked(BaseModel):
    """A body of a request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SessionAsked(Asked):
    """A session to be made: of a pack, of a text, or of a trace."""

    pack: str | None = Field(
        None, max_length=200, description="a pack that comes with a game: sokoban/first-steps"
    )
    level: int = Field(1, ge=1, description="the level to begin with, from 1")
    text: str | None = Field(None, description="levels as text")
    game: str | None = Field(None, max_length=100, description="the game of the text, where it does not show")
    trace: dict[str, Any] | str | None = Field(None, description="a trace: the session stands at its end")
    seed: int | None = Field(
        None, ge=0, lt=CHOSEN, description="decides all chance; else it is drawn, and only then scores count"
    )


class KnownAsked(Asked):
    """Sessions that somebody knows."""

    ids: list[str] = Field(max_length=50)


class PictureAsked(Asked):
    """A picture of a level or a position."""

    text: str
    game: str | None = Field(None, max_length=100)
    theme: Literal["auto", "light", "dark"] = "auto"
    width: int | None = Field(None, ge=1, le=4000)


Line = Annotated[str, Field(max_length=200)]
Symbol = Annotated[str, Field(max_length=100)]
Side = Literal["left", "right", "top", "bottom"]


class DraftSent(Asked):
    """A level that is being made."""

    cells: list[list[Symbol]] = Field(max_length=100, description="what stands for each cell, row by row")
    fields: dict[Line, Line] = Field(default_factory=dict, max_length=100)
    title: Line = ""
    author: Line = ""
    keys: dict[Line, Annotated[str, Field(max_length=10_000)]] = Field(default_factory=dict, max_length=100)


class EditAsked(Asked):
    """One change of a draft: a tool on a cell, a value of a field, or a line of cells more or less."""

    tool: Line | None = None
    x: int = 0
    y: int = 0
    part: Line = ""
    field: Line | None = None
    value: Line = ""
    grow: Side | None = None
    shrink: Side | None = None


class DraftAsked(Asked):
    """A draft, or a text to make one of, and what is to be done with it."""

    game: str | None = Field(None, max_length=100)
    draft: DraftSent | None = None
    text: str | None = None
    level: int = Field(1, ge=1, description="which level of the text, from 1")
    edits: list[EditAsked] = Field(default_factory=list, max_length=500)


class TextAsked(Asked):
    """Levels to be written in a format."""

    text: str
    game: str | None = Field(None, max_length=100)
    format: str = Field(max_length=100)
    options: dict[Line, int] = Field(
        default_factory=dict, max_length=20, description="numbers that the format asks for"
    )


class LevelAsked(Asked):
    """A level: the first of a text."""

    text: str
    game: str | None = Field(None, max_length=100)


class FormulaAsked(LevelAsked):
    """A formula about a level."""

    formula: str = Field(max_length=10_000)


class CheckAsked(FormulaAsked):
    """A formula to be proved or refuted."""

    paths: Literal["all", "some"] = "all"
    seconds: float | None = Field(None, gt=0, description="how long it may take")


class AnalysisAsked(LevelAsked):
    """A level to be analysed."""

    seconds: float | None = Field(None, gt=0, description="how long the engines may work")


class CertificateAsked(LevelAsked):
    """A level, or a position of it, that can never be won."""

    position: str | None = Field(
        None, max_length=100_000, description="as text; else all starts of the level"
    )
    actors: list[Line] | None = Field(None, max_length=26, description="who acts; null: all players")
    seconds: float | None = Field(None, gt=0, description="how long it may take")


class PackAnalysisAsked(Asked):
    """Levels to be analysed as a whole: a pack that comes with a game, or those of a text."""

    pack: str | None = Field(None, max_length=200, description="such as sokoban/first-steps")
    text: str | None = None
    game: str | None = Field(None, max_length=100, description="the game of the text, where it does not show")


class ReplayAsked(Asked):
    """A trace to be watched."""

    trace: dict[str, Any] | str
    count: int = Field(2000, ge=1, le=2000, description="how many steps are told")


class PartAsked(Asked):
    """What a page has done by itself on a level since it stood at a line."""

    line: dict[str, Any] = Field(description="level, steps and how many of these were done")
    deeds: list[Any] = Field(max_length=20_000, description="pairs: act and a text, or undo, redo, restart")


class CopyAsked(PartAsked):
    """The same, and what it has done on the levels that it came to then."""

    then: list[PartAsked] = Field([], max_length=100, description="on one level after the other")


class InvitationAsked(Asked):
    """What a guest may do."""

    actor: str | None = Field(None, max_length=64, description="whose player the guest is alone")
    plays: bool = Field(False, description="whether the guest acts, or only watches")


class ScoreAsked(Asked):
    """A score, shown by what was done in a session, or by a trace."""

    name: str = Field(min_length=1, max_length=40, description="the player's name")
    session: str | None = Field(None, max_length=64)
    level: int | None = Field(None, ge=1, description="the level of the session; by default the current one")
    trace: dict[str, Any] | str | None = None


class JobAsked(Asked):
    """A level or a position to be solved."""

    text: str
    game: str | None = Field(None, max_length=100)
    minimise: str | None = Field(
        "actions", max_length=40, description="what is to cost least; null: any solution"
    )
    seconds: float | None = Field(None, gt=0, description="how long it may take")
