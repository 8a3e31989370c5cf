"""Build hook of wheels: bundle the page's modules if esbuild is there; without it, the server serves the modules themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BundleHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling names no configuration
    """Makes the bundle before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle with the esbuild that ESBUILD names or that is on the path."""
        esbuild = os.environ.get("ESBUILD") or shutil.which("esbuild")
        if version == "editable" or esbuild is None:
            return
        script = Path(self.root) / "src" / "gridproof" / "server" / "bundle.py"
        subprocess.run([sys.executable, "-P", script, esbuild], check=True)  # noqa: S603  # our own arguments
