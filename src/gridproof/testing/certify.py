"""Certificates for the levels of a pack: traces that win them.

    python -m gridproof.testing.certify sokoban src/gridproof/games/sokoban/levels/bombs.xsb

A level keeps the certificate it has while that still wins; every other level is solved. What is found
is written beside the pack at once, so that work is not lost when a later level takes too long.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.shelf import (
    certificate_file,
    certificates_in,
    certified,
    with_certificate,
    write_certificates,
)
from gridproof.core.wording import counted
from gridproof.search.solve import solve


def certify(
    path: Path, game: str, minimise: str | None = "actions", limit: Limit | None = None
) -> Iterator[str]:
    """Give every level of a pack's file a certificate, and write them beside it.

    Parameters
    ----------
    path : Path
        The pack's file.
    game : str
        The name of its game.
    minimise : str or None
        The measure that new certificates minimise.
    limit : Limit
        The limit for each level.

    Yields
    ------
    str
        One line about each level; it ends with "no certificate" when none was found.

    Raises
    ------
    GridproofError
        When the pack, or the file of its certificates, cannot be read or written.
    """
    kept = with_certificates(path, reading.read(path, game))
    for place, level in enumerate(kept):
        found = "kept" if level.certificate else "solved"
        if not level.certificate:
            kept[place] = _solved(level, minimise, limit)
        write_certificates(path, Pack(kept))
        yield f"{place + 1} {level.title}: {_length(kept[place], found)}"


def with_certificates(path: Path, pack: Pack) -> list[Level]:
    """The levels of a pack in the file `path` with those certificates beside it that still win them.

    Raises
    ------
    GridproofError
        When the file of the certificates cannot be read.
    """
    known = certificates_in(certificate_file(path))
    return [_kept(level, known.get(number)) for number, level in enumerate(pack, 1)]


def _kept(level: Level, steps: Sequence[Mapping[str, str]] | None) -> Level:
    """The level with the certificate these steps are, if they win it."""
    try:
        return certified(level, steps or ())
    except GridproofError:
        return level


def _solved(level: Level, minimise: str | None, limit: Limit | None) -> Level:
    solution = solve(level, minimise=minimise, limit=limit)
    return with_certificate(level, solution.trace) if solution.trace else level


def _length(level: Level, found: str) -> str:
    return (
        f"{found}, {counted(len(level.certificate.steps), 'actions')}"
        if level.certificate
        else "no certificate"
    )


def command(module: str, about: str) -> argparse.ArgumentParser:
    """The arguments of a command that works on the levels of a pack's file."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("pack", type=Path, help="the file of the pack")
    parser.add_argument("--seconds", type=float, default=None, help="how long to try each level")
    return parser


def told(lines: Callable[[], Iterator[str]], missing: str) -> int:
    """Print one line about each level; 0 when none ends with what is missing, 1 when one does, 2 for wrong input."""
    status = 0
    try:
        for line in lines():
            status |= line.endswith(missing)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    except GridproofError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 when every level has a certificate, 1 when not, 2 for wrong input."""
    parser = command("gridproof.testing.certify", __doc__)
    parser.add_argument("--minimise", default="actions", help="what certificates have fewest of")
    options = parser.parse_args(arguments)
    return told(
        lambda: certify(options.pack, options.game, options.minimise, Limit(seconds=options.seconds)),
        "no certificate",
    )


if __name__ == "__main__":
    sys.exit(main())
