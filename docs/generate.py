"""Generate parts of the documentation from the code: tables of clauses, propositions and parameters, the reference."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import mkdocs_gen_files

import gridproof as gp
from gridproof.core.game import Proposition
from gridproof.core.generate import parameters_of
from gridproof.core.look import COLOURS, SHAPES, Piece
from gridproof.core.proposition import COMMON
from gridproof.core.text.level_lookup import pack_names
from gridproof.pictures.palette import MARKS, shade
from gridproof.pictures.shapes import DRAW, Brush

sys.path.insert(0, str(Path(__file__).parent.parent))  # the tests, which carry the numbers of clauses

from docs import notebooks
from tests.clauses import clause_table

ROOT = Path(__file__).parent.parent
GAMES = "gridproof.games"
COLOURS_OF = {
    "floor": "floor",
    "ground": "grey",
    "wall": "stone",
    "box": "brown",
    "bomb": "dark",
    "light": "yellow",
    "star": "yellow",
}
"""Colours of shapes that are seldom blue."""


def write(path: str, text: str) -> None:
    """Write a page of the site."""
    with mkdocs_gen_files.open(path, "w") as file:
        file.write(text)


def write_clauses(page: Path) -> None:
    """Write a game's page, with its generated table of clauses at the end."""
    clauses = clause_table(gp.game(page.stem), ROOT)
    write(f"games/{page.name}", f"{page.read_text(encoding='utf-8')}\n{clauses}")


def summary(docstring: str | None) -> str:
    """Return the first line of a docstring, for a cell of a table."""
    return (docstring or "").partition("\n")[0].replace("|", "\\|")


