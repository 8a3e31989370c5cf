"""The palette of the pictures as a style sheet, so that the page has one set of colours with them."""

from __future__ import annotations

import functools

from gridproof.pictures.palette import LIGHT, THEMES, ink_on


@functools.cache
def palette_css() -> str:
    """Custom properties for each colour, light and dark, and the classes that pieces are painted with."""
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
