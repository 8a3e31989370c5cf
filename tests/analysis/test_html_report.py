"""Reports: one page of HTML that needs nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.analysis.html_report import Report
from gridproof.analysis.level_report import page_of
from gridproof.core.look import board_text


def make_report() -> tuple[Report, gp.Trace]:
    level = gp.levels_at("null/first/2")[0]
    trace = gp.solve(level).trace
    assert trace is not None
    report = Report("Titles & <tags>", "A lead.")
    report.section("Section", "Text.")
    report.paragraph("More <b>text</b>.")
    report.picture(level.start(), "The start")
    report.table(["a", "b"], [["1", "<2>"]])
    report.trace(trace, "A walk", "Nobody walks faster & further.")
    report.trace(gp.Trace(level.start()), "Nothing done")
    return report, trace


def test_report_is_self_contained_and_escaped() -> None:
    html = make_report()[0].html()
    HTMLParser().feed(html)
    assert not re.search(r'(src|href)="', html)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert "Titles &amp; &lt;tags&gt;" in html
    assert "More &lt;b&gt;text&lt;/b&gt;." in html
    assert "<td>&lt;2&gt;</td>" in html


def test_stepper_shows_every_position() -> None:
    report, trace = make_report()
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', report.html())
    data = json.loads(text)
    positions = list(trace.positions())
    assert len(data["captions"]) == len(data["counts"]) == len(positions)
    assert data["counts"] == [f"actions {time}" for time in range(len(positions))]
    assert data["boards"] == [board_text(trace.level.game.look.board(position)) for position in positions]
    assert all(len(looks) == len(positions) for looks in data["cells"])
    assert len(data["cells"]) == len({position.walker for position in positions})  # type: ignore[attr-defined]  # null's
    assert {number for looks in data["cells"] for number in looks} == set(range(len(data["looks"])))
    for number in range(len(data["cells"])):
        assert f'id="gp-0-{number}"' in report.html()


def test_stepper_shows_counts_and_score() -> None:
    (level,) = gp.read("2048 2x2 spawn=classic target=32\n2 2\n0 0\n")
    session = gp.Session(level)
    session.act("left")
    report = Report("A score")
    report.trace(session.trace())
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', report.html())
    assert json.loads(text)["counts"] == [
        "score 0 · moves 0 · target 32",
        "score 4 · moves 1 · target 32",
    ]


def test_consecutive_cards_are_grouped_with_their_claims() -> None:
    html = make_report()[0].html()
    assert [html.count(f'class="{name}"') for name in ("cards", "card", "card trace")] == [2, 2, 1]
    proved = re.findall(r'<ul class="proved">(.*?)</ul>', html)
    assert proved == [
        "<li>Nothing is proved about it.</li>",
        "<li>Nobody walks faster &amp; further.</li><li>3 moves, replayed by the rules; the last position is won.</li>",
        "<li>0 moves, replayed by the rules; the last position is not yet won.</li>",
    ]


def test_stepper_is_accessible_and_hidden_without_scripts() -> None:
    html = make_report()[0].html()
    (controls,) = re.findall(r'<div class="controls" hidden>.*?</div>', html, re.DOTALL)
    for name in ("one action back", "one action on", "speed", "actions done"):
        assert f'aria-label="{name}"' in controls
    assert 'tabindex="0" role="group" aria-label="A walk: step with the arrow keys"' in html
    report = Report("No trace")
    report.picture(make_report()[1].start)
    assert "<script" not in report.html()
    assert "Keys" not in report.html()


def test_report_is_saved_whole(tmp_path: Path) -> None:
    report = make_report()[0]
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.html()


def test_analysis_does_not_call_a_certain_win_luck() -> None:
    analysis = gp.analyse(gp.read("2048 2x2 spawn=spec target=16\n8 4\n4 0\n")[0])
    assert "positions; it can always be won, at best in 3 moves" in str(analysis)


def test_level_report_says_that_a_win_needs_luck() -> None:
    analysis = gp.analyse(gp.read("2048 2x2 spawn=classic target=16\n2 2\n4 0\n")[0])
    assert "fewest with luck: 4 moves" in str(analysis)
    cards = [part for part in page_of(analysis).data()["parts"] if part["kind"] == "card"]
    assert cards[0]["proved"][:2] == ["It wins with luck.", "No solution has fewer."]


def test_level_report_says_that_a_certain_win_needs_no_luck() -> None:
    analysis = gp.analyse(gp.read("2048 3x2 target=8\n4 4 0\n0 0 0\n")[0])
    assert analysis.estimate is not None
    assert analysis.estimate.is_sure
    cards = [part for part in page_of(analysis).data()["parts"] if part["kind"] == "card"]
    assert cards[0]["proved"][:2] == ["It can always be won.", "No solution has fewer."]


def test_level_report_says_that_few_moves_of_a_certain_win_need_luck() -> None:
    analysis = gp.analyse(gp.read("2048 2x2 spawn=spec target=16\n8 4\n4 0\n")[0])
    cards = [part for part in page_of(analysis).data()["parts"] if part["kind"] == "card"]
    assert cards[0]["title"] == "3 moves"
    assert cards[0]["proved"][0] == "It can always be won; without luck it may take more."


def test_lost_end_of_a_trace_can_no_longer_be_won() -> None:
    analysis = gp.analyse(gp.read("######\n#@ $.#\n#    #\n######\n")[0])
    cards = [part for part in page_of(analysis).data()["parts"] if part["kind"] == "card"]
    (lost,) = [card for card in cards if card["title"] == "The shortest way to lose the win"]
    assert lost["proved"][-1].endswith("the last position can no longer be won.")


def test_level_report_numbers_rows_and_columns_as_the_board_does() -> None:
    level = gp.read("#########\n#   #   #\n#.$ @ $.#\n#   #  ##\n#########\n")[0]
    (titles,) = [
        part["rows"] for part in page_of(gp.analyse(level)).data()["parts"] if part["kind"] == "table"
    ][:1]
    assert [row[0] for row in titles] == [
        "without the box in row 3, column 3",
        "without the box in row 3, column 7",
    ]


def _answers(analysis: gp.Analysis) -> list[list[str]]:
    """Return the rows of the table of pieces of a level."""
    parts = page_of(analysis).data()["parts"]
    return next(part["rows"] for part in parts if part["kind"] == "table")


@pytest.mark.slow
def test_level_report_groups_pieces_with_the_same_answer() -> None:
    analysis = gp.analyse(gp.read("shiftit 2x2\nrbbr b\nb brbb\n")[0])
    assert _answers(analysis) == [
        ["if the tile in row 1, column 1 had a colour of its own", "cheaper: 0 shifts then"],
        ["if the tile in row 1 column 2 or row 2 column 1 had a colour of its own", "needed: it cannot be won then"],
        ["if the tile in row 2, column 2 had a colour of its own", "cheaper: 0 shifts then"],
    ]  # fmt: skip
    needed = tuple(piece for piece in analysis.pieces if piece.found is False)
    assert _answers(replace(analysis, pieces=needed)) == [
        ["if any one tile had a colour of its own", "needed: it cannot be won then"]
    ]


@pytest.mark.slow
def test_analysis_of_a_game_of_chance_tells_the_chance_from_the_start() -> None:
    analysis = gp.analyse("twenty48/standard/4")
    points = "on average 68 more points by the end of the game"
    assert f"from the start: chance to reach 16: 96 %; {points} (exact, with the best play for each)" in str(
        analysis
    )
    assert (
        f"Chance to reach 16: 96 %. {points.capitalize()}. Exact, with the best play for each."
        in analysis.report()
    )
    assert gp.analyse("sokoban/first-steps/1").estimate is None
