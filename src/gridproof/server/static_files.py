"""Static files by name, read once: requests never reach the disk."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import mimetypes
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from gridproof.pictures.palette import LIGHT, THEMES, ink_on

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's content."""

    content: bytes
    type: str
    tag: str


class StaticFiles:
    """Files of a folder and its folders, and the style sheet of the palette."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder or importlib.resources.files(__package__) / "static"
        contents = {name: found.read_bytes() for name, found in _list_files(self._folder, "")}
        contents["palette.css"] = palette_css().encode()
        self.files = {name: _file(name, content) for name, content in contents.items()}

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


def _file(name: str, content: bytes) -> StaticFile:
    ending = "." + name.rpartition(".")[2]
    kind = TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return StaticFile(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


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
