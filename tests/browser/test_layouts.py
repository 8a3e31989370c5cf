"""Whole pages, laid out with a font that is the same everywhere: nothing is cut off, covered or too small for a finger, and
everything is where it was when somebody looked at it.

`pytest tests/browser/test_layouts.py --snapshot-update` keeps the layouts anew; look at the pages then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from tests.browser import driver, even_font
from tests.browser.conftest import profile, serving
from tests.browser.test_accessibility import STATES

pytestmark = [pytest.mark.slow, pytest.mark.long]
SIZES = {"phone": (360, 640), "tablet": (768, 1024), "desktop": (1280, 800)}
LAYOUTS = Path(__file__).parent / "layouts"
NEAR = 3
"""Pixels by which browsers may differ."""
KEPT = [
    *(state for state in STATES if state.startswith("playing")),
    "start", "go on", "levels", "open", "nothing there", "a hint", "won", "lost", "watching", "conversing",
    "making a level", "drawing", "asking", "asked", "analysed", "a claim is shown", "a pack is analysed",
    "Help", "Levels", "Share", "Race", "Settings",
]  # fmt: skip
"""Whose layouts are kept."""
_FOUND = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")
_SECONDS = re.compile(r"\d+\.\d+ s\b")
_LINE = re.compile(r"(-?\d+),(-?\d+) (\d+)x(\d+) (.*)")


@pytest.fixture(scope="module", params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def own_server(size: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on which nobody has reached anything."""
    with serving(tmp_path_factory.mktemp(size)) as found:
        yield found


@pytest.fixture
def even_page(chromium: Any, own_server: str, size: str) -> Iterator[Any]:
    """A page whose style sheets may be added to."""
    width, height = SIZES[size]
    phone = size == "phone"
    with profile(
        chromium, own_server, viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone,
        bypass_csp=True, reduced_motion="reduce", color_scheme="light",
    ) as context:  # fmt: skip
        yield context.new_page()


def _laid_out(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_FOUND)
    return found


def _text(light: dict[str, Any], dark: dict[str, Any]) -> str:
    """What is seen, a line each: where it is, its colours in light and dark, what it is and says."""
    lines = []
    for one, other in zip(light["boxes"], dark["boxes"], strict=True):
        x, y, width, height = one["box"]
        colours = " ".join("/".join(map(_short, each["colours"])) for each in (one, other))
        name = _SECONDS.sub("some s", one["name"])
        lines.append(f"{x},{y} {width}x{height} {colours} {name}\n")
    return "".join(lines)


def _short(colour: str) -> str:
    return "-" if colour == "rgba(0, 0, 0, 0)" else "".join(colour.split())


def _differences(here: str, kept: str) -> list[str]:
    """The lines in which two layouts differ by more than browsers do."""
    pairs = zip_longest(here.splitlines(), kept.splitlines(), fillvalue="")
    return [f"{one!r} was {other!r}" for one, other in pairs if not _near(one, other)]


def _near(one: str, other: str) -> bool:
    found, kept = _LINE.fullmatch(one), _LINE.fullmatch(other)
    if not (found and kept and found[5] == kept[5]):
        return False
    return all(abs(int(found[part]) - int(kept[part])) <= NEAR for part in range(1, 5))


@pytest.mark.parametrize("state", list(STATES))
def test_layout_is_unchanged(even_page: Any, size: str, state: str, request: pytest.FixtureRequest) -> None:
    STATES[state](even_page)
    driver.judged(even_page)
    even_page.add_style_tag(content=even_font.style())
    even_page.evaluate("document.fonts.load('16px Even').then(() => document.fonts.ready).then(() => null)")
    even_page.locator(".toast").wait_for(state="detached")
    light = _laid_out(even_page)
    assert not light["clipped"]
    assert not light["overlapping"]
    assert size != "phone" or not light["small"]
    even_page.emulate_media(color_scheme="dark")
    if state not in KEPT or size == "tablet":
        return
    text, path = _text(light, _laid_out(even_page)), LAYOUTS / f"{state.replace('/', ' ')} {size}.txt"
    if request.config.option.update_snapshots:
        LAYOUTS.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert not _differences(text, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("clipped", ".tools button { width: 30px; flex: none; min-width: 0 !important; overflow: hidden; }"),
        ("overlapping", ".tools { gap: 0; } .tools button { margin-left: -20px; }"),
        ("small", ".tools button { min-height: 0 !important; height: 20px; }"),
    ],
)
def test_layout_faults_are_found(even_page: Any, fault: str, rule: str) -> None:
    STATES["playing shiftit/boards"](even_page)
    assert not _laid_out(even_page)["clipped"]
    even_page.add_style_tag(content=rule)
    assert _laid_out(even_page)[fault]


def test_layout_changes_are_found() -> None:
    kept = "8,60 100x40 red/- red/- button\n8,110 100x40 red/- red/- button\n"
    assert not _differences(kept.replace("8,60 100", "9,62 101"), kept)
    for changed in (kept.replace("8,60", "18,60"), kept.replace("red", "blue", 1), kept[:34], kept + kept):
        assert _differences(changed, kept)
