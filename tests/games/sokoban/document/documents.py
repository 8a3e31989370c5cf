"""Shared parts of the tests of the source document: its names for steps and generators, and random maps."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

import gridproof as gp
from gridproof.games.sokoban import Level, document
from gridproof.games.sokoban.document import Accion, Mapa

PASOS = {
    Accion.ARRIBA: (0, -1),
    Accion.ABAJO: (0, 1),
    Accion.IZQUIERDA: (-1, 0),
    Accion.DERECHA: (1, 0),
}


GENERADORES: dict[Accion, Callable[[Mapa], Mapa]] = {
    Accion.ARRIBA: Mapa.mover_arriba,
    Accion.ABAJO: Mapa.mover_abajo,
    Accion.IZQUIERDA: Mapa.mover_izquierda,
    Accion.DERECHA: Mapa.mover_derecha,
    Accion.EXPLOTAR: Mapa.tirar_bomba,
}


LADO = 5
CELDAS = [(x, y) for y in range(LADO) for x in range(LADO)]


def mapa(text: str) -> Mapa:
    level = gp.read(text, "sokoban")[0]
    assert isinstance(level, Level)
    return Mapa.de_nivel(level)


def suma(*pares: tuple[int, int]) -> tuple[int, int]:
    return sum(x for x, _ in pares), sum(y for _, y in pares)


@st.composite
def mapas(draw: st.DrawFn) -> Mapa:
    """Small maps of any kind after a walk; completed ones are walked on, as the document allows."""
    cells = draw(st.permutations(CELDAS))
    count = draw(st.integers(1, 3))
    boxes, others = set(cells[1 : 1 + count]), cells[1 + count :]
    walls = set(others[: draw(st.integers(0, 12))])
    free = [cell for cell in cells if cell not in walls]
    depots = set(draw(st.permutations(free))[:count])
    m = document.crear_mapa(cells[0], draw(st.integers(0, 2)), boxes, depots, walls, (LADO, LADO))
    for accion in draw(st.lists(st.sampled_from(Accion), max_size=12)):
        if m.accion_ejecutable(accion):
            m = GENERADORES[accion](m)
    return m
