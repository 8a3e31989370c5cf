"""What the documentation takes from the code: tables of clauses, propositions and parameters, the reference."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import mkdocs_gen_files

import gridproof as gp
from gridproof.core.game import Proposition
from gridproof.core.generate import parameters_of
from gridproof.core.proposition import COMMON

sys.path.insert(0, str(Path(__file__).parent.parent))  # the tests, which carry the numbers of clauses

from tests.clauses import clause_table

ROOT = Path(__file__).parent.parent
GAMES = "gridproof.games"


def write(path: str, text: str) -> None:
    """A page of the site."""
    with mkdocs_gen_files.open(path, "w") as file:
        file.write(text)


def write_clauses(page: Path) -> None:
    """A game's page, with its table of clauses below what a person wrote."""
    clauses = clause_table(gp.game(page.stem), ROOT)
    write(
        f"games/{page.name}", f"{page.read_text(encoding='utf-8')}\n## Clauses, code and tests\n\n{clauses}"
    )


def summary(docstring: str | None) -> str:
    """The first line of a docstring, for a cell of a table."""
    return (docstring or "").partition("\n")[0].replace("|", "\\|")


def table(first: str, rows: Iterable[tuple[str, str]]) -> str:
    """A table of things and their meanings."""
    lines = [
        f"| {first} | meaning |",
        "| --- | --- |",
        *(f"| {name} | {meaning} |" for name, meaning in rows),
    ]
    return "\n".join(lines) + "\n"


def write_modules(page: Path) -> None:
    """The page of the architecture, with every module and what it is for below."""
    house = ROOT / "src/gridproof"
    rows = [
        (
            f"`{path.relative_to(house)}`",
            summary(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))),
        )
        for path in sorted(house.rglob("*.py"))
    ]
    write(page.name, f"{page.read_text(encoding='utf-8')}\n## Modules\n\n{table('module', rows)}")


def shown_games() -> list[gp.Game]:
    """The games that have a page."""
    return [gp.game(path.stem) for path in sorted((ROOT / "docs/games").glob("*.md"))]


def of_game(game: gp.Game, first: str, rows: Iterable[tuple[str, str]]) -> str:
    """A table under the name of a game."""
    return f"\n### {game.title}\n\n{table(first, rows)}"


def proposition_rows(items: Iterable[Proposition]) -> Iterator[tuple[str, str]]:
    """Each as it is written."""
    for item in items:
        needed = len(item.parameters) - item.optional
        names = [name if number < needed else f"[{name}]" for number, name in enumerate(item.parameters)]
        yield f"`{item.name}({','.join(names)})`" if names else f"`{item.name}`", item.meaning


def write_propositions(page: Path) -> None:
    """The page of solving, with what can be a goal in each game, and what can be minimised."""
    parts = [page.read_text(encoding="utf-8"), "\n## Propositions\n\n", "In every game:\n\n"]
    parts.append(table("proposition", proposition_rows(COMMON)))
    for game in shown_games():
        own = [item for item in game.propositions if item.name not in {common.name for common in COMMON}]
        measures = ((f"`{measure.name}`, to minimise", measure.meaning) for measure in game.measures)
        parts.append(of_game(game, "proposition", [*proposition_rows(own), *measures]))
    write(page.name, "".join(parts))


def write_parameters(page: Path) -> None:
    """The page of generating, with the parameters of each game."""
    parts = [page.read_text(encoding="utf-8"), "\n## Parameters\n"]
    for game in shown_games():
        rows = [(", ".join(f"`{text}`" for text in item.given), item.meaning) for item in parameters_of(game)]
        parts.append(of_game(game, "parameter", rows))
    write(page.name, "".join(parts))


def write_results(page: Path) -> None:
    """The page of the benchmarks, with what was measured."""
    results = (ROOT / "benchmarks/RESULTS.md").read_text(encoding="utf-8").split("\n\n", 2)[2]
    below = re.sub("^## ", "### ", results, flags=re.MULTILINE)
    write(page.name, f"{page.read_text(encoding='utf-8')}\n## Results\n\n{below}")


def write_names() -> None:
    """The public names, with a line of meaning and a link to the place of each."""
    values = [(name, getattr(gp, name)) for name in gp.__all__]
    rows = [
        (f"[`{name}`][{value.__module__}.{name}]", summary(inspect.getdoc(value))) for name, value in values
    ]
    intro = "# gridproof\n\n`import gridproof as gp` gives these names; they are loaded when first used.\n\n"
    write("reference/gridproof.md", intro + table("name", rows))


def packages() -> Iterator[tuple[str, Path]]:
    """The rooms, and each game in the room of the games."""
    for prefix, folder in (("gridproof", ROOT / "src/gridproof"), (GAMES, ROOT / "src/gridproof/games")):
        for module in pkgutil.iter_modules([str(folder)]):
            name = f"{prefix}.{module.name}"
            if module.ispkg and name != GAMES:
                yield name, folder / module.name


def write_package(name: str, folder: Path) -> None:
    """The modules of a package, from their docstrings."""
    paths = [path.relative_to(folder).with_suffix("") for path in sorted(folder.rglob("*.py"))]
    modules = [".".join((name, *path.parts)).removesuffix(".__init__") for path in paths]
    title = name.removeprefix("gridproof.")
    write(f"reference/{title}.md", f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules))


for path in sorted((ROOT / "docs/games").glob("*.md")):
    write_clauses(path)
write_modules(ROOT / "docs/architecture.md")
write_propositions(ROOT / "docs/solving.md")
write_parameters(ROOT / "docs/generating.md")
write_results(ROOT / "docs/benchmarks.md")
write_names()
for package, place in packages():
    write_package(package, place)
