"""Tests of the gallery: packs, search, collections of other people, and files by their address."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.sites import Site

from gridproof.server.api.gallery import MOST_FOUND

COLLECTION = """Title: Two rooms
Author: Somebody
Licence: CC0

######
#@ $.#
######
Title: First

#######
#@ $ .#
#######
Title: Second
"""


def test_packs_have_author_licence_and_keys(site: Site) -> None:
    packs = {pack["name"]: pack for pack in site.client.get("/api/packs").json()["packs"]}
    steps = packs["sokoban/first-steps"]
    assert (steps["title"], steps["author"], steps["licence"]) == ("First steps", "gridproof", "MIT")
    levels = site.client.get("/api/packs/sokoban/first-steps").json()
    assert steps["keys"] == [level["key"] for level in levels["levels"]]
    assert levels["licence"] == "MIT"
    assert levels["description"].startswith("Small levels of one to three boxes")
    boards = site.client.get("/api/packs/twenty48/standard").json()
    assert boards["description"].startswith("Games from the start")
    assert [data["levels"][0]["random"] for data in (levels, boards)] == [False, True]
    assert steps["difficulty"].split(" to ")[0] == levels["levels"][0]["difficulty_word"]
    assert site.client.get(steps["picture"]).status_code == 200


def test_search_finds_levels_by_all_words(site: Site) -> None:
    found = site.client.get("/api/levels", params={"query": "BACK first  steps"}).json()
    assert [(level["pack"], level["number"], level["title"]) for level in found["levels"]] == [
        ("sokoban/first-steps", 2, "Back Door")
    ]
    key = site.client.get("/api/packs/sokoban/first-steps").json()["levels"][1]["key"]
    assert found["levels"][0]["key"] == key
    assert site.client.get("/api/levels", params={"query": "zebra"}).json() == {"count": 0, "levels": []}


def test_search_lists_the_first_levels_of_many(site: Site) -> None:
    found = site.client.get("/api/levels").json()
    assert found["count"] > len(found["levels"]) == MOST_FOUND


def test_collection_is_read(site: Site) -> None:
    data = site.client.post("/api/collections", json={"text": COLLECTION}).json()
    assert (data["game"], data["title"], data["author"]) == ("sokoban", "Two rooms", "Somebody")
    assert data["licence"] == "CC0"
    assert [level["title"] for level in data["levels"]] == ["First", "Second"]
    with site.page(site.begin(text=COLLECTION, level=2)) as page:
        assert page.now["key"] == data["keys"][1]


def test_text_without_levels_is_refused(site: Site) -> None:
    assert site.client.post("/api/collections", json={"text": "nothing"}).status_code in (400, 422)


def test_files_are_read_from_the_folder_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "two rooms.xsb").write_text(COLLECTION, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")

    def status(address: str) -> int:
        return int(site.client.get("/api/files", params={"address": address}).status_code)

    monkeypatch.delenv("GRIDPROOF_LEVELS", raising=False)
    assert status("two rooms.xsb") == 404
    monkeypatch.setenv("GRIDPROOF_LEVELS", str(folder))
    for address in ("two rooms.xsb", str(folder / "two rooms.xsb"), f"{(folder / 'two rooms.xsb').as_uri()}"):
        assert site.client.get("/api/files", params={"address": address}).text == COLLECTION
    for address in (
        "../secret.txt",
        str(tmp_path / "secret.txt"),
        "link.txt",
        ".",
        "a\0b",
        "https://[",
        "x" * 300,
    ):
        assert status(address) == 404, address


def test_large_file_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("x" * (site.context.limits.text + 1), encoding="utf-8")
    monkeypatch.setenv("GRIDPROOF_LEVELS", str(tmp_path))
    assert site.client.get("/api/files", params={"address": "large.txt"}).status_code == 413


def test_levels_of_a_collection_have_pictures(site: Site) -> None:
    text = "#####\n#@$.#\n#####\n\n#####\n#@@.#\n#####\n\n######\n#@$ .#\n######\n"
    levels = site.client.post("/api/collections", json={"text": text}).json()["levels"]
    assert [(level["number"], level["in_text"]) for level in levels] == [(1, 1), (2, 3)]
    second = site.client.post("/api/pictures", json={"text": text, "level": 2})
    alone = site.client.post("/api/pictures", json={"text": "######\n#@$ .#\n######\n"})
    assert second.text == alone.text
    own = site.client.post("/api/pictures", json={"text": levels[1]["text"], "level": 1})
    assert own.text == alone.text
    assert site.client.post("/api/pictures", json={"text": text, "level": 3}).status_code == 400
