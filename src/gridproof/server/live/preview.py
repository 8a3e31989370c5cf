"""What actions would do, without doing them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from gridproof.core.position import Position
from gridproof.play.data import Data
from gridproof.play.moved import differences, same_shape
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.steps import Drawn, step_data

MOST_OUTCOMES = 64
"""What chance may bring, as far as it is listed."""


def preview_data(position: Position[Any], texts: Sequence[str], pieces: PieceTable) -> Data:
    """The steps of some actions as far as they are certain, and what chance may bring then.

    Raises
    ------
    IllegalAction
        When one of them cannot be done.
    """
    look = position.level.game.look
    words = ", ".join(look.words(position.action(text)) for text in texts[:1])
    data: Data = {"kind": "preview", "text": words, "actions": list(texts), "steps": []}
    before = Drawn(position)
    for text in texts:
        action = position.action(text)
        outcomes = [*itertools.islice(position.outcomes(action), MOST_OUTCOMES)]
        if len(outcomes) > 1:
            data["outcomes"] = [_outcome_data(before, outcome, pieces) for outcome in outcomes]
            break
        after = Drawn(outcomes[0].position)
        if not same_shape(before.board, after.board):
            break
        data["steps"].append(step_data(pieces, before, after, action, outcomes[0]))
        position, before = after.position, after
    return data


def _outcome_data(before: Drawn, outcome: Any, pieces: PieceTable) -> Data:
    after = Drawn(outcome.position)
    cells = differences(before.board, after.board) if same_shape(before.board, after.board) else []
    return {
        "label": outcome.label,
        "probability": str(outcome.probability),
        "cells": [[x, y, pieces.pile(after.board, x, y)] for x, y in cells],
    }
