"""`serve`: serve the games in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import ExitStatus, print_json, print_note, print_paragraph
from gridproof.core.errors import GridproofError

REQUIREMENTS = ("fastapi", "orjson", "uvicorn", "websockets")

MAX_PROCESSES = 64
MAX_PUZZLES_AHEAD = 50


def serve(
    open: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on. Default: this machine only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", help="Port (0: pick a free one).")] = 8008,
    names: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Host names by which others reach the server, comma-separated."),
    ] = None,
    each: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Limit for each client address: connections, new games per hour, and running jobs.",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(metavar="N", help="Number of server processes, for hundreds of players.")
    ] = 1,
    puzzles_ahead: Annotated[
        int,
        typer.Option(
            metavar="N", help="Puzzles of each kind and difficulty to make ahead, when idle (0: none)."
        ),
    ] = 2,
    json: Json = False,
) -> ExitStatus:
    """Serve the games in a browser, over WebSockets and REST.

    Games are saved in the store. Stop the server with Ctrl-C. Only this machine
    can connect, unless --host allows more.
    """
    if not 0 <= port <= 65535:
        raise GridproofError(f"--port {port}: must be between 0 and 65535")
    if each is not None and each < 1:
        raise GridproofError(f"--each {each}: must be at least 1")
    if not 1 <= processes <= MAX_PROCESSES:
        raise GridproofError(f"--processes {processes}: must be between 1 and {MAX_PROCESSES}")
    if not 0 <= puzzles_ahead <= MAX_PUZZLES_AHEAD:
        raise GridproofError(f"--puzzles-ahead {puzzles_ahead}: must be between 0 and {MAX_PUZZLES_AHEAD}")
    _check_requirements()
    from gridproof.server.serve import Server, open_listener

    with open_listener(host, port) as socket:
        hosts = {name for name in (names or "").split(",") if name}
        server = Server(socket, host, hosts, each, processes, puzzles_ahead=puzzles_ahead)
        if json:
            print_json({"url": server.url})
        else:
            print_paragraph(f"Serving gridproof at {server.url} (press Ctrl-C to stop)")
        if open:
            _open_browser(server.url)
        server.run()
    return ExitStatus.DONE


def _check_requirements() -> None:
    import importlib.util

    missing = [name for name in REQUIREMENTS if importlib.util.find_spec(name) is None]
    if missing:
        raise GridproofError(f"serve needs {', '.join(missing)}: pip install 'gridproof[web]'")


def _open_browser(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        print_note("no browser could be opened; open the address yourself")
