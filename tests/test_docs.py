"""Every code block of the documentation is run, and what it prints is what the page shows.

What a block may be:

- `python`: run, all blocks of a page one after another in one namespace; with `>>>` as a doctest. What it
  prints stands in a `text` block right below.
- `console`: after `$ ` a command (`> ` continues it), below it what it prints; `...` stands for anything.
  It must succeed, unless `$ echo $?` follows. `make` is only asked whether it knows the target.
- any language with `title="name"`: a file that the later blocks of the page find under that name; a file in several
  blocks goes on from one to the next.
- the name of a text format (`xsb`): levels, which are read.
- `text`: an illustration.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import itertools
import os
import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
import textwrap
import tomllib
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from mkdocs.config import load_config

import gridproof as gp
from gridproof.core.registry import games

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
FENCE = re.compile(r"^([ ]*)(`{3,})(\w*)([^\n]*)\n(.*?)^\1\2[ ]*$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')
COLUMNS = 100
NOT_RUN = ("git clone ", "source .venv/bin/activate")
"""Commands that only a reader needs: the tests run in the environment they make."""


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        title = TITLE.search(match[4])
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, match[3], title[1] if title else "", textwrap.dedent(match[5])))
    return found


def same(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; spaces at ends of lines do not count.

    A page shows long lines as a terminal of so many columns wraps them; here they come through a pipe.
    """
    want, got = ("".join(line.rstrip() + "\n" for line in text.splitlines()) for text in (shown, printed))
    wrapped = doctest.NORMALIZE_WHITESPACE if max(map(len, got.splitlines()), default=0) > COLUMNS else 0
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS | wrapped)


# -- the three kinds of blocks that do something


def run_python(block: Block, shown: Block | None, names: dict[str, object]) -> None:
    if ">>>" in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(block.page), block.line)
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        assert runner.run(test, out=report.write, clear_globs=False).failed == 0, report.getvalue()
        names.update(test.globs)
        return
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile("\n" * block.line + block.text, str(block.page), "exec"), names)
    want = shown.text if shown and shown.language == "text" and not shown.title else ""
    assert same(want, printed.getvalue()), f"{block} printed:\n{printed.getvalue()}"


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block, and the output that is shown below it."""
    assert block.text.startswith("$ "), f"{block}: a console block begins with a command"
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        count = next((n for n, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        yield "".join(lines[:1] + [line[2:] for line in lines[1:count]]).rstrip("\n"), "".join(lines[count:])


def run_console(block: Block, folder: Path) -> None:
    status, listed = 0, list(commands(block))
    for (command, shown), (following, _) in itertools.zip_longest(listed, listed[1:], fillvalue=("", "")):
        if command.startswith(NOT_RUN):
            continue
        done = run_make(command) if command.startswith("make ") else run_shell(command, folder, status)
        status = done.returncode
        assert same(shown, done.stdout), f"{block}: {command}\nprinted:\n{done.stdout}"
        assert status == 0 or following == "echo $?", f"{block}: {command} ended with {status}"


def run_shell(command: str, folder: Path, status: int) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(COLUMNS),
        "NO_COLOR": "1",
        "GRIDPROOF_STORE": f"sqlite:///{folder / 'store.sqlite'}",
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        ["bash", "-c", f"(exit {status}); {command}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,  # kernels may have to be compiled
        check=False,
    )


def run_make(command: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*shlex.split(command), "--dry-run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, "" if done.returncode == 0 else done.stderr
    )


# -- the pages


def test_docs_have_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "index.md"} <= {page.name for page in PAGES}


def is_slow(page: Path) -> bool:
    return any(block.language == "console" for block in blocks(page))


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=str(page.relative_to(ROOT)), marks=[pytest.mark.slow] if is_slow(page) else [])
        for page in PAGES
    ],
)
def test_code_blocks_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    formats = {item.name: game for game in games() for item in game.formats}
    listed = blocks(page)
    for block, following in itertools.zip_longest(listed, listed[1:]):
        if block.title:
            path = tmp_path / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(block.text)
        elif block.language == "python":
            run_python(block, following, module.__dict__)
        elif block.language == "console":
            run_console(block, tmp_path)
        elif block.language in formats:
            assert gp.read(block.text, formats[block.language]), str(block)
        else:
            assert block.language == "text", f"{block}: nothing checks a block of {block.language!r}"


def sections(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    texts = (re.sub(r"\]\([^)]*\)|[^\w -]", "", heading).lower().strip() for heading in headings)
    return {text.replace(" ", "-") for text in texts}


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "examples" not in page.parts], ids=lambda page: page.name
)
def test_links_have_targets(page: Path) -> None:
    """The sources can be read without the site, of which only the reference of names and the notebooks are missing."""
    links = re.findall(r"\]\(([^)#:\s]*)(?:#([^):\s]+))?\)", page.read_text(encoding="utf-8"))
    for path, section in links:
        if path.startswith("notebooks/"):
            assert (ROOT / "examples" / path).with_suffix(".ipynb").exists(), path
        elif not path.startswith("reference/"):
            target = page.parent / path if path else page
            assert target.exists(), path
            assert not section or section in sections(target), f"{path}#{section}"


def test_readme_lists_extras_for_users() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"\.\[(\w+)\]", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {*named} == project["optional-dependencies"].keys() - {"dev", "docs", "fuzz"}


@pytest.mark.parametrize("page", [*ROOT.glob("docs/**/*.md")], ids=lambda page: page.name)
def test_pictures_have_their_command(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, ending in re.findall(r"!\[[^]]*\]\([./]*pictures/([\w-]+)\.(svg|png)\)", text):
        command = "make screens" if ending == "png" else rf"docs/pictures\.py[^`]* {name}\b"
        command = r"train\.py --curve" if name == "maskable-ppo" else command
        assert re.search(command, text), f"{page.name}: {name}"


@pytest.mark.long
def test_pictures_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make pictures` draws them again."""
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})  # other tests have played, too
    drawn = runpy.run_path(str(ROOT / "docs/pictures.py"))["PICTURES"]
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/pictures").glob("*.svg")}
    del kept["maskable-ppo"]  # measured by examples/maskable_ppo/train.py
    assert {name: draw() for name, draw in drawn.items()} == kept


