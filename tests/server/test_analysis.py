"""Tests of analyses over REST: levels, packs, certificates, and refusals."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.sites import Site

import gridproof as gp
from gridproof.server.api import analysis

LEVEL = "#######\n#@ $ .#\n#     #\n#######\n"
DUEL = (
    "robots 4x3\na: rule=A rotation=0\nb: rule=B rotation=0\nc: rule=A rotation=90\n"
    "board:\n. # A b\nB C . .\nc # . a\n"
)
PACK = "; One\n######\n#@ $.#\n#    #\n######\n\n; Two\n######\n#    #\n#@ $.#\n######\n"


def done(site: Site, path: str, **asked: Any) -> dict[str, Any]:
    answer = site.client.post(f"/api/{path}", json=asked)
    assert answer.status_code == 202, answer.text
    data: dict[str, Any] = answer.json()
    while not data["done"]:
        time.sleep(0.01)
        data = site.client.get(f"/api/jobs/{data['id']}").json()
    return data


def test_certificate_is_charged_for_level_and_position(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []
    read = site.context.reader.run

    async def run(length: int, work: Any) -> Any:
        lengths.append(length)
        return await read(length, work)

    monkeypatch.setattr(site.context.reader, "run", run)
    position = gp.read(LEVEL)[0].start().text()
    done(site, "certificates", text=LEVEL, position=position)
    assert lengths == [len(LEVEL) + len(position)]


@pytest.mark.parametrize("spelling", ["minimise", "minimize"])
def test_solver_job_accepts_both_spellings(site: Site, spelling: str) -> None:
    pushes = done(site, "jobs", text=LEVEL, **{spelling: "pushes"})["result"]
    assert (pushes["found"], pushes["cost"], pushes["optimal"]) == (True, 2, True)
    whatever = done(site, "jobs", text=LEVEL, **{spelling: None})["result"]
    assert (whatever["found"], whatever["optimal"]) == (True, False)


def test_solver_job_says_if_its_solution_needs_luck(site: Site) -> None:
    lucky = done(site, "jobs", text="2048 2x2 target=8\n2 2\n4 0\n")["result"]
    assert (lucky["found"], lucky["luck"]) == (True, True)
    assert done(site, "jobs", text=LEVEL)["result"]["luck"] is False


def test_solver_job_refuses_two_different_measures(site: Site) -> None:
    assert done(site, "jobs", text=LEVEL, minimise="pushes", minimize="pushes")["result"]["cost"] == 2
    for first, second in (("actions", "pushes"), ("pushes", None)):
        answer = site.client.post("/api/jobs", json={"text": LEVEL, "minimise": first, "minimize": second})
        assert answer.status_code == 400
        assert answer.json()["error"]["text"].endswith(
            "minimise and minimize are one field: give one of them"
        )


def test_analysis_of_level_has_evidence_for_each_claim(site: Site) -> None:
    result = done(site, "analyses", text=LEVEL)["result"]
    whole = gp.analyse(gp.read(LEVEL)[0])
    assert whole.whole is not None
    assert (result["analysis"]["states"], result["analysis"]["dead"]) == (whole.states, whole.whole.dead)
    report = result["report"]
    cards = {part["title"]: part for part in report["parts"] if part["kind"] == "card"}
    shown = report["traces"][cards["The shortest way to lose the win"]["trace"]]
    trace = gp.Trace.from_json(shown["trace"])
    assert whole.whole.first_dead == trace
    assert shown["actions"] == len(trace.steps)
    assert gp.solve(trace.replay()).found is False
    assert not re.search("<style|style=|<script", str(report))


def test_analysis_shows_decisive_position_on_solution(site: Site) -> None:
    report = done(site, "analyses", text="########\n# *@$ .#\n########\n")["result"]["report"]
    (moment,) = [part for part in report["parts"] if part.get("title", "").startswith("After")]
    assert (moment["title"], moment["at"]) == ("After 0 moves: go right", 0)
    assert report["traces"][moment["trace"]]["actions"] == 2
    assert "svg" not in moment


@pytest.mark.parametrize(
    ("level", "title"),
    [
        (LEVEL, "The shortest way to lose the win"),  # of a position
        ("#####\n#@$ #\n#  .#\n#####\n", "The start"),
        ("Bombs: 1\n#######\n#@$ #.#\n#######\n", "without the bomb"),
        (DUEL, "without a, who does nothing"),  # of some actors
    ],
)
def test_certificate_is_written_when_level_is_impossible(
    site: Site, tmp_path: Path, level: str, title: str
) -> None:
    report = done(site, "analyses", text=level)["result"]["report"]
    rows = {
        row[0]: never
        for part in report["parts"]
        if part["kind"] == "table" and part["never"]
        for row, never in zip(part["rows"], part["never"], strict=True)
    }
    never = {part["title"]: part.get("never") for part in report["parts"] if part["kind"] == "card"} | rows
    (claim, *_) = never[title]
    result = done(site, "certificates", **claim)["result"]
    path = tmp_path / "proof.gz"
    path.write_bytes(base64.b64decode(result["certificate"]))
    assert gp.verify(path).holds


def test_certificate_is_refused_when_level_can_be_won(site: Site) -> None:
    assert done(site, "certificates", text=LEVEL)["error"] == "it can be won"
    assert "z" in done(site, "certificates", text=LEVEL, actors=["z"])["error"]
    assert (
        site.client.post("/api/certificates", json={"text": LEVEL, "position": "nowhere"}).status_code == 422
    )


@pytest.mark.parametrize("most", ["LARGEST_CERTIFICATE", "MOST_POSITIONS"])
def test_certificate_is_refused_when_too_large(monkeypatch: pytest.MonkeyPatch, most: str) -> None:
    monkeypatch.setattr(analysis, most, 0)
    level = gp.read("#####\n#@$ #\n#  .#\n#####\n")[0]
    with pytest.raises(gp.GridproofError, match="too large for a page"):
        analysis._certify(level, None, gp.Limit(), lambda _: None)


def test_pack_analysis_goes_level_by_level(site: Site) -> None:
    result = done(site, "analyses/packs", text=PACK)["result"]
    assert (result["done"], result["levels"]) == (2, 2)
    assert result["pack"]["duplicates"] == [["1", "2"]]
    tables = [part for part in result["report"]["parts"] if part["kind"] == "table"]
    assert [row[:2] for row in tables[0]["rows"]] == [["1", "One"], ["2", "Two"]]


def test_pack_analysis_reports_partial_results() -> None:
    told: list[dict[str, Any]] = []
    levels = list(gp.read(PACK))
    last = analysis._analyse_pack("", levels, 10.0, gp.Limit(seconds=60), told.append)
    assert [one["done"] for one in told] == [1, 2]
    assert told[-1] == last
    assert told[0]["report"]["lead"] == "1 level as a whole. Not analysed yet: 1 level."


def test_pack_analysis_ends_at_time_limit() -> None:
    last = analysis._analyse_pack("Mine", list(gp.read(PACK)), 10.0, gp.Limit(seconds=0), lambda _: None)
    assert (last["done"], last["levels"], last["report"]["title"]) == (1, 2, "Mine")


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("analyses", {"text": "nonsense"}, 422),
        ("analyses", {"text": "####\n#@@#\n####\n"}, 422),
        ("analyses", {"text": "#" * 300_000}, 413),
        ("analyses", {"text": LEVEL, "seconds": 0}, 400),
        ("analyses/packs", {}, 400),
        ("analyses/packs", {"pack": "sokoban/first-steps", "text": PACK}, 400),
        ("analyses/packs", {"pack": "sokoban/nowhere"}, 404),
    ],
)
def test_analysis_refuses_invalid_request(site: Site, path: str, asked: dict[str, Any], status: int) -> None:
    answer = site.client.post(f"/api/{path}", json=asked)
    assert (answer.status_code, bool(answer.json()["error"]["text"])) == (status, True)
