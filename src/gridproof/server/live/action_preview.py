"""Preview of actions: their effects, without doing them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.position import Position
from gridproof.server.live.board_delta import BoardSnapshot, step_data, words_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.table.board_diff import differences, same_shape

MOST_OUTCOMES = 64
"""Random outcomes in a preview."""


def preview_data(position: Position[Any], texts: Sequence[str], pieces: PieceTable) -> Data:
    """Return the certain steps of some actions, and the random outcomes after them.

    Raises
    ------
    IllegalAction
        If one of them is not possible.
    """
    data: Data = {"kind": "preview", "text": "", "actions": list(texts), "steps": []}
    for text in texts[:1]:
        words = words_data(position, position.action(text))
        data |= {"text": words.pop("words"), **words}
    before = BoardSnapshot(position)
    for text in texts:
        action = position.action(text)
        outcomes = [*itertools.islice(position.outcomes(action), MOST_OUTCOMES)]
        if len(outcomes) > 1:
            data["outcomes"] = [_outcome_data(before, outcome, pieces) for outcome in outcomes]
            break
        after = BoardSnapshot(outcomes[0].position)
        if not same_shape(before.board, after.board):
            break
        data["steps"].append(step_data(pieces, before, after, action, outcomes[0]))
        position, before = after.position, after
    return data


def _outcome_data(before: BoardSnapshot, outcome: Any, pieces: PieceTable) -> Data:
    after = BoardSnapshot(outcome.position)
    cells = differences(before.board, after.board) if same_shape(before.board, after.board) else []
    return {
        "label": outcome.label,
        "probability": str(outcome.probability),
        "cells": [[x, y, pieces.pile(after.board, x, y)] for x, y in cells],
    }
