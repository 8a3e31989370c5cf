"""The page's own files, by their names: what a request names is looked up here, and never on the disk."""

from __future__ import annotations

import hashlib
import importlib.resources
import mimetypes
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from gridproof.play.web.palette import palette_css

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


@dataclass(frozen=True, slots=True)
class File:
    """A file's content."""

    content: bytes
    type: str
    tag: str


class Files:
    """The files of a folder and its folders, and the style sheet of the palette."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder or importlib.resources.files(__package__) / "static"
        contents = {name: found.read_bytes() for name, found in _found(self._folder, "")}
        contents["palette.css"] = palette_css().encode()
        self.known = {name: _file(name, content) for name, content in contents.items()}

    def get(self, name: str) -> File | None:
        """One of them."""
        return self.known.get(name)


def _found(folder: Traversable, before: str) -> list[tuple[str, Traversable]]:
    if not folder.is_dir():
        return []
    found: list[tuple[str, Traversable]] = []
    for item in folder.iterdir():
        name = f"{before}{item.name}"
        found += _found(item, f"{name}/") if item.is_dir() else [(name, item)]
    return found


def _file(name: str, content: bytes) -> File:
    ending = "." + name.rpartition(".")[2]
    guessed = TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
