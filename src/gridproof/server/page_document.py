"""The page as one answer: with its style sheets, its theme, the first board, and the addresses of the modules that it needs.

On a slow line every further request before the first paint costs the time of a round trip.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from dataclasses import dataclass
from html import escape

from gridproof.server.first_board import FirstBoard
from gridproof.server.middleware import POLICY
from gridproof.server.static_files import APP, StaticFile, StaticFiles, make_file

PAGE = "index.html"
_SHEET = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">\n')
_THEME = '<script src="/static/theme.js"></script>'
_MODULE = f'<script type="module" src="/static/{APP}"></script>'
_MAIN = '<main id="main" tabindex="-1">'
_IMPORT = re.compile(r'^(?:import|export) .*?"(\.[^"]+)";$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageDocument:
    """The page at an address."""

    file: StaticFile
    policy: str
    """Content security policy, with the digests of the inline style and script."""


@functools.lru_cache(maxsize=32)
def page_document(files: StaticFiles, address: str | None, board: FirstBoard | None) -> PageDocument | None:
    """Return the page at an address without its first slash, None for one without a screen; None if the files have no page."""
    page = files.get(PAGE)
    if page is None:
        return None
    sheets, theme = _inline(files)
    styles = [sheets, board.style] if board else [sheets]
    text = _SHEET.sub("", page.content.decode())
    head = [f"<style>{style}</style>" for style in styles]
    head += [f"<script>{theme}</script>", *_preloads(files, address)]
    text = text.replace(_THEME, "\n".join(head)).replace(f"/static/{APP}", f"/static/{files.app}")
    if address is not None and board is not None:
        first = _MAIN.replace(">", f' data-first="/{escape(address)}">')
        text = text.replace(_MAIN, f"{first}{board.html}")
    policy = POLICY.replace("script-src 'self'", f"script-src 'self' {_hash(theme)}")
    policy = policy.replace("style-src 'self'", " ".join(["style-src 'self'", *map(_hash, styles)]))
    return PageDocument(make_file(PAGE, text.encode()), policy)


@functools.lru_cache(maxsize=4)
def _inline(files: StaticFiles) -> tuple[str, str]:
    """Return the style sheets, joined, and the script of the theme."""
    page = files.files[PAGE].content.decode()
    sheets = [files.files[name].content.decode() for name in _SHEET.findall(page)]
    return "\n".join(sheets), files.files["theme.js"].content.decode()


@functools.lru_cache(maxsize=512)
def _hash(text: str) -> str:
    """Return a source expression of a content security policy for an inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _preloads(files: StaticFiles, address: str | None) -> list[str]:
    """Return links to what the screen at an address requests at its begin."""
    links = ['<link rel="preload" as="fetch" href="/api/start" crossorigin>'] if address == "" else []
    if files.app == APP:
        names = _modules(files, (address or "").partition("/")[0])
        links += [f'<link rel="modulepreload" href="/static/{name}">' for name in names]
    return links


@functools.lru_cache(maxsize=64)
def _modules(files: StaticFiles, screen: str) -> list[str]:
    """Return the modules that a screen imports, and those that they import, the first module among them."""
    found = dict[str, None]()
    left = [APP, f"screens/{screen}.js"]
    while left:
        name = left.pop(0)
        file = files.get(name)
        if file is not None and name not in found:
            found[name] = None
            left += [_join(name, path) for path in _IMPORT.findall(file.content.decode())]
    return list(found)


def _join(name: str, path: str) -> str:
    """Return the name of a file by its path relative to another."""
    parts = name.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
