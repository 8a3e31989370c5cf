"""View of a page: it applies the server's messages in order, as the page's own code does."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from starlette.testclient import WebSocketTestSession

Place = tuple[int, int]
MOST_REQUESTS = 40
"""Visible requests of several actors, as in `message_log.js`."""


class BoardView:
    """A board as `board.js` keeps it: piles of pieces by number."""

    def __init__(self, pieces: dict[int, Any]) -> None:
        self.pieces = pieces

    def show(self, board: dict[str, Any]) -> None:
        """Draw a board anew."""
        self.width, self.height, self.beside = board["width"], board["height"], board["beside"]
        self.cells = {(x, y): pile for y, row in enumerate(board["cells"]) for x, pile in enumerate(row)}

    def play(self, step: dict[str, Any]) -> None:
        """Show a step: things leave their cells and arrive in others, then the cells that are listed become as they are told."""
        arrived = defaultdict[Place, list[int]](list)
        for piece, x, y, *_ in step["moves"]:
            if piece in self.cells.get((x, y), ()):
                pile = [*self.cells[x, y]]
                del pile[len(pile) - 1 - pile[::-1].index(piece)]
                self.cells[x, y] = pile
        for piece, _, _, x, y in step["moves"]:
            if (x, y) in self.cells:
                arrived[x, y].append(piece)
        for x, y, pile in step["cells"]:
            self.cells[x, y] = pile
            arrived.pop((x, y), None)
        for place, pile in arrived.items():
            self.cells[place] = [*self.cells[place], *pile]
        self.beside = step.get("beside", self.beside)

    def shown(self) -> Any:
        """Each cell's pieces, with their drawings, and those beside the board; as numbers mean nothing elsewhere."""
        cells = {place: [self.pieces[number] for number in pile] for place, pile in self.cells.items()}
        return self.width, self.height, cells, [self.pieces[number] for number in self.beside]

    def words(self) -> str:
        """Return the text of a screen reader: the top piece of each cell, row by row."""
        name = {
            place: self.pieces[pile[-1]]["name"] if pile else "nothing" for place, pile in self.cells.items()
        }
        return "\n".join(", ".join(name[x, y] for x in range(self.width)) for y in range(self.height))


class PageView:
    """A page without a browser: it says what a player does, and keeps all that it is told."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.pieces: dict[int, Any] = {}
        self.board = BoardView(self.pieces)
        self.state: dict[str, Any] = {}
        self.wins = 0
        """Levels that were won since it was loaded, as far as it has been told of their best counts."""
        while not self.state:
            self.receive()

    def receive(self) -> dict[str, Any]:
        """Take in the next message."""
        message: dict[str, Any] = self.socket.receive_json()
        if state := message if message["type"] == "state" else message.get("state"):
            self._begin(state)
        else:
            self.pieces.update(message.get("pieces", ()))
            self._follow(message)
        return message

    def say(self, **message: Any) -> dict[str, Any]:
        """Say something, and take in all up to the answer, which is returned."""
        self.socket.send_json({**message, "ref": 1})
        while (answer := self.receive()).get("ref") != 1:
            pass
        return answer

    def _begin(self, state: dict[str, Any]) -> None:
        self.state = state
        self.pieces.clear()
        self.pieces.update(enumerate(state["pieces"]))
        self.board.show(state["board"])

    def _follow(self, message: dict[str, Any]) -> None:
        state, moves = self.state, self.state["moves"]
        done = state["now"]["done"]
        for change in message.get("changes", ()):
            if change["change"] == "act":
                moves["list"][done - moves["first"] :] = [
                    [one[name] for name in ("action", "words", "seen") if name in one]
                    for one in change["steps"]
                ]
                done += len(change["steps"])
            for step in change["steps"]:
                self.board.play(step)
            if "board" in change:
                self.board.show(change["board"])
            for level in change["passed"]:
                state["levels"][level - 1]["done"] = True
            if change["change"] == "act" and len(state["actors"]) > 1:
                state["requests"] = [*state["requests"], *change["steps"]][-MOST_REQUESTS:]
        state["requests"] = message.get("requests", state["requests"])
        self.wins += sum(told["kind"] == "best" for told in message.get("told", ()))
        noted: dict[str, Any] = {"helped": True} if message.get("helped") else {}
        now = noted | message.get("now", {})
        state.update(now.get("about", {}))
        state["now"] = {**state["now"], **now}
        state["moves"] = moves = message.get("moves", moves)
        done = state["now"]["done"] + state["now"]["undone"] - moves["first"]
        del moves["list"][done:]

    def shown(self) -> dict[str, Any]:
        """Return everything that the page shows of the game."""
        state, now = self.state, self.state["now"]
        actions = [
            {**action, "marks": [(self.pieces[number], x, y) for number, x, y in action.get("marks", ())]}
            for action in now["actions"]
        ]
        about = ("id", "plays", "actor", "levels", "actors", "keys", "meanings", "commands")
        return {
            "board": self.board.shown(),
            "words": self.board.words(),
            **{f"now {name}": value for name, value in now.items() if name not in ("about", "actions")},
            "actions": actions,
            "moves": state["moves"],
            "requests": [
                tuple(one.get(name, []) for name in ("words", "seen", "heard", "seen_heard"))
                for one in state["requests"]
            ],
            **{name: state[name] for name in about},
        }
