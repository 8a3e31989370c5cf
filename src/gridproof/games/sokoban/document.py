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

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
from gridproof.core.session import Session
from gridproof.games.sokoban.rules import Action, Level, Position
from gridproof.games.sokoban.validity import Cell

T = TypeVar("T")


class Accion(core.NamedEnum):
    """`Acción`: what the player can do; the value is the action of the rules."""

    ARRIBA = Arriba = Action.UP
    ABAJO = Abajo = Action.DOWN
    IZQUIERDA = Izquierda = Action.LEFT
    DERECHA = Derecha = Action.RIGHT
    EXPLOTAR = Explotar = Action.BOMB


@dataclass(frozen=True, slots=True)
class Estado:
    """One entry of a history: where everything is at one moment (K2)."""

    personaje: Cell = (0, 0)
    """The player's position."""
    bombas: int = 0
    """The number of bombs."""
    cajas: frozenset[Cell] = frozenset()
    """The positions of the boxes."""
    depositos: frozenset[Cell] = frozenset()
    """The positions of the depots."""
    paredes: frozenset[Cell] = frozenset()
    """The positions of the walls."""

    @property
    def depósitos(self) -> frozenset[Cell]:
        """The same as `depositos`."""
        return self.depositos

    def agregar_personaje(self, p: Cell) -> Estado:
        """`agregarPersonaje`: the same with the player at p."""
        return replace(self, personaje=p)

    def agregar_bombas(self, n: int) -> Estado:
        """`agregarBombas`: the same with n bombs."""
        return replace(self, bombas=n)

    def agregar_cajas(self, cs: Iterable[Cell]) -> Estado:
        """`agregarCajas`: the same with these boxes."""
        return replace(self, cajas=frozenset(cs))

    def agregar_depositos(self, ds: Iterable[Cell]) -> Estado:
        """`agregarDepósitos`: the same with these depots."""
        return replace(self, depositos=frozenset(ds))

    def agregar_todo(
        self, p: Cell, n: int, cs: Iterable[Cell], ds: Iterable[Cell], ps: Iterable[Cell] | None = None
    ) -> Estado:
        """`agregarTodo`: everything at once.

        The document's signature leaves the walls out, its use of the operation gives them: both are
        possible, and without them they stay.
        """
        whole = self.agregar_depositos(ds).agregar_cajas(cs).agregar_bombas(n).agregar_personaje(p)
        return whole if ps is None else replace(whole, paredes=frozenset(ps))

    agregarPersonaje, agregarBombas = agregar_personaje, agregar_bombas
    agregarCajas, agregarDepósitos, agregarTodo = agregar_cajas, agregar_depositos, agregar_todo


def crear_estado() -> Estado:
    """`crearEstado`: the player at (0, 0), and nothing else."""
    return Estado()


@dataclass(frozen=True, slots=True)
class Mapa:
    """A level being played, with its whole history; made by `crear_mapa`.

    Two are equal when all six observers and the grids are (K20).
    """

    posiciones: tuple[Position, ...]
    """Every position of the rules since the start, the newest first (K11)."""

    @classmethod
    def de_nivel(cls, nivel: Level) -> Mapa:
        """The map of a level at its start, also of one that was read from a text."""
        return cls((nivel.start(),))

    # -- observers (K19)

    @property
    def personaje(self) -> Cell:
        """The player's position."""
        return self.posiciones[0].player

    @property
    def bombas(self) -> int:
        """The number of bombs left."""
        return self.posiciones[0].bombs

    @property
    def cajas(self) -> frozenset[Cell]:
        """The positions of the boxes."""
        return self.posiciones[0].boxes

    @property
    def depositos(self) -> frozenset[Cell]:
        """The positions of the depots."""
        return self.posiciones[0].level.depots

    @property
    def paredes(self) -> frozenset[Cell]:
        """The positions of the walls left."""
        return self.posiciones[0].walls

    @property
    def historial(self) -> tuple[Estado, ...]:
        """Every state since the start, the newest first; at the start the initial one alone (K11).

        The document's axiom for `crearMapa` has a state where a sequence of states is due.
        """
        return tuple(map(_estado, self.posiciones))

    depósitos = depositos

    # -- generators

    def mover_arriba(self) -> Mapa:
        """`moverArriba`: the player goes up, and pushes a box that stands there (K6).

        Raises
        ------
        IllegalAction
            When it is not executable; as all that move, and `tirar_bomba`.
        """
        return self.tras(Accion.ARRIBA)

    def mover_abajo(self) -> Mapa:
        """`moverAbajo`: the player goes down (K6)."""
        return self.tras(Accion.ABAJO)

    def mover_izquierda(self) -> Mapa:
        """`moverIzquierda`: the player goes left (K6)."""
        return self.tras(Accion.IZQUIERDA)

    def mover_derecha(self) -> Mapa:
        """`moverDerecha`: the player goes right (K6)."""
        return self.tras(Accion.DERECHA)

    def tirar_bomba(self) -> Mapa:
        """`tirarBomba`: every wall in the player's row and column goes, and one bomb (K7, K8)."""
        return self.tras(Accion.EXPLOTAR)

    def retroceder(self, n: int) -> Mapa:
        """The map n actions ago, whole: player, boxes, bombs and walls (K12).

        The document's axioms leave the walls bombed, give the bombs two contradictory values, and allow
        an n that empties the history.

        Raises
        ------
        IllegalAction
            When n is not from 0 to the number of actions done.
        """
        most = len(self.posiciones) - 1
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= most:
            raise IllegalAction(f"retroceder {n}", f"from 0 to {most} can be")
        return Mapa(self.posiciones[n:])

    # -- other operations

    def accion_ejecutable(self, accion: Accion) -> bool:
        """`acciónEjecutable?`: whether a step leads on (K6), or a bomb is left (K7).

        The document asks it of a pair of numbers and uses it with actions; a bomb is no pair, so here
        it is asked of an action. Whether the level is completed is for the game to ask (K15).
        """
        return self.posiciones[0].execute(accion.value) is not None

    def esta_libre(self, p: Cell) -> bool:
        """`estáLibre?`: whether p is inside the grid, no wall and no box (K5)."""
        (x, y), (width, height) = p, self.posiciones[0].level.size
        inside = 0 <= x < width and 0 <= y < height  # K4
        return inside and not es_pared(self.paredes, p) and not es_caja(self.cajas, p)

    def completado(self) -> bool:
        """`completado?`: whether the boxes are the depots (K9; the document compares walls and depots)."""
        return self.posiciones[0].won

    moverArriba, moverAbajo = mover_arriba, mover_abajo
    moverIzquierda, moverDerecha = mover_izquierda, mover_derecha
    tirarBomba = tirar_bomba
    acciónEjecutable, estáLibre = accion_ejecutable, esta_libre

    def tras(self, accion: Accion) -> Mapa:
        """The map after an action, whichever it is.

        Raises
        ------
        IllegalAction
            When it is not executable.
        """
        outcome = self.posiciones[0].execute(accion.value)
        if outcome is None:
            raise IllegalAction(accion)
        return Mapa((outcome.position, *self.posiciones))


