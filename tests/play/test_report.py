"""Reports: one page of HTML that needs nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import gridproof as gp
from gridproof.play.report import Report


def made() -> tuple[Report, gp.Trace]:
    level = gp.levels_at("null/first/2")[0]
    trace = gp.solve(level).trace
    assert trace is not None
    report = Report("Titles & <tags>", "A lead.")
    report.section("Section", "Text.")
    report.paragraph("More <b>text</b>.")
    report.picture(level.start(), "The start")
    report.table(["a", "b"], [["1", "<2>"]])
    report.trace(trace, "A walk")
    report.trace(gp.Trace(level.start()), "Nothing done")
    return report, trace


def test_the_page_needs_nothing_else_and_escapes_what_it_is_told() -> None:
    html = made()[0].html()
    HTMLParser().feed(html)
    assert not re.search(r'(src|href)="', html)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert "Titles &amp; &lt;tags&gt;" in html
    assert "More &lt;b&gt;text&lt;/b&gt;." in html
    assert "<td>&lt;2&gt;</td>" in html


def test_stepping_through_shows_every_position() -> None:
    report, trace = made()
    first, second = re.findall(r'<script type="application/json">(.*?)</script>', report.html())
    data = json.loads(first)
    assert len(data["captions"]) == len(trace.steps) + 1
    assert all(len(looks) == len(data["captions"]) for looks in data["cells"])
    assert len(data["cells"]) == len({p.walker for p in trace.positions()})  # type: ignore[attr-defined]
    assert {number for looks in data["cells"] for number in looks} == set(range(len(data["looks"])))
    assert json.loads(second)["cells"] == []
    for number in range(len(data["cells"])):
        assert f'id="gp-0-{number}"' in report.html()


def test_it_is_saved_whole(tmp_path: Path) -> None:
    report = made()[0]
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.html()
