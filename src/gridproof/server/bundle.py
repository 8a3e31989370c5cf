"""Bundle of the page's modules: one file that esbuild makes, whose name depends on its content.

`make bundle` makes it in a checkout, and the build of a wheel makes it if esbuild is there. The server uses a bundle only if
it was made of the modules that the server has. This file needs the standard library alone, since builds run it, too.

python -P bundle.py ESBUILD
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

ENTRY = "app.js"
"""The module that imports all others."""
ALONE = ("sw.js", "theme.js")
"""Scripts that are no modules."""
MANIFEST = "manifest.json"
STATIC = Path(__file__).parent / "static"
FOLDER = Path(__file__).parent / "static_bundle"


def is_module(name: str) -> bool:
    """Return whether a file is one of the page's modules."""
    return name.endswith(".js") and name not in ALONE


def digest_modules(contents: Mapping[str, bytes]) -> str:
    """Return the digest of the modules among some files."""
    parts = {name: hashlib.sha256(contents[name]).hexdigest() for name in contents if is_module(name)}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def read_bundle(folder: Traversable, contents: Mapping[str, bytes]) -> tuple[str, bytes] | None:
    """Return the name and the content of the bundle of some files; None if there is none."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return None
    data = json.loads(manifest.read_text(encoding="utf-8"))
    if data["modules"] != digest_modules(contents):
        return None
    return data["file"], (folder / data["file"]).read_bytes()


def write_bundle(esbuild: str, folder: Path = FOLDER) -> None:
    """Write the bundle of the page's files, in place of an older one."""
    shutil.rmtree(folder, ignore_errors=True)
    options = ["--bundle", "--minify", "--format=esm", "--charset=utf8", "--log-level=warning"]
    names = [f"--outdir={folder}", "--entry-names=[name]-[hash]"]
    subprocess.run([esbuild, STATIC / ENTRY, *options, *names], check=True)  # noqa: S603  # our own arguments
    (file,) = folder.iterdir()
    found = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*.js")}
    manifest = {"file": file.name, "modules": digest_modules(found)}
    (folder / MANIFEST).write_text(json.dumps(manifest) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_bundle(sys.argv[1])
