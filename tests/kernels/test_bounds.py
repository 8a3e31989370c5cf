"""Kernels with bounds checks, in a separate process: no access leaves an array."""

from __future__ import annotations

import pytest
from tests.kernels.conftest import Programs

FUZZING = """
import gridproof as gp
import numpy as np
from gridproof.core.position import NATURE
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.text.level_lookup import pack_names, builtin_pack
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import kernel_of
from gridproof.search import explore, solve
from gridproof.testing.agreement import check_kernel
from report import report

@kernel
def beside(values, i):
    return values[i]

try:
    beside(np.zeros(3), 5)
    checked = False
except IndexError:
    checked = True

explore._BY_RULES, solve._BY_RULES = 0, 1
compared = {}
for name in (TEMPLATE, *game_names()):
    if not game(name).kernel:
        continue
    levels = [level for pack in pack_names(game(name)) for level in builtin_pack(game(name), pack)]
    exchanges = NATURE in game(name).actors(levels[0])  # thousands of outcomes a position
    some, walks, depth = (levels[::4], 1, 1) if exchanges else (levels, 2, 30)
    compared[name] = sum(check_kernel(level, seed=n, walks=walks, depth=depth) for n, level in enumerate(some))
    for level in levels[::5]:
        for actors in (None, "all"):
            gp.explore(level, actors, limit=gp.Limit(states=3000))
        gp.solve(level, goal="ended", limit=gp.Limit(states=3000))
report({}, [checked, compared])
"""


@pytest.mark.long
def test_kernels_stay_inside_their_arrays(programs: Programs) -> None:
    programs.write("main", FUZZING)
    checked, compared = programs.run("main", NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR="")["answers"]
    assert checked
    assert len(compared) > 3
    assert all(compared.values())
