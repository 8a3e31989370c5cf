"""Breadth-first distances."""

from __future__ import annotations

from gridproof.core.distances import distances, shortest_path


def on_a_line(place: int) -> tuple[int, int]:
    return place - 1, place + 1


def test_distances_are_to_nearest_origin_in_breadth_first_order() -> None:
    found = distances([5, 0], lambda place: [other for other in on_a_line(place) if 0 <= other < 9])
    assert list(found.items()) == [(5, 0), (0, 0), (4, 1), (6, 1), (1, 1), (3, 2), (7, 2), (2, 2), (8, 3)]


def test_distances_end_at_the_limit() -> None:
    assert 100 < len(distances([0], on_a_line, 100)) <= 102
    assert distances((), on_a_line) == {}


def test_shortest_path_has_labels_and_end() -> None:
    def steps(place: int) -> list[tuple[str, int]]:
        return [("one", place + 1), ("double", 2 * place)]

    assert shortest_path(1, steps, lambda place: place == 10) == (["one", "double", "one", "double"], 10)
    assert shortest_path(3, steps, lambda place: place % 3 == 0) == ([], 3)


def test_shortest_path_is_none_when_missing_or_too_far() -> None:
    ring = [("next", 1), ("next", 2), ("next", 0)]
    assert shortest_path(0, lambda place: [ring[place]], lambda place: place == 5) is None
    assert shortest_path(0, lambda place: [("on", place + 1)], lambda place: place == 9, 9) is None
    assert shortest_path(0, lambda place: [("on", place + 1)], lambda place: place == 9, 11) == (
        ["on"] * 9,
        9,
    )
