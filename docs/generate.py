"""What the documentation takes from the code: each game's table of clauses, and the reference."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import mkdocs_gen_files

import gridproof as gp
from gridproof.testing.clauses import clause_table

ROOT = Path(__file__).parent.parent
GAMES = "gridproof.games"


def write(path: str, text: str) -> None:
    """A page of the site."""
    with mkdocs_gen_files.open(path, "w") as file:
        file.write(text)


def write_clauses(page: Path) -> None:
    """A game's page, with its table of clauses below what a person wrote."""
    table = clause_table(gp.game(page.stem), ROOT)
    write(f"games/{page.name}", f"{page.read_text(encoding='utf-8')}\n## Clauses, code and tests\n\n{table}")


def write_names() -> None:
    """The public names, with a line of meaning and a link to the place of each."""
    lines = [
        "# gridproof",
        "",
        "`import gridproof as gp` gives these names; they are loaded when first used.",
        "",
    ]
    lines += ["| name | meaning |", "| --- | --- |"]
    for name in gp.__all__:
        value = getattr(gp, name)
        meaning = (inspect.getdoc(value) or "").partition("\n")[0].replace("|", "\\|")
        lines.append(f"| [`{name}`][{value.__module__}.{name}] | {meaning} |")
    write("reference/gridproof.md", "\n".join(lines) + "\n")


def packages() -> Iterator[tuple[str, Path]]:
    """The rooms, and each game in the room of the games."""
    for prefix, folder in (("gridproof", ROOT / "src/gridproof"), (GAMES, ROOT / "src/gridproof/games")):
        for module in pkgutil.iter_modules([str(folder)]):
            name = f"{prefix}.{module.name}"
            if module.ispkg and name != GAMES:
                yield name, folder / module.name


def write_package(name: str, folder: Path) -> None:
    """The modules of a package, from their docstrings."""
    inside = [module.name for module in pkgutil.iter_modules([str(folder)]) if not module.ispkg]
    modules = [name, *(f"{name}.{module}" for module in inside)]
    title = name.removeprefix("gridproof.")
    write(f"reference/{title}.md", f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules))


for path in sorted((ROOT / "docs/games").glob("*.md")):
    write_clauses(path)
write_names()
for package, place in packages():
    write_package(package, place)
