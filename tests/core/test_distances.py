"""Breadth-first distances."""

from __future__ import annotations

from gridproof.core.distances import distances


def on_a_line(place: int) -> tuple[int, int]:
    return place - 1, place + 1


def test_the_nearest_origin_counts_and_nodes_come_breadth_first() -> None:
    found = distances([5, 0], lambda place: [other for other in on_a_line(place) if 0 <= other < 9])
    assert list(found.items()) == [(5, 0), (0, 0), (4, 1), (6, 1), (1, 1), (3, 2), (7, 2), (2, 2), (8, 3)]


def test_it_ends_when_too_many_are_found() -> None:
    assert 100 < len(distances([0], on_a_line, 100)) <= 102
    assert distances((), on_a_line) == {}
