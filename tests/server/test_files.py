"""The page's own files."""

from __future__ import annotations

import re

from gridproof.pictures.palette import DARK, LIGHT
from gridproof.server.static_files import StaticFiles, palette_css


def test_offline_cache_holds_all_files_of_page() -> None:
    files = StaticFiles().files
    kept = set(re.findall(r'"/static/([^"]+)"', files["sw.js"].content.decode()))
    assert kept == files.keys() - {"index.html", "sw.js", "manifest.webmanifest"}


def test_javascript_imports_exist() -> None:
    files = StaticFiles().files
    for name, file in files.items():
        folder = name.rpartition("/")[0]
        for path in (
            re.findall(r'from "([^"]+)"', file.content.decode(errors="replace"))
            if name.endswith(".js")
            else ()
        ):
            parts = f"{folder}/{path}".split("/")
            found: list[str] = []
            for part in parts:
                if part == "..":
                    found.pop()
                elif part not in ("", "."):
                    found.append(part)
            assert "/".join(found) in files, (name, path)


def test_style_sheet_has_palette_of_pictures() -> None:
    css = palette_css()
    for name, shade in LIGHT.items():
        assert f"--gp-{name}:{shade};" in css
        assert f"--gp-{name}:{DARK[name]};" in css
        assert f".gp-f-{name}{{fill:var(--gp-{name})}}" in css


def test_page_has_no_inline_script_or_style() -> None:
    page = StaticFiles().files["index.html"].content.decode()
    assert not re.search(r"<style|\sstyle=|<script>|\son\w+=|https?://", page)
