"""Packs sorted by difficulty, with the least cost of each level, proved and recorded.

    python -m gridproof.testing.grade sokoban my-levels.xsb

Each level of the file is measured as its game's generator measures those it makes. The fewest pushes,
moves or actions that win it (`Pushes: 12`) and its difficulty (`Difficulty: 345`) become keys of the
level, and the levels are sorted by difficulty, those of which nothing is proved last. A certificate
that wins with the fewest is kept, every other level gets the one that was found. The file and its
certificates are written anew at the end; comments within levels are lost, where the game's format
does not keep them.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridproof.core import files, reading
from gridproof.core.generate import Measured, measured
from gridproof.core.limit import Limit
from gridproof.core.measure import cost_of, measure_named
from gridproof.core.position import Level
from gridproof.core.shelf import with_certificate, write_certificates
from gridproof.testing.certify import command, told, with_certificates

_DIFFICULTY = "Difficulty"


def grade(path: Path, game: str, limit: Limit | None = None) -> Iterator[str]:
    """Measure the levels of a pack's file, record what was found, and sort them.

    Parameters
    ----------
    path : Path
        The pack's file.
    game : str
        The name of its game.
    limit : Limit
        How hard to try on each level. One that is not proved within it keeps the keys that it has.

    Yields
    ------
    str
        One line about each level, in the order of the file as it was; it ends with "no proof" when
        none was found. The file is written after the last one.

    Raises
    ------
    GridproofError
        When the pack, or the file of its certificates, cannot be read or written, or the game's
        generator does not measure levels.
    """
    pack = reading.read(path, game)
    form = reading.recognised(files.clean(files.text_of(path)), game)[1].name
    pack.text(form)  # what cannot be written need not be measured
    graded = []
    for number, level in enumerate(with_certificates(path, pack), 1):
        found = measured(level, limit)
        graded.append(_recorded(level, found) if found else level)
        yield f"{number} {level.title}: {_told(found)}"
    pack[:] = sorted(graded, key=_difficulty)
    bare = copy.copy(pack)
    bare[:] = [with_certificate(level, None) for level in pack]  # which go to a file of their own
    reading.write(bare, path, form)
    write_certificates(path, pack)


def _recorded(level: Level, found: Measured) -> Level:
    """The level with the measured keys, and a certificate that costs no more than they say."""
    keys = {**level.keys, **{name: str(value) for name, value in found.keys.items()}}
    measure = measure_named(level.game, found.measure)
    kept = level.certificate
    if kept is None or cost_of(kept, measure) > cost_of(found.trace, measure):
        kept = found.trace
    return dataclasses.replace(level, keys=keys, certificate=kept)


def _told(found: Measured | None) -> str:
    if found is None:
        return "no proof"
    return ", ".join(f"{name} {value}" for name, value in found.keys.items())


def _difficulty(level: Level) -> float:
    """The recorded difficulty; without one, the greatest."""
    told = level.keys.get(_DIFFICULTY, "")
    return int(told) if told.isascii() and told.isdecimal() and len(told) < 20 else math.inf


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 when every level is proved, 1 when not, 2 for wrong input."""
    options = command("gridproof.testing.grade", __doc__).parse_args(arguments)
    return told(lambda: grade(options.pack, options.game, Limit(seconds=options.seconds)), "no proof")


if __name__ == "__main__":
    sys.exit(main())