def table(first: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and their meanings."""
    lines = [
        f"| {first} | meaning |",
        "| --- " * (first.count("|") + 2) + "|",
        *(f"| {name} | {meaning} |" for name, meaning in rows),
    ]
    return "\n".join(lines) + "\n"


def write_modules(page: Path) -> None:
    """Write the page of the architecture, with a table of all modules."""
    package = ROOT / "src/gridproof"
    rows = [
        (
            f"`{path.relative_to(package)}`",
            summary(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))),
        )
        for path in sorted(package.rglob("*.py"))
    ]
    write(page.name, f"{page.read_text(encoding='utf-8')}\n{table('module', rows)}")


def shown_games() -> list[gp.Game]:
    """Return the games that have a page."""
    return [gp.game(path.stem) for path in sorted((ROOT / "docs/games").glob("*.md"))]


def of_game(game: gp.Game, first: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a table under the name of a game."""
    return f"\n### {game.title}\n\n{table(first, rows)}"


def proposition_rows(items: Iterable[Proposition]) -> Iterator[tuple[str, str]]:
    """Yield the spelling and the meaning of each proposition."""
    for item in items:
        needed = len(item.parameters) - item.optional
        names = [name if number < needed else f"[{name}]" for number, name in enumerate(item.parameters)]
        yield f"`{item.name}({','.join(names)})`" if names else f"`{item.name}`", item.meaning


def write_propositions(page: Path) -> None:
    """Write the page of solving, with the goals and measures of each game."""
    parts = [page.read_text(encoding="utf-8"), "\nIn every game:\n\n"]
    parts.append(table("proposition", proposition_rows(COMMON)))
    for game in shown_games():
        own = [item for item in game.propositions if item.name not in {common.name for common in COMMON}]
        measures = ((f"`{measure.name}`, to minimise", measure.meaning) for measure in game.measures)
        parts.append(of_game(game, "proposition", [*proposition_rows(own), *measures]))
    write(page.name, "".join(parts))


def write_parameters(page: Path) -> None:
    """Write the page of generating, with the parameters of each game."""
    parts = [page.read_text(encoding="utf-8")]
    for game in shown_games():
        rows = [(", ".join(f"`{text}`" for text in item.forms), item.meaning) for item in parameters_of(game)]
        parts.append(of_game(game, "parameter", rows))
    write(page.name, "".join(parts))


def draw_shape(shape: str) -> str:
    """Return a shape as an SVG document."""
    colours = (
        ("blue", "orange", "green", "purple") if shape == "quarters" else (COLOURS_OF.get(shape, "blue"),)
    )
    body = DRAW[shape](Piece(shape, "", shape, colours), Brush("light"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="40" height="40">{body}</svg>'
    )


def swatch(colour: str, theme: str) -> str:
    """Return a colour in a theme, as a cell of a table."""
    code = shade(colour, theme)
    return f'<span style="background:{code};padding:0 .8em;border:1px solid #8d95a5"></span> `{code}`'


def pieces_of(game: gp.Game) -> Mapping[str, Piece]:
    """Return the pieces of a game's packs by name, one piece for each glyph."""
    found: dict[str, Piece] = {}
    levels = (level for name in pack_names(game) for level in gp.levels_at(f"{game.name}/{name}")[:1])
    for level in levels:
        for piece in (piece for row in game.look.board(level.start()) for cell in row for piece in cell):
            if piece.glyph.strip():
                found.setdefault(piece.glyph, piece)
    return {piece.name: piece for _, piece in sorted(found.items())}


def write_shapes(page: Path) -> None:
    """Write the page of shapes, with all shapes, colours, and the glyphs of each game."""
    for shape in SHAPES:
        write(f"pictures/shapes/{shape}.svg", draw_shape(shape))
    shapes = [
        (f"`{shape}` | ![{shape}](pictures/shapes/{shape}.svg)", summary(DRAW[shape].__doc__))
        for shape in SHAPES
    ]
    colours = [
        (f"`{name}` | {swatch(name, 'light')} | {swatch(name, 'dark')}", MARKS.get(name, ""))
        for name in COLOURS
    ]
    parts = [
        page.read_text(encoding="utf-8"),
        "\n",
        table("shape | drawn", shapes),
        "\n## Colours\n\nSome colours also have a mark, for readers who cannot distinguish the colours. ",
        'A colour can also be given as `"#rrggbb"`.\n\n',
        table("colour | light | dark", colours).replace("meaning |\n", "mark |\n"),
        "\n## Glyphs\n\nThese glyphs are used on text boards; a pile shows its top piece with a glyph.\n",
    ]
    for game in shown_games():
        pieces = pieces_of(game).values()
        rows = [(f"`` {piece.glyph} `` | `{piece.shape}`", piece.name) for piece in pieces]
        parts.append(of_game(game, "glyph | shape", rows))
    write(page.name, "".join(parts))


def write_results(page: Path) -> None:
    """Write the page of the benchmarks, with the results."""
    results = (ROOT / "benchmarks/RESULTS.md").read_text(encoding="utf-8").split("\n\n", 2)[2]
    below = re.sub("^## ", "### ", results, flags=re.MULTILINE)
    text = page.read_text(encoding="utf-8").replace("(../benchmarks/RESULTS.md)", "(#results)")
    write(page.name, f"{text}\n{below}")


def write_notebooks() -> None:
    """Write the notebooks as pages."""
    for path in sorted(notebooks.FOLDER.glob("*.ipynb")):
        write(f"notebooks/{path.stem}.md", notebooks.to_page(notebooks.read_notebook(path.stem)))


def write_names() -> None:
    """Write the list of public names, each with its meaning and a link."""
    values = [(name, getattr(gp, name)) for name in gp.__all__]
    rows = [
        (f"[`{name}`][{value.__module__}.{name}]", summary(inspect.getdoc(value))) for name, value in values
    ]
    intro = "# gridproof\n\n`import gridproof as gp` provides these names; they are imported lazily.\n\n"
    write("reference/gridproof.md", intro + table("name", rows))


def packages() -> Iterator[tuple[str, Path]]:
    """Yield the packages, and the package of each game."""
    for prefix, folder in (("gridproof", ROOT / "src/gridproof"), (GAMES, ROOT / "src/gridproof/games")):
        for module in pkgutil.iter_modules([str(folder)]):
            name = f"{prefix}.{module.name}"
            if module.ispkg and name != GAMES:
                yield name, folder / module.name


def write_package(name: str, folder: Path) -> None:
    """Write the reference of a package, from the docstrings of its modules."""
    paths = [path.relative_to(folder).with_suffix("") for path in sorted(folder.rglob("*.py"))]
    modules = [".".join((name, *path.parts)).removesuffix(".__init__") for path in paths]
    title = name.removeprefix("gridproof.")
    write(f"reference/{title}.md", f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules))


for path in sorted((ROOT / "docs/games").glob("*.md")):
    write_clauses(path)
write_modules(ROOT / "docs/architecture.md")
write_propositions(ROOT / "docs/solving.md")
write_parameters(ROOT / "docs/generating.md")
write_shapes(ROOT / "docs/shapes.md")
write_results(ROOT / "docs/benchmarks.md")
write_notebooks()
write_names()
for package, place in packages():
    write_package(package, place)