def crear_mapa(
    pe: Cell,
    n: int,
    ca: Iterable[Cell],
    de: Iterable[Cell],
    pa: Iterable[Cell],
    tamano: tuple[int, int] | None = None,
) -> Mapa:
    """`crearMapa`: player, bombs, boxes, depots and walls; and the size of the grid, if given (K4).

    Raises
    ------
    InvalidLevel
        When they make no valid level, with every broken condition (K3).
    """
    return Mapa.de_nivel(Level(pe, n, ca, de, pa, tamano))


def agregar_a_historial(m: Mapa, h: Sequence[Estado]) -> tuple[Estado, ...]:
    """`agregarAHistorial`: the history with the map's present state before all others (K11)."""
    return (_estado(m.posiciones[0]), *h)


def obtener_elem_de_secu(n: int, s: Sequence[T]) -> T:
    """`obtenerElemDeSecu`: the element number n of a sequence; the first has number 0.

    Raises
    ------
    GridproofError
        When there is none; the document does not say what then.
    """
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(s):
        raise GridproofError(f"obtenerElemDeSecu: there is no element {n!r} among {len(s)}")
    return s[n]


def borrar_ultimos(s: Sequence[T], n: int) -> tuple[T, ...]:
    """`borrarÚltimos`: the sequence without the n elements added last; empty when it has no more.

    Raises
    ------
    GridproofError
        When n is no natural number.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise GridproofError(f"borrarÚltimos: {n!r} is no natural number")
    return tuple(s[n:])


def mover_caja(pos_caja: Cell, cajas: AbstractSet[Cell], paso: Cell) -> frozenset[Cell]:
    """`moverCaja`: the boxes, with the one at `pos_caja` moved by a step; no other moves (K6).

    Without a box there they stay: the document's axiom has no end then, though every step uses it.
    """
    if pos_caja not in cajas:
        return frozenset(cajas)
    (x, y), (dx, dy) = pos_caja, paso
    return frozenset(cajas) - {pos_caja} | {(x + dx, y + dy)}


def borrar_cruz(pos: Cell, paredes: AbstractSet[Cell]) -> frozenset[Cell]:
    """`borrarCruz`: the walls that are neither in the column nor in the row of a position (K8)."""
    return frozenset(pared for pared in paredes if pared[0] != pos[0] and pared[1] != pos[1])


def nivel_valido(
    personaje: Cell, cajas: Iterable[Cell], depositos: Iterable[Cell], paredes: Iterable[Cell]
) -> bool:
    """`nivelVálido?`: whether these make a valid level (K3); not without a box, as settled there."""
    try:
        Level(personaje, 0, cajas, depositos, paredes)
    except InvalidLevel:
        return False
    return True


def es_pared(cs: AbstractSet[Cell], p: Cell) -> bool:
    """`esPared?`: whether p is one of these walls."""
    return p in cs


def es_caja(cs: AbstractSet[Cell], a: Cell) -> bool:
    """`esCaja?`: whether a is one of these boxes."""
    return a in cs


def _estado(position: Position) -> Estado:
    level = position.level
    return crear_estado().agregar_todo(
        position.player, position.bombs, position.boxes, level.depots, position.walls
    )


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
            {place: _mapa([self._sesion.levels[place].start()]) for place in self._sesion.incomplete}
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


Acción = Accion
crearEstado, crearMapa = crear_estado, crear_mapa
agregarAHistorial, obtenerElemDeSecu = agregar_a_historial, obtener_elem_de_secu
borrarÚltimos, moverCaja, borrarCruz = borrar_ultimos, mover_caja, borrar_cruz
nivelVálido, esPared, esCaja = nivel_valido, es_pared, es_caja
nivelesVálidos = niveles_validos
