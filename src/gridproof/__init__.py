r"""gridproof: grid puzzles that you can play, solve, prove and learn on.

>>> import gridproof as gp
>>> (level,) = gp.read("######\n#@$ .#\n######")
>>> solution = gp.solve(level)
>>> print(*solution.trace.actions)
right right
>>> solution.trace.replay().status
Status.WON

The names of this package are loaded when they are first used, so that `import gridproof` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gridproof.agents.extension import Player
    from gridproof.agents.players import player
    from gridproof.analysis import Analysis, PackAnalysis, analyse, analyse_pack
    from gridproof.core.errors import (
        GridproofError,
        IllegalAction,
        InvalidLevel,
        ParseError,
        Problem,
    )
    from gridproof.core.game import Game
    from gridproof.core.generate import generate
    from gridproof.core.limit import Limit
    from gridproof.core.position import Level, Outcome, Position, Status
    from gridproof.core.registry import game, game_names
    from gridproof.core.rng import Rng
    from gridproof.core.session import Session
    from gridproof.core.text.level_lookup import level, levels_at, read
    from gridproof.core.text.pack import Pack
    from gridproof.core.text.recognition import position, write
    from gridproof.core.trace import Step, Trace
    from gridproof.games.shiftit.claims import Runs, claims, runs
    from gridproof.prove.certificate import Verified
    from gridproof.prove.certify import certify
    from gridproof.prove.check import check
    from gridproof.prove.check_properties import PropertyResult, check_properties
    from gridproof.prove.coverage import Coverage, coverage
    from gridproof.prove.value import Value, value
    from gridproof.prove.verdict import Verdict
    from gridproof.prove.verify import verify
    from gridproof.prove.writers.output import Certified
    from gridproof.search.explore import explore
    from gridproof.search.graph import Graph
    from gridproof.search.improve import improve
    from gridproof.search.solution import Solution
    from gridproof.search.solve import solve
    from gridproof.search.space import StateSpace
    from gridproof.store.dataset import Dataset, dataset

__version__ = "0.1.0"

_HOMES = {
    "core.errors": ("GridproofError", "IllegalAction", "InvalidLevel", "ParseError", "Problem"),
    "core.game": ("Game",),
    "core.position": ("Level", "Outcome", "Position", "Status"),
    "core.generate": ("generate",),
    "core.limit": ("Limit",),
    "core.text.pack": ("Pack",),
    "core.text.recognition": ("position", "write"),
    "core.registry": ("game", "game_names"),
    "core.rng": ("Rng",),
    "core.session": ("Session",),
    "core.text.level_lookup": ("level", "levels_at", "read"),
    "core.trace": ("Step", "Trace"),
    "games.shiftit.claims": ("Runs", "claims", "runs"),
    "analysis": ("Analysis", "PackAnalysis", "analyse", "analyse_pack"),
    "agents.extension": ("Player",),
    "agents.players": ("player",),
    "prove.certify": ("certify",),
    "prove.writers.output": ("Certified",),
    "prove.check": ("check",),
    "prove.coverage": ("Coverage", "coverage"),
    "prove.check_properties": ("PropertyResult", "check_properties"),
    "prove.verdict": ("Verdict",),
    "prove.value": ("Value", "value"),
    "prove.certificate": ("Verified",),
    "prove.verify": ("verify",),
    "search.explore": ("explore",),
    "search.graph": ("Graph",),
    "search.improve": ("improve",),
    "search.solution": ("Solution",),
    "search.solve": ("solve",),
    "search.space": ("StateSpace",),
    "store.dataset": ("Dataset", "dataset"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Analysis",
    "Certified",
    "Coverage",
    "Dataset",
    "Game",
    "Graph",
    "GridproofError",
    "IllegalAction",
    "InvalidLevel",
    "Level",
    "Limit",
    "Outcome",
    "Pack",
    "PackAnalysis",
    "ParseError",
    "Player",
    "Position",
    "Problem",
    "PropertyResult",
    "Rng",
    "Runs",
    "Session",
    "Solution",
    "StateSpace",
    "Status",
    "Step",
    "Trace",
    "Value",
    "Verdict",
    "Verified",
    "analyse",
    "analyse_pack",
    "certify",
    "check",
    "check_properties",
    "claims",
    "coverage",
    "dataset",
    "explore",
    "game",
    "game_names",
    "generate",
    "improve",
    "level",
    "levels_at",
    "player",
    "position",
    "read",
    "runs",
    "solve",
    "value",
    "verify",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in ("games", "jobs"):
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "games", "jobs"])
