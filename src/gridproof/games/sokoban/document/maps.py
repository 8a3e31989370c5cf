"""The source document's types Acción, Estado and Mapa; `document` says how their names are written."""

# ruff: noqa: N815, PLC2401  # the document's spelling

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TypeVar

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
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
        return cls(tuple(outcome.position for outcome in nivel.starts()))

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

    @property
    def depósitos(self) -> frozenset[Cell]:
        """The same as `depositos`."""
        return self.depositos

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
