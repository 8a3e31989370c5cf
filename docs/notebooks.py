"""Notebooks in `examples/notebooks`, and their pages in the documentation.

`make tables` writes those of the games from the statements in `docs/statements`, and runs the others again.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs.specifications import GAMES, HORIZON, Lesson, Statement, head_parts, read_lesson

import gridproof as gp
from gridproof.core.text.files import write

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
WRITTEN = ("state-space", "learning", "corpus")
"""Notebooks whose cells are written by hand."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
INTRODUCTION = """\
# {title}: from specification to proof

*{notation}*

{lesson}

Run the cells from the first to the last. Each section quotes the document, says what the sentence means, and asks the prover. \
Then a certificate is written, and a short program verifies it by the rules alone. \
The page *From specification to proof* of the documentation has the same statements.
"""


class Cell(NamedTuple):
    """A cell of a notebook, before it is run."""

    kind: str
    """"markdown" or "code"."""
    name: str
    source: str


def list_cells(lesson: Lesson) -> Iterator[Cell]:
    """Yield the cells of a lesson."""
    title = gp.game(lesson.game).title
    text = INTRODUCTION.format(title=title, notation=lesson.notation, lesson=lesson.lesson.strip())
    yield Cell("markdown", "introduction", text)
    yield Cell("code", "import", "import gridproof as gp")
    level = ""
    for statement in lesson.statements:
        yield Cell("markdown", statement.name, "\n\n".join(head_parts(statement, "##")))
        if statement.level not in ("", level):
            level = statement.level
            yield Cell("code", f"{statement.name}-level", level_code(lesson, level))
        if statement.formula:
            yield from check_cells(lesson, statement)
        if statement.claim:
            yield from claim_cells(lesson, statement)
    exercise = lesson.exercise
    yield Cell("markdown", "exercise", f"## Your turn\n\n{exercise['text']}")
    yield Cell("code", "exercise-level", level_code(lesson, exercise["level"]))
    code = f'formula = "{exercise["formula"]}"\nverdict = gp.check(level, formula)\nprint(verdict.sentence())'
    yield Cell("code", "exercise-check", code)


def level_code(lesson: Lesson, name: str) -> str:
    """Return the code that loads a level and shows its board."""
    text = lesson.levels.get(name)
    loaded = f'level = gp.level("{name}")' if text is None else f'(level,) = gp.read("""\\\n{text}""")'
    return f"{loaded}\nlevel.start()"


def check_cells(lesson: Lesson, statement: Statement) -> Iterator[Cell]:
    """Yield the cells that decide a formula, replay the trace, and write and verify the certificate."""
    actors = f', actors="{statement.actors}"' if statement.actors else ""
    lines = [
        f'formula = "{statement.formula}"',
        f"verdict = gp.check(level, formula{actors})",
        "print(verdict.sentence())",
    ]
    positions = [] if statement.is_large else ['print(verdict.states, "positions")']
    yield Cell("code", f"{statement.name}-check", "\n".join(lines + positions))
    verdict = gp.check(lesson.level(statement.level), statement.formula, actors=statement.actors)
    yield from trace_cells(statement, verdict, "verdict")
    if statement.example:
        lines = [f'example = gp.check(level, "{statement.example}")', "print(*example.trace.actions)"]
        code = "\n".join([*lines, "example.trace.replay()"])
        yield Cell("markdown", f"{statement.name}-occurs", "The condition occurs, for example here:")
        yield Cell("code", f"{statement.name}-example", code)
    path = f"{statement.name}.gz"
    code = f'gp.certify(level, "{path}", formula=formula{actors})\ngp.verify("{path}", level)'
    yield Cell("code", f"{statement.name}-certificate", code)


def claim_cells(lesson: Lesson, statement: Statement) -> Iterator[Cell]:
    """Yield the cells that decide a claim up to a last time; with its trace, if there is no formula."""
    code = f"claim = gp.claims(level, horizon={HORIZON})[{statement.claim - 1}]\nprint(f"
    code += '"Claim {claim.number} {claim.answer}: {claim.statement}")'
    yield Cell("code", f"{statement.name}-claim", code)
    if not statement.formula:
        claim = gp.claims(lesson.level(statement.level), horizon=HORIZON)[statement.claim - 1]
        yield from trace_cells(statement, claim, "claim")


def trace_cells(statement: Statement, verdict: gp.Verdict, name: str) -> Iterator[Cell]:
    """Yield the cell that replays a trace, if there is one."""
    if verdict.trace is not None:
        shown = f'print("The {verdict.shows}:", *{name}.trace.actions)'
        loop = (
            [] if verdict.trace.loop is None else [f'print("and again from action", {name}.trace.loop + 1)']
        )
        code = "\n".join([shown, *loop, f"{name}.trace.replay()"])
        yield Cell("code", f"{statement.name}-trace", code)


def split_lines(text: str) -> list[str]:
    """Return a text as notebooks store it."""
    return text.splitlines(keepends=True)


def run_cell(source: str, number: int, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell, and return its outputs: what it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"cell {number}", "exec"), names)
        code = (
            compile(ast.Expression(last.value), f"cell {number}", "eval")
            if isinstance(last, ast.Expr)
            else None
        )
        value = eval(code, names) if code else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": split_lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": split_lines(repr(value)), "text/html": split_lines(value._repr_html_())}
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return outputs


def run_cells(cells: Iterable[Cell]) -> dict[str, Any]:
    """Run cells in the present folder, and return the notebook with their outputs."""
    found, names, number = list[dict[str, Any]](), dict[str, Any](), 0
    for cell in cells:
        stored: dict[str, Any] = {"cell_type": cell.kind, "id": cell.name, "metadata": {}}
        stored["source"] = split_lines(cell.source.strip())
        if cell.kind == "code":
            number += 1
            stored |= {"execution_count": number, "outputs": run_cell(cell.source, number, names)}
        found.append(stored)
    return {"cells": found, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def make_notebook(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as a notebook, with the outputs of its cells."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return run_cells(list_cells(lesson))


def read_notebook(name: str) -> dict[str, Any]:
    """Return a stored notebook."""
    notebook: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return notebook


def rerun_notebook(name: str) -> dict[str, Any]:
    """Run the cells of a stored notebook again, in its folder."""
    cells = read_notebook(name)["cells"]
    with contextlib.chdir(FOLDER):
        return run_cells(Cell(cell["cell_type"], cell["id"], "".join(cell["source"])) for cell in cells)


def write_notebook(name: str, notebook: dict[str, Any]) -> None:
    """Store a notebook."""
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    write(FOLDER / f"{name}.ipynb", f"{text}\n")


# -- pages


def to_page(notebook: dict[str, Any]) -> str:
    """Return a notebook as a page in Markdown, with the outputs of its cells."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _page_parts(cell)) + "\n"


def _page_parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield _fence("python", source)
    for output in cell["outputs"]:
        if "text" in output:
            yield _fence("text", "".join(output["text"]).rstrip())
        else:
            yield re.sub(
                r"\n\s*\n", "\n", "".join(output["data"]["text/html"])
            ).strip()  # a blank line ends HTML


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


if __name__ == "__main__":
    for game in GAMES:
        write_notebook(game, make_notebook(read_lesson(game)))
    for name in WRITTEN:
        write_notebook(name, rerun_notebook(name))
