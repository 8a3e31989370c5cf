"""Exploration with the positions on a disk."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.kernels.game import Compiled, Ranking
from gridproof.search.disk.bit_layers import BitLayers
from gridproof.search.disk.layer_store import DiskFull, LayerStore
from gridproof.search.disk.layers import DiskSearch
from gridproof.search.disk.space import DiskSpace
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
    with meter.pause():
        form, ranking, code = _choose_form(question)
        store = LayerStore(path, _describe(question, form, code))
    with contextlib.closing(store):
        with meter.pause():
            found = _search(question, ranking, store)
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


def _choose_form(question: Question) -> tuple[str, Ranking, Compiled]:
    """Return the form of the layers, the ranking, and the successors; GridproofError without a kernel."""
    try:
        kernel, packing, _ = question.load_packing()
    except Refused as reason:
        raise GridproofError(f"this level cannot be explored on a disk: {reason}") from None
    ranking = kernel.ranked.ranking(packing.level) if kernel.ranked.ranking else None
    if ranking is None or not question.is_by_players:
        raise GridproofError("this level cannot be explored on a disk: the positions have no dense numbering")
    return "ranks", ranking, kernel.ranked.successors


def _search(question: Question, ranking: Ranking, store: LayerStore) -> DiskSearch:
    kernel, packing, _ = question.load_packing()
    return BitLayers(kernel, packing, ranking, question.starts, store, question.meter)


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
