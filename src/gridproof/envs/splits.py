"""Splits of levels into those to train on and those to test on, and generated levels without symmetric copies."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator

from gridproof.core.design import canonical
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text.phrases import short_repr
from gridproof.store.level_digest import digest

TRAIN, TEST = SPLITS = ("train", "test")
_TESTED = 10
"""One in so many levels is to test on."""
_MOST_COPIES = 1000
"""Generated levels that are left out in a row, after which a generator has no others."""


def split_of(level: Level) -> str:
    """Return the split of a level: "train", or for a tenth of all levels "test".

    It depends on the level alone, and is the same for its rotated, reflected and renamed copies: whatever seeds and files
    levels come from, none of one split is a copy of one of the other. GridproofError for an object that is no level.

    Examples
    --------
    >>> import gridproof as gp
    >>> split_of(gp.level("sokoban/first-steps/1"))
    'train'
    """
    if not isinstance(level, Level):
        raise GridproofError(f"a level is needed, not {short_repr(level)}")
    form = canonical(level)
    text = digest(level) if isinstance(form, Level) else repr(form)
    return TEST if hashlib.sha256(text.encode()).digest()[0] * _TESTED < 256 else TRAIN


def check_split(split: str | None) -> None:
    """Check that there is a split of this name, or None is given; GridproofError for others."""
    if split is not None and split not in SPLITS:
        raise GridproofError(f"no split {short_repr(split)}: there are {' and '.join(SPLITS)}")


def distinct_levels(
    levels: Iterable[Level], split: str | None, excluded: Iterable[Hashable]
) -> Iterator[Level]:
    """Yield the levels of a split, all if it is None, without symmetric copies of earlier and excluded ones.

    `excluded` are in canonical form. GridproofError when no more levels come.
    """
    seen, left_out = set(excluded), 0
    for level in levels:
        form = canonical(level)
        if form in seen or (split is not None and split_of(level) != split):
            left_out += 1
            if left_out == _MOST_COPIES:
                raise GridproofError(
                    "the generator has no more levels that are not rotated, reflected or renamed copies: ask for "
                    "fewer, or for larger ones"
                )
            continue
        seen.add(form)
        left_out = 0
        yield level
