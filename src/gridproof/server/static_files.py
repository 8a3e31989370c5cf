"""Static files by name, read once: requests never reach the disk."""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.resources
import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from gridproof.pictures.palette import LIGHT, THEMES, ink_on
from gridproof.server.bundle import is_module, read_bundle

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
APP = "app.js"
"""The page's first module."""
WORKER = "sw.js"
UNCACHED = {"index.html", WORKER, "manifest.webmanifest"}
"""Files that the service worker does not store under their own address."""
LEVEL = 6
"""Level of compression: pages are compressed for each request."""
SMALL = 512
"""Bytes of content that is not compressed."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's content."""

    content: bytes
    gzipped: bytes
    """The content compressed; b"" if that is not worth it."""
    type: str
    tag: str
    immutable: bool = False
    """True if the name depends on the content, so that browsers need not ask for it again."""


class StaticFiles:
    """Files of a folder and its folders, the style sheet of the palette, and the bundle of the modules if there is one."""

    def __init__(self, folder: Traversable | None = None, bundle: Traversable | None = None) -> None:
        package = importlib.resources.files(__package__)
        contents = {name: found.read_bytes() for name, found in _list_files(folder or package / "static", "")}
        contents["palette.css"] = palette_css().encode()
        self.app = APP
        """The name of the first module, or of the bundle of all."""
        found = read_bundle(bundle or package / "static_bundle", contents)
        if found is not None:
            self.app = f"bundle/{found[0]}"
            contents[self.app] = found[1]
        if WORKER in contents:
            contents[WORKER] = _fill_worker(contents, self.app)
        self.files = {
            name: _kept_file(name, content, name.startswith("bundle/")) for name, content in contents.items()
        }

    def get(self, name: str) -> StaticFile | None:
        """Return a file by its name; None if there is none."""
        return self.files.get(name)


def _list_files(folder: Traversable, before: str) -> list[tuple[str, Traversable]]:
    if not folder.is_dir():
        return []
    found: list[tuple[str, Traversable]] = []
    for item in folder.iterdir():
        name = f"{before}{item.name}"
        found += _list_files(item, f"{name}/") if item.is_dir() else [(name, item)]
    return found


def make_file(name: str, content: bytes, immutable: bool = False) -> StaticFile:
    """Return a file, compressed too."""
    ending = "." + name.rpartition(".")[2]
    kind = TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    gzipped = gzip.compress(content, LEVEL, mtime=0) if len(content) > SMALL else b""
    gzipped = gzipped if len(gzipped) < len(content) else b""
    return StaticFile(content, gzipped, kind, f'W/"{_digest(content)}"', immutable)


_kept_file = functools.lru_cache(maxsize=256)(make_file)
"""Files of a folder: several servers of a process compress them once. Pages differ, so they are not kept here."""


def _fill_worker(contents: Mapping[str, bytes], app: str) -> bytes:
    """Return the service worker with the addresses of the files that it stores, and a version that changes with any file."""
    names = [name for name in contents if name not in UNCACHED and (app == APP or not is_module(name))]
    names += [app] if app not in names else []
    version = _digest(b"".join(f"{name} {_digest(contents[name])}\n".encode() for name in sorted(contents)))
    text = contents[WORKER].decode()
    text = text.replace(
        "const FILES = []", f"const FILES = {json.dumps([f'/static/{name}' for name in sorted(names)])}"
    )
    return text.replace('const VERSION = ""', f'const VERSION = "{version}"').encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


# -- the palette, so that the page has the colours of the pictures


@functools.cache
def palette_css() -> str:
    """Return the custom properties of each colour, light and dark, and the classes of pieces."""
    dark = _shades("dark")
    rules = [
        f":root{{{_shades('light')}}}",
        f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}',
        f':root[data-theme="dark"]{{{dark}}}',
        *(
            f".gp-f-{name}{{fill:var(--gp-{name})}}.gp-s-{name}{{stroke:var(--gp-{name})}}.gp-i-{name}{{fill:var(--gp-on-{name})}}"
            for name in LIGHT
        ),
    ]
    return "\n".join(rules) + "\n"


def _shades(theme: str) -> str:
    shades = THEMES[theme]
    return "".join(f"--gp-{name}:{shade};--gp-on-{name}:{ink_on(shade)};" for name, shade in shades.items())
