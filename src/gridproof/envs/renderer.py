"""Rendering of environments: as text, as a picture in pixels, or on the terminal."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position

MODES = ("ansi", "rgb_array", "human")


def check_mode(mode: str | None) -> str | None:
    """Return the mode; GridproofError when there is no such mode."""
    if mode is not None and mode not in MODES:
        raise GridproofError(f"no render mode {mode!r}: there are {', '.join(MODES)}")
    return mode


def render_position(position: Position[Any], mode: str | None) -> Any:
    """Return a position as text ("ansi") or as uint8 (height, width, 3) ("rgb_array"), or print it ("human")."""
    if mode == "ansi":
        return f"{position}\n"
    if mode == "rgb_array":
        return pixels(position)
    if mode == "human":
        _print(position)
    return None


def pixels(position: Position[Any]) -> np.ndarray[Any, Any]:
    """Return the picture of a position, uint8 (height, width, 3), as in notebooks.

    GridproofError when the game has no pictures, or cairosvg and Pillow are not installed.
    """
    try:
        import cairosvg
        from PIL import Image
    except (ImportError, OSError) as error:
        raise GridproofError(
            f"pictures in pixels need the extra `envs` and the library cairo: {error}"
        ) from None
    pictures = position.level.game.look.pictures
    if pictures is None:
        raise GridproofError(f"{position.level.game.name} has no pictures")
    png = cairosvg.svg2png(pictures.svg(position).encode(), background_color="white")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def _print(position: Position[Any]) -> None:
    from rich.console import Console

    from gridproof.pictures.terminal_colours import paint

    Console(highlight=False).print(paint(position.level.game.look.board(position)))
