"""Files of certificates: the first line, and a line for each value of a proof."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.core.limit import Meter, Stopped, check_stop, describe_limit, use_stop
from gridproof.core.position import Position
from gridproof.core.representation import Representable
from gridproof.core.text import files
from gridproof.core.text.phrases import format_count
from gridproof.prove.checkers.statements import ExactStatement
from gridproof.prove.writers.proof import Proof
from gridproof.search.actors import Actors, Who


@dataclass(frozen=True, slots=True)
class Certified(Representable):
    """Result of an attempt to write a certificate."""

    holds: bool | None
    """True if it was written; False if the goal can be reached; None if a limit was reached first."""
    positions: int
    """The number of positions found; all are listed when a certificate was written."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"."""
    kind: str = ""
    """The kind of the certificate; "" if none was written."""
    claim: str = ""
    """The proved claim, of a certificate about a formula, a solution or a value."""

    @property
    def missing(self) -> str:
        """The reason why no certificate was written; "" if it was."""
        if self.holds:
            return ""
        why = "the goal can be reached"
        if self.holds is None:
            why = describe_limit(self.stopped_by) if self.stopped_by else "there is no proof"
        return f"no certificate: {why}"

    def __str__(self) -> str:
        """Return the result, and its meaning for the goal."""
        if self.holds is None:
            return f"{self.missing} after {format_count(self.positions, 'positions')}"
        if not self.holds:
            return self.missing
        claim = self.claim or "the goal can never be reached"
        return f"{claim}: the certificate lists {format_count(self.positions, 'positions')}"

    def _summary(self) -> str:
        return f"<Certified: {self}>"


def certify_proof(path: Path, said: ExactStatement, actors: Actors, proof: Proof, meter: Meter) -> Certified:
    """Write the certificate of a statement; `actors` are those of the question."""
    if not write_proof(path, list(said.starts), (actors, said.who), proof, meter):
        return Certified(None, proof.size, meter.seconds, meter.reason)
    return Certified(True, proof.size, meter.seconds, "", proof.kind, said.claim)


def write_proof(
    path: Path, starts: list[Position[Any]], actors: tuple[Actors, Who], proof: Proof, meter: Meter
) -> bool:
    """Write a certificate; return False, and write none, if the work is stopped.

    `actors` are those of the question, and as they were resolved.
    """
    level, (asked, who) = starts[0].level, actors
    header = {
        "gridproof": "certificate",
        "version": 1,
        "game": level.game.name,
        "level": level.text(),
        "starts": [start.text() for start in starts],
        "actors": None if who == (None,) else "all" if asked == "all" else list(who),
        "positions": proof.size,
        "kind": proof.kind,
        **proof.facts,
    }
    try:
        with use_stop(meter.limit.stop), files.open_atomic(path, packed=path.suffix == ".gz") as file:
            file.write(f"{json.dumps(header)}\n")
            file.writelines(f"{json.dumps(line)}\n" for line in _interruptible(proof.lines))
    except Stopped:
        meter.is_reached(0)
        return False
    return True


def _interruptible(lines: Iterable[Any]) -> Iterator[Any]:
    for line in lines:
        check_stop()
        yield line
