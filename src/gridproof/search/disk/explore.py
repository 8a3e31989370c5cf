"""Exploration with the positions on a disk."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.kernels.game import Compiled, GameKernel, Packing, Ranking
from gridproof.search.disk.bit_layers import BitLayers
from gridproof.search.disk.layer_store import DiskFull, LayerStore
from gridproof.search.disk.layers import DiskSearch
from gridproof.search.disk.run_layers import RunLayers
from gridproof.search.disk.space import DiskSpace
from gridproof.search.packed_bfs import Acting, build_expansion
from gridproof.search.question import Question
from gridproof.search.refusal import Refused
from gridproof.search.space import StateSpace, finish
from gridproof.store.dataset import CODE
from gridproof.store.level_digest import digest, text_digest

_DIGITS = 16
"""Digits of the hashes that a folder keeps."""


def explore_on_disk(question: Question, path: Path) -> StateSpace:
    """Find every reachable position, and keep them in a folder, or go on with those that are there.

    GridproofError for a level without a kernel, and as `LayerStore`.
    """
    meter = question.meter
    try:
        packed = question.load_packing()
    except Refused as reason:
        raise GridproofError(f"this level cannot be explored on a disk: {reason}") from None
    with meter.pause():
        ranking = _find_ranking(question, *packed)
        expansion = build_expansion(*packed)
        code = expansion.successors if ranking is None else packed[0].ranked.successors
        form = "sorted states" if ranking is None else "ranks"
        store = LayerStore(path, _describe(question, form, code))
    with contextlib.closing(store):
        with meter.pause():
            found: DiskSearch = (
                RunLayers(*packed[:2], expansion, question.starts, store, meter)
                if ranking is None
                else BitLayers(*packed[:2], ranking, question.starts, store, meter)
            )
            found.prepare()
        try:
            complete = finish(found, meter, question.progress)
        except DiskFull:
            if not store.content.layers:
                raise
            meter.stopped_by, complete = "disk", False
        space = DiskSpace(found, question.who, complete, meter)
    space.engine = f"{form} on disk"
    return space


def _find_ranking(question: Question, kernel: GameKernel, packing: Packing, acting: Acting) -> Ranking | None:
    """Return the ranking of the level, if it has one for these starts and actors."""
    ranking = kernel.ranked.ranking(packing.level) if kernel.ranked.ranking else None
    return ranking if ranking and question.is_by_players and all(map(ranking.has, question.starts)) else None


def _describe(question: Question, form: str, code: Compiled) -> dict[str, str]:
    """Return what a folder's layers belong to: explorations that differ in it have different layers."""
    function: Any = getattr(code, "py_func", code)  # its name has a digest of all that it reaches
    return {
        "level": digest(question.level)[:_DIGITS],
        "start": text_digest("".join(sorted(start.text() for start in question.starts)))[:_DIGITS],
        "actors": ",".join(actor or "players" for actor in question.who),
        "form": form,
        "code": f"{CODE} {function.__qualname__}",
    }
