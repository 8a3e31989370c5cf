"""Conversation: what hints, co-players and the status use of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gridproof.agents.solution_cache import SolutionCache
from gridproof.core.position import Action, Level
from gridproof.core.session import Session
from gridproof.prove.position_status import Badge
from gridproof.table.jobs import Job
from gridproof.table.messages import Message


class BadgeOwner(Protocol):
    """Status of the current position."""

    @property
    def own(self) -> frozenset[str]: ...

    @property
    def badge(self) -> Badge | None: ...


class Players(Protocol):
    """Players of the actors of a level."""

    is_race: Callable[[], bool]

    @property
    def playing(self) -> dict[str, str]: ...

    @property
    def player_actors(self) -> frozenset[str]: ...


class Conversation(Protocol):
    """A player's conversation with a session; a table is one."""

    session: Session
    actor: str | None
    others: frozenset[str]
    taken: frozenset[str]
    is_guest: bool

    @property
    def level(self) -> Level: ...

    @property
    def actors(self) -> tuple[str, ...]: ...

    @property
    def status(self) -> BadgeOwner: ...

    @property
    def co_players(self) -> Players: ...

    @property
    def plan(self) -> SolutionCache: ...

    def tell(self, message: Message) -> None: ...

    def note_help(self) -> None: ...

    def begin_job(self, job: Job) -> None: ...

    def act_for_co_player(self, action: Action) -> bool: ...
