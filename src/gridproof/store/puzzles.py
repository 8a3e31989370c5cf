"""Puzzles that servers have made ahead or that come with the package, each with its certificate."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gridproof.core.puzzle import Puzzle, PuzzleId, name_puzzle
from gridproof.core.text.level_lookup import with_certificate
from gridproof.core.trace import Trace
from gridproof.store.database import read_transaction, report_errors
from gridproof.store.first_puzzles import first_puzzles
from gridproof.store.schema import puzzles

CLAIM = timedelta(minutes=3)
"""Time that a server has to make a puzzle before another one tries it."""
_BATCH = 500
"""Ids in one query: databases take a limited number of values."""


class StoredPuzzles:
    """The puzzles of a store."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._engine, self._url = engine, url

    def get(self, puzzle_id: PuzzleId) -> Puzzle | None:
        """Return the puzzle of an id; None if it was not made."""
        query = sa.select(puzzles.c.trace).where(puzzles.c.id == str(puzzle_id))
        text = first_puzzles().get(str(puzzle_id))
        if text is None:
            with report_errors(self._url), read_transaction(self._engine) as connection:
                text = connection.scalar(query)
        return None if text is None else read_puzzle(puzzle_id, text)

    def find_made(self, ids: Collection[PuzzleId]) -> set[PuzzleId]:
        """Return those of the ids whose puzzles were made."""
        by_text = {str(puzzle_id): puzzle_id for puzzle_id in ids}
        found = {puzzle_id for text, puzzle_id in by_text.items() if text in first_puzzles()}
        texts = [text for text in by_text if text not in first_puzzles()]
        with report_errors(self._url), read_transaction(self._engine) as connection:
            for first in range(0, len(texts), _BATCH):
                part = puzzles.c.id.in_(texts[first : first + _BATCH])
                query = sa.select(puzzles.c.id).where(part, puzzles.c.trace.is_not(None))
                found.update(by_text[text] for text in connection.scalars(query))
        return found

    def claim(self, puzzle_id: PuzzleId) -> bool:
        """Claim a puzzle that this server is going to make; False if another one makes it, or it was made."""
        if str(puzzle_id) in first_puzzles():
            return False
        now = datetime.now(UTC)
        name = puzzles.c.id == str(puzzle_id)
        row = sa.insert(puzzles).values(id=str(puzzle_id), series=puzzle_id.series, claimed=now)
        late = sa.update(puzzles).where(name, puzzles.c.trace.is_(None), puzzles.c.claimed < now - CLAIM)
        with report_errors(self._url):
            try:
                with self._engine.begin() as connection:
                    if connection.scalar(sa.select(puzzles.c.id).where(name)) is None:
                        connection.execute(row)
                        return True
                    return connection.execute(late.values(claimed=now)).rowcount > 0
            except IntegrityError:  # another server has just claimed it
                return False

    def release(self, puzzle_id: PuzzleId) -> None:
        """Withdraw a claim."""
        query = sa.delete(puzzles).where(puzzles.c.id == str(puzzle_id), puzzles.c.trace.is_(None))
        with report_errors(self._url), self._engine.begin() as connection:
            connection.execute(query)

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle, in place of a claim or of the same one."""
        text, name = write_puzzle(puzzle), puzzles.c.id == str(puzzle.id)
        row = {"id": str(puzzle.id), "series": puzzle.id.series, "claimed": datetime.now(UTC), "trace": text}
        with report_errors(self._url):
            try:
                self._put(name, row)
            except IntegrityError:  # another server has just inserted it
                self._put(name, row)

    def count(self) -> int:
        """Return the number of puzzles that were made."""
        query = sa.select(sa.func.count()).where(puzzles.c.trace.is_not(None))
        with report_errors(self._url), read_transaction(self._engine) as connection:
            number: int = connection.scalar(query) or 0
        return number

    def _put(self, name: sa.ColumnElement[bool], row: dict[str, object]) -> None:
        with self._engine.begin() as connection:
            if not connection.execute(sa.update(puzzles).where(name).values(trace=row["trace"])).rowcount:
                connection.execute(sa.insert(puzzles).values(row))


def write_puzzle(puzzle: Puzzle) -> str:
    """Write a puzzle as JSON: its certificate, which has the level."""
    assert puzzle.level.certificate is not None, "generators certify their levels"
    text: str = puzzle.level.certificate.to_json()
    return text


def read_puzzle(puzzle_id: PuzzleId, text: str) -> Puzzle:
    """Read what `write_puzzle` wrote; the title is in the words of today."""
    trace = Trace.from_json(text)
    return name_puzzle(Puzzle(puzzle_id, with_certificate(trace.level, trace)))
