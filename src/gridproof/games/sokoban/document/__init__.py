"""The source document's own types and operations, by name: Estado, Mapa, Juego, Acción.

Every operation has its name without accents in Python's way of writing (`agregar_depositos`) and, as an
alias, the document's spelling (`agregarDepósitos`). No Python name can have the question mark of
`acciónEjecutable?`, so it is `acciónEjecutable`. What an operation of the document takes as its first
argument is the object here: `moverArriba(m)` is `m.moverArriba()`; its observers are attributes, its sets
frozen sets, and its sequences tuples, the newest entry first.

All values are immutable, as the document's are: operations give new ones. Where the document's axioms
contradict themselves or its own text, the settled clauses of the rules hold, as said at each operation.
"""

# ruff: noqa: N815, N816, PLC2401  # the document's spelling

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.session import Session
from gridproof.games.sokoban.document.maps import (
    Accion,
    Estado,
    Mapa,
    agregar_a_historial,
    borrar_cruz,
    borrar_ultimos,
    crear_estado,
    crear_mapa,
    es_caja,
    es_pared,
    mover_caja,
    nivel_valido,
    obtener_elem_de_secu,
)
from gridproof.games.sokoban.rules import Position

__all__ = [
    "Accion",
    "Acción",
    "Estado",
    "Juego",
    "Mapa",
    "agregarAHistorial",
    "agregar_a_historial",
    "borrarCruz",
    "borrar_cruz",
    "borrar_ultimos",
    "borrarÚltimos",
    "crearEstado",
    "crearMapa",
    "crear_estado",
    "crear_mapa",
    "esCaja",
    "esPared",
    "es_caja",
    "es_pared",
    "iniciar",
    "moverCaja",
    "mover_caja",
    "nivelVálido",
    "nivel_valido",
    "nivelesVálidos",
    "niveles_validos",
    "obtenerElemDeSecu",
    "obtener_elem_de_secu",
]


@dataclass(frozen=True, slots=True, eq=False)
class Juego:
    """A set of levels being played, one of them current; made by `iniciar`.

    Its laws (K14-K18) are those of sessions. Levels are told apart by their places from 0, not by their
    content, so what is a set of maps in the document is a mapping from places to maps here (K20).
    """

    _sesion: Session

    # -- observers (K19)

    @property
    def mapa_actual(self) -> Mapa:
        """`mapaActual`: the current map, with its history."""
        return _mapa(self._sesion.history)

    @property
    def completados(self) -> Mapping[int, Mapa]:
        """The completed maps, as they were when they were completed (K16)."""
        return MappingProxyType({place: self._jugado(place) for place in self._sesion.completed})

    @property
    def incompletos(self) -> Mapping[int, Mapa]:
        """The maps that are not completed, as they are at their start (K16)."""
        return MappingProxyType(
            {place: _nuevo(self._sesion.levels[place]) for place in self._sesion.incomplete}
        )

    # -- generators

    def accionar(self, a: Accion) -> Juego:
        """The game after an action on the current map; completing it makes the next current (K16).

        Raises
        ------
        IllegalAction
            When the current map is completed (K15, K17), or the action is not executable.
        """
        despues = self._sesion.copy()
        despues.act(a.value)
        return Juego(despues)

    def undo(self, n: int) -> Juego:
        """The game with the last n actions on the current map taken back; only there (K18).

        Raises
        ------
        IllegalAction
            When n is not from 0 to the number of actions done on it (K12), or the game is won (K17).
        """
        despues = self._sesion.copy()
        despues.undo(n)
        return Juego(despues)

    # -- other operations

    def todos_los_mapas(self) -> Mapping[int, Mapa]:
        """`todosLosMapas`: every map; the current one as it stands."""
        return MappingProxyType(
            {**self.completados, **self.incompletos, self._sesion.current: self.mapa_actual}
        )

    def computar_mapa_actual(self, mapa: Mapa) -> Mapa:
        """`computarMapaActual`: which map is current once an action has made `mapa` of the current one.

        Raises
        ------
        GridproofError
            When no action does; as the other two that compute.
        """
        return self._con(mapa).mapa_actual

    def computar_mapas_completados(self, mapa: Mapa) -> Mapping[int, Mapa]:
        """`computarMapasCompletados`: which maps are completed then."""
        return self._con(mapa).completados

    def computar_mapas_incompletos(self, mapa: Mapa) -> Mapping[int, Mapa]:
        """`computarMapasIncompletos`: which maps are not completed then."""
        return self._con(mapa).incompletos

    mapaActual = mapa_actual
    todosLosMapas, computarMapaActual = todos_los_mapas, computar_mapa_actual
    computarMapasCompletados = computar_mapas_completados
    computarMapasIncompletos = computar_mapas_incompletos

    def __eq__(self, other: object) -> bool:
        return self._partes() == other._partes() if isinstance(other, Juego) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._partes()[:2])

    def _partes(self) -> tuple[object, ...]:
        """Return the values that make games equal (K20)."""
        return self._sesion.current, self.mapa_actual, self.completados, self.incompletos

    def _jugado(self, place: int) -> Mapa:
        return _mapa(reversed([*self._sesion.trace(place).positions()]))

    def _con(self, mapa: Mapa) -> Juego:
        """The game after the action that makes `mapa` of the current map."""
        actual = self.mapa_actual
        for accion in Accion:
            if actual.accion_ejecutable(accion) and actual.tras(accion) == mapa:
                return self.accionar(accion)
        raise GridproofError("no action makes this map of the current one")


def iniciar(cm: Iterable[Mapa]) -> Juego:
    """A game of these maps in their order; the first that is not completed is current (K14, K16).

    Raises
    ------
    GridproofError
        When there is none, one is no map, or something has been done on one: a game starts with levels.
    """
    mapas = list(cm) if isinstance(cm, Iterable) else []
    if not niveles_validos(mapas):
        raise GridproofError("iniciar: a game needs maps as crearMapa makes them, and all valid")
    if any(len(mapa.posiciones) > 1 for mapa in mapas):
        raise GridproofError("iniciar: a game starts with maps on which nothing has been done")
    return Juego(Session([mapa.posiciones[0].level for mapa in mapas]))


def niveles_validos(c: Iterable[Mapa]) -> bool:
    """`nivelesVálidos?`: whether there is a map, and all are valid (K14)."""
    mapas = list(c)
    return bool(mapas) and all(
        isinstance(m, Mapa) and nivel_valido(m.personaje, m.cajas, m.depositos, m.paredes) for m in mapas
    )


def _mapa(posiciones: Iterable[core.Position[Any]]) -> Mapa:
    return Mapa(tuple(cast("Iterable[Position]", posiciones)))


def _nuevo(nivel: core.Level) -> Mapa:
    return _mapa(outcome.position for outcome in nivel.starts())


Acción = Accion
crearEstado, crearMapa = crear_estado, crear_mapa
agregarAHistorial, obtenerElemDeSecu = agregar_a_historial, obtener_elem_de_secu
borrarÚltimos, moverCaja, borrarCruz = borrar_ultimos, mover_caja, borrar_cruz
nivelVálido, esPared, esCaja = nivel_valido, es_pared, es_caja
nivelesVálidos = niveles_validos
