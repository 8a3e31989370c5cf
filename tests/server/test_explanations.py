"""Tests of explanations: why a level cannot be won, in words."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.server.sites import Site

from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.prove.position_status import Badge, prove
from gridproof.search.solution import Solution
from gridproof.search.solve import solve

IN_A_CORNER = "######\n#@ . #\n#$   #\n######\n"
TWO_BOXES = "#######\n#@$ . #\n#   . #\n#    $#\n#######\n"


def explained(site: Site, text: str) -> dict[str, Any]:
    answer = site.client.post("/api/explanations", json={"text": text})
    assert answer.status_code == 202, answer.text
    data = answer.json()
    while not data["done"]:
        time.sleep(0.01)
        data = site.client.get(f"/api/jobs/{data['id']}").json()
    result: dict[str, Any] = data["result"]
    return result


def test_explanation_names_the_stuck_box_and_its_cell(site: Site) -> None:
    result = explained(site, IN_A_CORNER)
    assert "box" in result["why"]
    assert result["why"].endswith(".")
    assert [1, 2] in result["cells"]
    assert result["remedies"] == []


def test_explanation_names_pieces_without_which_it_can_be_won(site: Site) -> None:
    remedies = explained(site, TWO_BOXES)["remedies"]
    assert [(one["condition"], one["cells"]) for one in remedies] == [
        ("without the box in row 4, column 6", [[5, 3]])
    ]


def test_explanation_of_winnable_level_is_empty(site: Site) -> None:
    assert explained(site, "#####\n#@$.#\n#####\n") == {"why": "", "cells": [], "remedies": []}


def test_proof_counts_towards_the_time_of_the_explanation(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, searched = list[float](), solve

    def slow(position: Position[Any], limit: Limit) -> Badge:
        time.sleep(0.2)
        return prove(position, limit)

    def record(level: Level, minimise: None, limit: Limit) -> Solution:
        left.append(limit.seconds or 0.0)
        return searched(level, minimise, limit=limit)

    monkeypatch.setattr("gridproof.server.api.explanations.prove", slow)
    monkeypatch.setattr("gridproof.server.api.explanations.solve", record)
    explained(site, TWO_BOXES)
    assert left
    assert max(left) <= site.context.limits.job_seconds - 0.2
