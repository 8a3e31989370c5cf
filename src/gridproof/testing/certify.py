"""Certificates for the levels of a pack: traces that win them.

    python -m gridproof.testing.certify sokoban src/gridproof/games/sokoban/levels/bombs.xsb

A level keeps its certificate while that still wins; every other level is solved. Each certificate is
written beside the pack at once, so that no work is lost when a later level takes too long.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Unpack

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.measure import Minimize, accept_minimize
from gridproof.core.position import Level
from gridproof.core.text.level_lookup import (
    certificate_file,
    certify_level,
    read,
    read_certificates,
    with_certificate,
    write_certificates,
)
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.search.solve import solve


@accept_minimize
def certify(
    path: Path,
    game: str,
    minimise: str | None = "actions",
    limit: Limit | None = None,
    **spelling: Unpack[Minimize],
) -> Iterator[str]:
    """Give every level of a pack's file a certificate, and write them beside it; yield one line about each level.

    The line ends with "no certificate" when none was found within the limit, which is for each level.
    `minimize` is accepted for `minimise`.
    GridproofError when the pack, or the file of its certificates, cannot be read or written.
    """
    levels = with_certificates(path, read(path, game))
    for place, level in enumerate(levels):
        found = "kept" if level.certificate else "solved"
        if not level.certificate:
            levels[place] = _solve(level, minimise, limit)
        write_certificates(path, Pack(levels))
        yield f"{place + 1} {level.title}: {_length(levels[place], found)}"


def with_certificates(path: Path, pack: Pack) -> list[Level]:
    """Return the levels of the pack in a file, with the certificates beside it that still win them."""
    known = read_certificates(certificate_file(path))
    return [_with_certificate(level, known.get(number)) for number, level in enumerate(pack, 1)]


def _with_certificate(level: Level, steps: Sequence[Mapping[str, str]] | None) -> Level:
    """Return the level with these steps as its certificate, if they win it."""
    try:
        return certify_level(level, steps or ())
    except GridproofError:
        return level


def _solve(level: Level, minimise: str | None, limit: Limit | None) -> Level:
    solution = solve(level, minimise=minimise, limit=limit)
    return with_certificate(level, solution.trace) if solution.trace else level


def _length(level: Level, found: str) -> str:
    return (
        f"{found}, {format_count(len(level.certificate.steps), 'actions')}"
        if level.certificate
        else "no certificate"
    )


def create_parser(module: str, about: str) -> argparse.ArgumentParser:
    """Return the parser of a command that works on the levels of a pack's file."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("pack", type=Path, help="the file of the pack")
    parser.add_argument("--seconds", type=float, default=None, help="how long to try each level")
    return parser


def print_lines(lines: Callable[[], Iterator[str]], missing: str) -> int:
    """Print one line about each level; return 1 when one ends with `missing`, 2 for wrong input, else 0."""
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
    """Run the command; return 0 when every level has a certificate, 1 when not, 2 for wrong input."""
    parser = create_parser("gridproof.testing.certify", __doc__)
    parser.add_argument(
        "--minimise", "--minimize", default="actions", help="what certificates have fewest of"
    )
    options = parser.parse_args(arguments)
    return print_lines(
        lambda: certify(options.pack, options.game, options.minimise, Limit(seconds=options.seconds)),
        "no certificate",
    )


if __name__ == "__main__":
    sys.exit(main())
