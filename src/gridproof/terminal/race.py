"""The form for a race: who plays each actor, by hand or by a strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.play.partners import BY_HAND
from gridproof.play.shows import partners
from gridproof.play.table import Table
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP
from gridproof.play.terminal.lists import Choices
from gridproof.play.text import visible

Players = Mapping[str, str]
"""Actor -> the name of a strategy, or BY_HAND."""

BEGIN = "begin"


def has_races(table: Table) -> bool:
    """Whether several actors play, and strategies can play for them."""
    return len(table.actors) > 1 and bool(partners(table.session.game))


def strategies(players: Players) -> str:
    """As races take them."""
    return ",".join(f"{actor}={name}" for actor, name in players.items())


def commands(table: Table, players: Players) -> Iterator[str]:
    """The commands by which actors are played so; the player plays for one that is played by hand."""
    yield from (f"let {actor} {name}" for actor, name in players.items())
    by_hand = [actor for actor, name in players.items() if name == BY_HAND]
    if by_hand and table.actor not in by_hand:
        yield f"as {by_hand[0]}"


class ActorList(Choices):
    """The actors, each with who plays it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,d", "screen.change(1)", "Another player", tooltip="another player for this one"),
        Binding("left,h,a", "screen.change(-1)", "The one before", False, tooltip="the player before"),
    ]


class RaceDialog(ModalScreen[Players]):
    """Gives who plays each actor, or None."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", tooltip="leave all as it is"),
        HELP,
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._known = (BY_HAND, *partners(table.session.game))
        self._chosen = {actor: table.partners.chosen.get(actor, BY_HAND) for actor in table.actors}

    def compose(self) -> ComposeResult:
        """A line for each actor, and the last one to begin."""
        with Vertical(classes="dialog -end"):
            yield Label("Who plays?", id="headline")
            yield ActorList(*self._lines())
            yield Static(id="told", markup=False)
        yield KeysBelow()

    def on_mount(self) -> None:
        """What will come of it."""
        self._say()

    def _lines(self) -> list[Option]:
        lines = [Option(self._line(actor), id=actor) for actor in self._chosen]
        return [*lines, Option(Text("Begin", "bold"), id=BEGIN)]

    def _line(self, actor: str) -> Text:
        return Text.assemble((f"{visible(actor)}  ", "bold"), f"‹ {self._chosen[actor]} ›")

    def _say(self) -> None:
        by_hand = [actor for actor, name in self._chosen.items() if name == BY_HAND]
        words = f"You play {' and '.join(by_hand)}; the others ask after each of your actions."
        if not by_hand:
            words = "A race from the start, to be watched."
        elif len(by_hand) == len(self._chosen):
            words = "You play all of them; Tab switches."
        self.query_one("#told", Static).update(visible(words))

    def action_change(self, step: int) -> None:
        """Another player for the actor of the line."""
        listed = self.query_one(OptionList)
        actor = listed.highlighted_option.id if listed.highlighted_option else None
        if actor in self._chosen:
            place = self._known.index(self._chosen[actor]) + step
            self._chosen[actor] = self._known[place % len(self._known)]
            listed.replace_option_prompt(actor, self._line(actor))
            self._say()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin, or change who plays."""
        if event.option_id == BEGIN:
            self.dismiss(self._chosen)
        else:
            self.action_change(1)