def test_architecture_page_shows_existing_packages() -> None:
    tree = blocks(ROOT / "docs/architecture.md")[0].text
    package = ROOT / "src/gridproof"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    assert set(re.findall(r"^  (\w+)/", tree, re.MULTILINE)) == rooms
    assert "games/NAME/" in tree
    for name in re.findall(r"^    (\S+)", tree, re.MULTILINE):
        assert list(package.glob(f"games/*/{name}")), name


def test_architecture_page_shows_enforced_dependencies() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    rooms = {path.parent.name for path in (ROOT / "src/gridproof").glob("*/__init__.py")}
    held = [rooms.intersection(re.findall(r"\w+", layer)) for layer in contracts["contracts"][0]["layers"]]
    drawn = re.findall(r"^\w.*", blocks(ROOT / "docs/architecture.md")[1].text, re.MULTILINE)
    assert [set(line.split()) for line in drawn] == [layer for layer in held if layer]


def documented_modules() -> list[str]:
    """Those with examples in their docstrings."""
    source = ROOT / "src"
    paths = [path for path in sorted(source.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    return [
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__") for path in paths
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", documented_modules())
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("name", [name for name in gp.__all__ if inspect.isfunction(getattr(gp, name))])
def test_docstring_of_a_public_function_has_all_sections(name: str) -> None:
    function = getattr(gp, name)
    sections = re.findall(r"^(\w+)\n-+$", inspect.getdoc(function) or "", re.MULTILINE)
    takes = bool(inspect.signature(function).parameters)
    assert sections == [*["Parameters"] * takes, "Returns", *["Raises"] * takes, "Examples"]


# -- the runner itself


def block_of(text: str, language: str = "console") -> Block:
    return Block(ROOT / "README.md", 1, language, "", text)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/play.md"])
def test_transcript_of_twenty48_is_reproducible(page: str, tmp_path: Path) -> None:
    """What is kept of a game that was played before does not show."""
    listed = [
        block for block in blocks(ROOT / page) if "play --plain" in block.text and "twenty48" in block.text
    ]
    assert listed
    for block in 2 * listed:
        run_console(block, tmp_path)


def test_page_with_wrong_output_fails(tmp_path: Path) -> None:
    run_console(block_of("$ echo one; \\\n> echo two\none\n...o\n$ false\n$ echo $?\n1\n"), tmp_path)
    for wrong in ("$ echo one\ntwo\n", "$ false\n", "$ echo one\n", "one\n", "$ make no-such-target\n"):
        with pytest.raises(AssertionError):
            run_console(block_of(wrong), tmp_path)


def test_python_block_with_wrong_output_fails() -> None:
    names: dict[str, object] = {}
    run_python(block_of("a = 1\n", "python"), None, names)
    run_python(block_of("print(a)\n", "python"), block_of("1\n", "text"), names)
    run_python(block_of(">>> a + 1\n2\n>>> b = 3\n", "python"), None, names)
    assert names["b"] == 3
    for code in ("print(a)\n", ">>> a\n2\n"):
        with pytest.raises(AssertionError):
            run_python(block_of(code, "python"), None, names)


@pytest.mark.slow  # MkDocs is loaded
def test_site_search_works_offline_without_other_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    config = load_config(str(ROOT / "mkdocs.yml"))
    config.plugins["material/offline"].on_config(config)
    assert config.use_directory_urls is False
    assert config.theme["font"] is False
    loaded = [*config.extra["polyfills"], *map(str, config.extra_css), *map(str, config.extra_javascript)]
    assert len(loaded) == 2
    for path in loaded:
        assert (ROOT / "docs" / path).is_file()
