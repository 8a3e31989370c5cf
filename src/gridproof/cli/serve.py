"""`serve`: the games in a browser, for this machine or for others."""

from __future__ import annotations

from typing import Annotated

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import print_json, print_note, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.errors import GridproofError

NEEDED = ("fastapi", "orjson", "uvicorn", "websockets")

MOST_PROCESSES = 64


def serve(
    open: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; this machine alone by default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="0: any that is free.")] = 8008,
    names: Annotated[
        str | None,
        typer.Option(
            "--names", metavar="NAMES", help="The server's names, with commas, where it is reached by others."
        ),
    ] = None,
    each: Annotated[
        int | None,
        typer.Option(
            "--each",
            metavar="N",
            help="Connections, new games an hour and jobs under way that one address may have.",
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            "--processes", metavar="N", help="Processes that serve together, for hundreds of players."
        ),
    ] = 1,
    json: Json = False,
) -> ExitStatus:
    """Play in a browser, or by programs over WebSockets and REST.

    All that is played is kept in the store. It ends with Ctrl-C. Only this machine is served, unless --host says more.
    """
    if not 0 <= port <= 65535:
        raise GridproofError(f"--port {port}: ports are numbered from 0 to 65535")
    if each is not None and each < 1:
        raise GridproofError(f"--each {each}: at least 1 is needed")
    if not 1 <= processes <= MOST_PROCESSES:
        raise GridproofError(f"--processes {processes}: 1 to {MOST_PROCESSES} can serve together")
    _check_installed()
    from gridproof.play.web.serve import Server, listening

    with listening(host, port) as socket:
        known = {name for name in (names or "").split(",") if name}
        server = Server(socket, host, known, each, processes)
        if json:
            print_json({"url": server.url})
        else:
            print_paragraph(f"gridproof plays at {server.url} (Ctrl-C ends it)")
        if open:
            _show(server.url)
        server.run()
    return ExitStatus.DONE


def _check_installed() -> None:
    import importlib.util

    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise GridproofError(f"serve needs {', '.join(missing)}: pip install 'gridproof[web]'")


def _show(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        print_note("no browser could be opened: open the address yourself")
