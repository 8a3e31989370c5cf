"""Packs sorted by difficulty, with the least cost of each level, proved and recorded.

    python -m gridproof.testing.grade sokoban my-levels.xsb

The game's generator measures each level. The fewest pushes, moves or actions that win it (`Pushes: 12`)
and its difficulty (`Difficulty: 345`) become keys of the level, and the levels are sorted by difficulty,
those without a proof last. A certificate that wins at the least cost stays, every other level gets a new
one. The file and its certificates are written at the end; comments within levels are lost if the game's
format does not keep them.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridproof.core.generate import MeasuredDifficulty, measure_difficulty
from gridproof.core.limit import Limit
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.position import Level
from gridproof.core.text import files, level_lookup, recognition
from gridproof.core.text.level_lookup import with_certificate, write_certificates
from gridproof.testing.certify import create_parser, print_lines, with_certificates

_DIFFICULTY = "Difficulty"


def grade(path: Path, game: str, limit: Limit | None = None) -> Iterator[str]:
    """Measure the levels of a pack's file, record the results, and sort them; yield one line about each level.

    The lines come in the old order; one ends with "no proof" when there is none within the limit, which is for each
    level: it keeps its keys. The file is written after the last one. GridproofError when the pack, or the file of its
    certificates, cannot be read or written, or the game's generator does not measure levels.
    """
    pack = level_lookup.read(path, game)
    form = recognition.recognise(files.clean(files.read_text(path)), game)[1].name
    pack.text(form)  # fails before any work if the format cannot write the pack
    graded = []
    for number, level in enumerate(with_certificates(path, pack), 1):
        found = measure_difficulty(level, limit)
        graded.append(_record(level, found) if found else level)
        yield f"{number} {level.title}: {_describe(found)}"
    pack[:] = sorted(graded, key=_difficulty)
    bare = copy.copy(pack)
    bare[:] = [with_certificate(level, None) for level in pack]  # they go to a file of their own
    recognition.write(bare, path, form)
    write_certificates(path, pack)


def _record(level: Level, found: MeasuredDifficulty) -> Level:
    """Return the level with the measured keys, and a certificate of the measured cost."""
    keys = {**level.keys, **{name: str(value) for name, value in found.keys.items()}}
    measure = find_measure(level.game, found.measure)
    certificate = level.certificate
    if certificate is None or cost_of(certificate, measure) > cost_of(found.trace, measure):
        certificate = found.trace
    return dataclasses.replace(level, keys=keys, certificate=certificate)


def _describe(found: MeasuredDifficulty | None) -> str:
    if found is None:
        return "no proof"
    return ", ".join(f"{name} {value}" for name, value in found.keys.items())


def _difficulty(level: Level) -> float:
    """Return the recorded difficulty; without one, infinity."""
    text = level.keys.get(_DIFFICULTY, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else math.inf


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 when every level is proved, 1 when not, 2 for wrong input."""
    options = create_parser("gridproof.testing.grade", __doc__).parse_args(arguments)
    return print_lines(lambda: grade(options.pack, options.game, Limit(seconds=options.seconds)), "no proof")


if __name__ == "__main__":
    sys.exit(main())
