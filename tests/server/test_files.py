"""The page's own files."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from tests.server.sites import Site

from gridproof.pictures.palette import DARK, LIGHT
from gridproof.server.bundle import STATIC, digest_modules, is_module, write_bundle
from gridproof.server.page_document import page_document
from gridproof.server.static_files import StaticFiles, palette_css

ESBUILD = """#!/usr/bin/env python3
import pathlib, sys
(folder,) = [text.partition("=")[2] for text in sys.argv if text.startswith("--outdir=")]
pathlib.Path(folder).mkdir()
pathlib.Path(folder, "app-ABCD1234.js").write_text("// the bundle of " + pathlib.Path(sys.argv[1]).name)
"""
"""A stand-in of esbuild."""


@pytest.fixture
def plain(tmp_path: Path) -> StaticFiles:
    """The files of a server without a bundle, also in a checkout that has one."""
    return StaticFiles(bundle=tmp_path / "none")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The folder of a bundle."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    modules = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*.js")}
    (folder / "app-XYZ.js").write_bytes(b"// all modules")
    (folder / "manifest.json").write_text(
        json.dumps({"file": "app-XYZ.js", "modules": digest_modules(modules)})
    )
    return folder


def stored(files: StaticFiles) -> set[str]:
    """The files that the service worker stores."""
    return set(re.findall(r'"/static/([^"]+)"', files.files["sw.js"].content.decode()))


def test_offline_cache_holds_all_files_of_page(plain: StaticFiles) -> None:
    assert stored(plain) == plain.files.keys() - {"index.html", "sw.js", "manifest.webmanifest"}


def test_offline_cache_holds_bundle_in_place_of_modules(plain: StaticFiles, bundle: Path) -> None:
    modules = {name for name in plain.files if is_module(name)}
    assert stored(StaticFiles(bundle=bundle)) == stored(plain) - modules | {"bundle/app-XYZ.js"}


def test_service_worker_has_new_version_after_any_change(
    plain: StaticFiles, bundle: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "static"
    for name in ("sw.js", "style.css"):
        changed.mkdir(exist_ok=True)
        (changed / name).write_bytes((STATIC / name).read_bytes())
    workers = {plain.files["sw.js"].content, StaticFiles(bundle=bundle).files["sw.js"].content}
    workers.add(StaticFiles(changed, tmp_path / "none").files["sw.js"].content)
    (changed / "style.css").write_text("p { margin: 1px; }")
    workers.add(StaticFiles(changed, tmp_path / "none").files["sw.js"].content)
    assert len({re.search(rb'const VERSION = "([^"]+)"', worker)[1] for worker in workers}) == 4  # type: ignore[index]  # each has one
    assert plain.files["sw.js"] == StaticFiles(bundle=tmp_path / "none").files["sw.js"]


def test_bundle_is_the_page_module_and_immutable(plain: StaticFiles, bundle: Path) -> None:
    files = StaticFiles(bundle=bundle)
    document = page_document(files, "play/x", None)
    assert document is not None
    page = document.file.content.decode()
    assert page.count('<script type="module" src="/static/bundle/app-XYZ.js"></script>') == 1
    assert "modulepreload" not in page
    assert files.files["bundle/app-XYZ.js"].immutable
    assert not any(file.immutable for file in plain.files.values())


def test_bundle_of_other_modules_is_not_used(bundle: Path, tmp_path: Path) -> None:
    changed = tmp_path / "static"
    changed.mkdir()
    for name in ("index.html", "app.js", "theme.js", "sw.js"):
        (changed / name).write_bytes((STATIC / name).read_bytes())
    assert StaticFiles(changed, bundle).app == "app.js"


def test_bundle_is_written_in_place_of_an_older_one(tmp_path: Path, script: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "app-OLD.js").write_text("old")
    write_bundle(str(script), folder=folder)
    assert {path.name for path in folder.iterdir()} == {"app-ABCD1234.js", "manifest.json"}
    files = StaticFiles(bundle=folder)
    assert files.files[files.app].content == b"// the bundle of app.js"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    found = tmp_path / "esbuild"
    found.write_text(ESBUILD)
    found.chmod(0o755)
    return found


def test_page_preloads_the_modules_of_its_screen(plain: StaticFiles) -> None:
    for address, screen in (("", "start"), ("play/x", "play"), ("edit/sokoban", "edit"), (None, "start")):
        document = page_document(plain, address, None)
        assert document is not None
        names = re.findall(
            r'<link rel="modulepreload" href="/static/([^"]+)">', document.file.content.decode()
        )
        assert len(names) == len(set(names))
        assert {"app.js", "dom.js", f"screens/{screen}.js"} <= set(names) <= plain.files.keys()
        assert ("sidebar.js" in names) == (screen == "play")
    assert page_document(StaticFiles(STATIC / "screens", STATIC), "", None) is None


def test_files_are_compressed_for_clients_that_read_that(site: Site) -> None:
    for path in ("/", "/static/board.js", "/static/style.css"):
        plain = site.client.get(path, headers={"accept-encoding": "identity"})
        packed = site.client.get(path, headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.text == plain.text
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
        assert packed.headers["etag"] == plain.headers["etag"]
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        again = site.client.get(path, headers={"if-none-match": plain.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_compressed_content_is_the_content(plain: StaticFiles) -> None:
    for file in plain.files.values():
        assert not file.gzipped or gzip.decompress(file.gzipped) == file.content
    assert plain.files["first_action.js"].gzipped == b""  # too small


def test_javascript_imports_exist(plain: StaticFiles) -> None:
    files = plain.files
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
