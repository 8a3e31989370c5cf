"""Dialogs for several actors: who plays each of them, and which programs race."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.agents.demos import co_players, demo_meanings
from gridproof.core.text.display import mask_unprintable
from gridproof.core.text.phrases import join_names
from gridproof.table.co_players import BY_HAND
from gridproof.table.table import Table
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.widgets import Choices, KeyFooter

Players = Mapping[str, str]
"""Actor -> the name of a strategy, or BY_HAND."""

BEGIN = "begin"


def has_races(table: Table) -> bool:
    """Return whether there are several actors, and strategies for them."""
    return len(table.actors) > 1 and bool(co_players(table.session.game))


def strategies_text(players: Players) -> str:
    """Return the players in the form of the option `strategies` of races."""
    return ",".join(f"{actor}={name}" for actor, name in players.items())


def table_commands(table: Table, players: Players) -> Iterator[str]:
    """Yield the table commands that give actors these players; the player acts for one played by hand."""
    yield from (f"let {actor} {name}" for actor, name in players.items())
    by_hand = [actor for actor, name in players.items() if name == BY_HAND]
    if by_hand and table.actor not in by_hand:
        yield f"as {by_hand[0]}"


def _proposed_players(table: Table) -> dict[str, str]:
    """Return the chosen players; before any choice the player's own actor by hand, and the first strategy for the others."""
    chosen, own = table.co_players.chosen, table.actor or table.actors[0]
    other = BY_HAND if chosen else next(iter(co_players(table.session.game)))
    return {actor: chosen.get(actor, BY_HAND if actor == own else other) for actor in table.actors}


class ActorList(Choices):
    """Actors, each with its player."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,d", "screen.change(1)", "Another player", tooltip="next player for this actor"),
        Binding(
            "left,h,a",
            "screen.change(-1)",
            "Previous player",
            False,
            tooltip="previous player for this actor",
        ),
    ]


class _ActorDialog(ModalScreen[Players]):
    """Chooses a player for each actor; the result is None if cancelled."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", tooltip="cancel"),
        HELP,
    ]
    HEADLINE: ClassVar[str]
    BEGIN_WORDS: ClassVar[str]

    def __init__(self, table: Table, names: Iterable[str], players: Players) -> None:
        super().__init__()
        self._names = tuple(names)
        self._meanings = demo_meanings(table.session.game)
        self._players = dict(players)

    def compose(self) -> ComposeResult:
        """Lay out a line for each actor, and a last one to begin."""
        with Vertical(classes="dialog -end"):
            yield Label(self.HEADLINE, id="headline")
            yield ActorList(*self._options())
            yield Static(id="message", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the summary."""
        self._show_summary()

    def _options(self) -> list[Option]:
        lines = [Option(self._line(actor), id=actor) for actor in self._players]
        return [*lines, Option(Text(self.BEGIN_WORDS, "bold"), id=BEGIN)]

    def _line(self, actor: str) -> Text:
        name = self._players[actor]
        player = mask_unprintable(self._meanings.get(name, name))
        return Text.assemble((mask_unprintable(actor), "bold"), f" is played by ‹ {player} ›")

    def _show_summary(self) -> None:
        self.query_one("#message", Static).update(mask_unprintable(self._summary))

    @property
    @abstractmethod
    def _summary(self) -> str:
        """Consequence of the choice, in a sentence."""

    @property
    def _can_begin(self) -> bool:
        return True

    def action_change(self, step: int) -> None:
        """Choose another player for the actor of the line."""
        rows = self.query_one(OptionList)
        actor = rows.highlighted_option.id if rows.highlighted_option else None
        if actor in self._players:
            place = self._names.index(self._players[actor]) + step
            self._players[actor] = self._names[place % len(self._names)]
            rows.replace_option_prompt(actor, self._line(actor))
            self._show_summary()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin, or choose the next player for the actor."""
        if event.option_id != BEGIN:
            self.action_change(1)
        elif self._can_begin:
            self.dismiss(self._players)


class RaceDialog(_ActorDialog):
    """Chooses the programs of a race, which the player watches."""

    HEADLINE, BEGIN_WORDS = "A race of programs", "Watch the race"

    def __init__(self, table: Table) -> None:
        names, chosen = [*co_players(table.session.game)], table.co_players.chosen
        super().__init__(table, names, {actor: chosen.get(actor, names[0]) for actor in table.actors})

    @property
    def _summary(self) -> str:
        return (
            "They race from the start of the level, and your game waits. To take part, press p on the board."
        )


class PlayersDialog(_ActorDialog):
    """Chooses who plays each actor in the player's game: the player or a program."""

    HEADLINE, BEGIN_WORDS = "Who plays?", "Go on"

    def __init__(self, table: Table) -> None:
        super().__init__(table, (BY_HAND, *co_players(table.session.game)), _proposed_players(table))

    @property
    def _summary(self) -> str:
        by_hand = [actor for actor, name in self._players.items() if name == BY_HAND]
        if not by_hand:
            return "Play at least one of them by hand. F6 on the board lets programs race alone."
        if len(by_hand) == len(self._players):
            return "You play all of them. Press Tab to switch."
        return f"You play {join_names(by_hand)}; the others ask after each request that the board grants you."

    @property
    def _can_begin(self) -> bool:
        return BY_HAND in self._players.values()
