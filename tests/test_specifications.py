"""The statements of the source documents: the page about them, and the notebooks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from docs import notebooks, specifications

import gridproof as gp


@pytest.mark.parametrize("game", specifications.GAMES)
def test_statements_cover_a_document(game: str) -> None:
    lesson = specifications.read_lesson(game)
    names = [statement.name for statement in lesson.statements]
    assert len(set(names)) == len(names) >= 5
    assert {statement.clause for statement in lesson.statements} <= gp.game(game).clauses.keys()
    used = {statement.level for statement in lesson.statements} | {lesson.exercise["level"]}
    assert used >= lesson.levels.keys()
    without = [statement for statement in lesson.statements if not (statement.formula or statement.claim)]
    assert [
        statement.name for statement in without if "No formula can say this" not in statement.settled
    ] == []


def test_statements_of_shiftit_have_all_claims() -> None:
    statements = specifications.read_lesson("shiftit").statements
    claims = {(statement.claim, statement.clause) for statement in statements if statement.claim}
    assert claims == {(claim, f"S{claim + 18}") for claim in range(1, 7)}


@pytest.mark.slow
@pytest.mark.parametrize("game", specifications.GAMES)
def test_specifications_page_is_current(game: str) -> None:
    """`make tables` writes it again."""
    page = specifications.PAGE.read_text(encoding="utf-8")
    found = re.search(
        rf"^## {gp.game(game).title}\n.*?(?=^## |\n<!-- end -->)", page, re.MULTILINE | re.DOTALL
    )
    assert found
    assert found[0].strip() == specifications.section(game).strip()


# -- the notebooks


def read_notebook(name: str) -> dict[str, Any]:
    """Return a stored notebook without its pictures."""
    return without_pictures(notebooks.read_notebook(name))


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("text/html", None)
    return notebook


@pytest.mark.slow
@pytest.mark.parametrize("game", specifications.GAMES)
def test_notebook_cells_print_what_is_stored(game: str) -> None:
    """`make tables` writes them again."""
    made = notebooks.make_notebook(specifications.read_lesson(game))
    assert without_pictures(made) == read_notebook(game)


@pytest.mark.slow
@pytest.mark.parametrize("name", notebooks.WRITTEN)
def test_written_notebook_prints_what_is_stored(name: str) -> None:
    """`make tables` runs them again."""
    assert without_pictures(notebooks.rerun_notebook(name)) == read_notebook(name)


@pytest.mark.parametrize("name", [*specifications.GAMES, *notebooks.WRITTEN])
def test_notebook_is_of_format_4_5(name: str) -> None:
    notebook = read_notebook(name)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert all(re.fullmatch(r"[\w-]{1,64}", cell["id"], re.ASCII) for cell in cells)
    code = {"cell_type", "execution_count", "id", "metadata", "outputs", "source"}
    expected = {"code": code, "markdown": code - {"execution_count", "outputs"}}
    assert [cell["id"] for cell in cells if cell.keys() != expected[cell["cell_type"]]] == []


def test_cell_has_outputs_as_in_a_notebook() -> None:
    names: dict[str, Any] = {}
    assert notebooks.run_cell("a = 1", 1, names) == []
    printed = {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
    assert notebooks.run_cell("print(a)", 2, names) == [printed]
    source = 'import gridproof as gp\nprint(a)\ngp.level("shiftit/boards/1").start()'
    first, second = notebooks.run_cell(source, 3, names)
    assert first == printed
    assert second["data"]["text/plain"] == ["gridproof.level('shiftit/boards/1').start()"]
    assert second["data"]["text/html"][0].startswith("<div><svg ")
    assert (second["output_type"], second["execution_count"]) == ("execute_result", 3)


def test_page_of_notebook_has_text_code_and_outputs() -> None:
    cells = [
        notebooks.Cell("markdown", "title", "# Title"),
        notebooks.Cell(
            "code", "board", "import gridproof as gp\nprint(1)\ngp.level('shiftit/boards/1').start()"
        ),
    ]
    page = notebooks.to_page(notebooks.run_cells(cells))
    start = "# Title\n\n```python\nimport gridproof as gp\nprint(1)\ngp.level('shiftit/boards/1').start()\n```\n\n"
    assert page.startswith(f"{start}```text\n1\n```\n\n<div><svg ")
    picture = page.partition("<div>")[2]
    assert picture.endswith("</div>\n")
    assert "\n\n" not in picture
