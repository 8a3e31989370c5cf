"""Extensions: modules of fixed names in a game's package, imported on demand."""

from __future__ import annotations

import dataclasses
import sys
import types
from pathlib import Path

import pytest
from tests.extensions import put_extension, remove_extension

import gridproof as gp
from gridproof.core.editor import Editor
from gridproof.core.extension import find_extension, find_function, function_table, module_of
from gridproof.core.lazy_import import is_module

NULL = gp.game("null")


def test_extension_is_found_in_the_games_package() -> None:
    assert module_of(NULL, "editor") == "gridproof.games.null.editor"
    assert isinstance(find_extension(NULL, "editor", Editor), Editor)
    assert isinstance(find_extension(gp.game("lights_out"), "editor", Editor), Editor)


def test_game_need_not_have_an_extension() -> None:
    assert module_of(NULL, "values") == ""
    assert find_extension(NULL, "values", object) is None
    assert function_table(NULL, "commands") == {}
    assert find_function(NULL, "commands", "watch") is None


@pytest.mark.parametrize("package", ["", __name__, "__main__", "nowhere", "nowhere.at.all"])
def test_game_of_a_module_or_of_no_package_has_no_extensions(package: str) -> None:
    assert module_of(dataclasses.replace(NULL, package=package), "editor") == ""


def test_kernel_and_generator_may_have_modules_of_other_names() -> None:
    assert (NULL.kernel, NULL.generate) == ("gridproof.games.null.kernel", "")
    game = dataclasses.replace(NULL, package="", kernel="a.kernel", generate="a.maker")
    assert (module_of(game, "kernel"), module_of(game, "generator")) == ("a.kernel", "a.maker")


def test_module_of_does_not_import_the_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "asked_for"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "editor.py").write_text("1 // 0")
    monkeypatch.syspath_prepend(tmp_path)
    game = dataclasses.replace(NULL, package="asked_for")
    assert module_of(game, "editor") == "asked_for.editor"
    with pytest.raises(ZeroDivisionError):
        find_extension(game, "editor", Editor)


def test_object_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    put_extension(monkeypatch, NULL, "editor", "x")
    with pytest.raises(
        gp.GridproofError, match=r"gridproof\.games\.null\.editor has no EDITOR of the kind Editor"
    ):
        find_extension(NULL, "editor", Editor)
    monkeypatch.setitem(sys.modules, "gridproof.games.null.editor", types.ModuleType("empty"))
    with pytest.raises(gp.GridproofError, match="has no EDITOR"):
        find_extension(NULL, "editor", object)


def test_find_function_imports_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    put_extension(monkeypatch, NULL, "commands", {"is_module": "gridproof.core.lazy_import"})
    assert find_function(NULL, "commands", "is_module") is is_module
    remove_extension(monkeypatch, NULL, "commands")
    assert find_function(NULL, "commands", "is_module") is None
