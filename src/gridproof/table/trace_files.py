"""Files of the traces that a player saves: by the command `save`, and at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gridproof.core.errors import IllegalAction
from gridproof.core.session import Session
from gridproof.core.text import files as disk
from gridproof.table.messages import Message, Refused, Saved


class TraceFiles:
    """Files of the traces that are saved at a table.

    Parameters
    ----------
    path : Path, optional
        File for the trace that `save_played` saves; for several levels, NAME-1, NAME-2, ...
    levels : int
        Number of levels for which the caller has checked these files.
    """

    def __init__(self, path: Path | None, levels: int) -> None:
        self._path = path
        self._checked = (
            {path, *(disk.add_number(path, place + 1) for place in range(levels))} if path else set()
        )
        self._saved: set[Path] = set()

    def save(self, session: Session, name: str) -> Saved:
        """Save the trace of the current level, but never over a foreign file.

        Raises
        ------
        IllegalAction
            If there is no name, or another file has it.
        GridproofError
            If the file cannot be written.
        """
        if not name:
            raise IllegalAction("save", "give a file")
        path = Path(os.path.expanduser(name))
        if path not in self._saved and os.path.lexists(path):
            raise IllegalAction(f"save {name}", "the file exists; choose another name")
        return self._save_trace(session, path, session.current)

    def save_played(self, session: Session) -> Iterator[Message]:
        """Save the played levels at the end, if wanted, and report each file.

        Existing files of levels that were opened later are not overwritten: the caller has checked only the others.

        Raises
        ------
        GridproofError
            If a file cannot be written.
        """
        path = self._path
        if path is None:
            return
        places = _played_places(session)
        for place in places:
            target = disk.add_number(path, place + 1) if len(places) > 1 else path
            if os.path.lexists(target) and target not in self._checked | self._saved:
                yield Refused(f"{target} exists already; your actions are not saved in it")
            else:
                yield self._save_trace(session, target, place)

    def _save_trace(self, session: Session, path: Path, place: int) -> Saved:
        trace = session.trace(place)
        trace.save(path)
        self._saved.add(path)
        return Saved(path, len(trace.steps))


def _played_places(session: Session) -> list[int]:
    """Return the places of the levels with actions; else the current one."""
    entered = enumerate(map(session.to_data, range(len(session.levels))))
    return [place for place, play in entered if play and play.done] or [session.current]
