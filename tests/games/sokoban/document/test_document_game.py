"""The source document's game of several maps, and its names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.games.sokoban.document.documents import GENERADORES, mapa

import gridproof as gp
from gridproof.games.sokoban import document
from gridproof.games.sokoban.document import Accion, Estado, Juego, Mapa, iniciar

UNO = "#####\n#@$.#\n#####\n"
DOS = "######\n#@$ .#\n######\nBombs: 1\n"
HECHO = "#####\n#@ *#\n#####\n"
UNACCENTED = str.maketrans("Úá", "Ua")


def juego(*texts: str) -> Juego:
    return iniciar([mapa(text) for text in texts])


# -- Juego


@pytest.mark.clause("K14", "K19")
def test_game_starts_with_its_maps_in_order() -> None:
    j = juego(UNO, DOS)
    assert j.mapa_actual == mapa(UNO)
    assert j.completados == {}
    assert j.incompletos == {0: mapa(UNO), 1: mapa(DOS)}
    assert j.todos_los_mapas() == {0: mapa(UNO), 1: mapa(DOS)}


@pytest.mark.clause("K14")
def test_game_needs_maps_on_which_nothing_has_been_done() -> None:
    assert not document.niveles_validos([])
    assert document.niveles_validos([mapa(UNO)])
    assert document.niveles_validos(iter([mapa(UNO), mapa(DOS)]))
    level: Any = mapa(UNO).posiciones[0].level
    assert not document.niveles_validos([level])
    nothing: list[Any] = [[], [level], level, None]
    for none in nothing:
        with pytest.raises(gp.GridproofError, match="needs maps"):
            iniciar(none)
    with pytest.raises(gp.GridproofError, match="nothing has been done"):
        iniciar([mapa(UNO), mapa(DOS).tirar_bomba()])


@pytest.mark.clause("K15", "K16")
def test_action_that_completes_a_map_makes_the_next_current() -> None:
    j = juego(UNO, DOS)
    after = j.accionar(Accion.DERECHA)
    assert after.completados == {0: mapa(UNO).mover_derecha()}
    assert after.incompletos == {1: mapa(DOS)}
    assert after.mapa_actual == mapa(DOS)
    assert j == juego(UNO, DOS)  # games are values


@pytest.mark.clause("K10", "K16")
def test_action_that_completes_nothing_changes_only_the_current_map() -> None:
    j = juego(DOS, UNO)
    for accion in (Accion.EXPLOTAR, Accion.DERECHA):
        after = j.accionar(accion)
        assert after.mapa_actual == GENERADORES[accion](j.mapa_actual)
        assert after.completados == j.completados == {}
        assert after.incompletos == j.incompletos
        assert after.todos_los_mapas() == {0: after.mapa_actual, 1: mapa(UNO)}


@pytest.mark.clause("K16")
def test_maps_that_are_completed_at_the_start_are_passed() -> None:
    j = juego(HECHO, UNO, HECHO, DOS)
    assert j.completados == {0: mapa(HECHO)}
    assert j.mapa_actual == mapa(UNO)
    after = j.accionar(Accion.DERECHA)
    assert after.completados.keys() == {0, 1, 2}
    assert after.mapa_actual == mapa(DOS)


@pytest.mark.clause("K17")
def test_won_game_stays_and_refuses_all_actions_and_undo() -> None:
    j = juego(UNO, UNO).accionar(Accion.DERECHA).accionar(Accion.DERECHA)
    assert j.incompletos == {}
    assert j.completados == {0: mapa(UNO).mover_derecha(), 1: mapa(UNO).mover_derecha()}
    assert j.mapa_actual == mapa(UNO).mover_derecha()
    for accion in Accion:
        with pytest.raises(gp.IllegalAction):
            j.accionar(accion)
    for n in (0, 1):
        with pytest.raises(gp.IllegalAction):
            j.undo(n)


@pytest.mark.clause("K12", "K18")
def test_undo_acts_on_the_current_map_alone() -> None:
    j = juego(UNO, DOS).accionar(Accion.DERECHA)
    bombed = j.accionar(Accion.EXPLOTAR)
    assert bombed.undo(0) == bombed
    assert bombed.undo(1) == j
    assert bombed.undo(1).completados == j.completados
    for n in (2, -1):
        with pytest.raises(gp.IllegalAction):
            bombed.undo(n)


@pytest.mark.clause("K15", "K16")
@pytest.mark.parametrize("texts", [(UNO, DOS), (UNO, HECHO, DOS), (UNO, HECHO), (UNO,), (DOS, UNO)])
def test_computed_maps_are_those_after_the_action(texts: tuple[str, ...]) -> None:
    j = juego(*texts)
    m = j.mapa_actual.mover_derecha()
    after = j.accionar(Accion.DERECHA)
    assert j.computar_mapa_actual(m) == after.mapa_actual
    assert j.computar_mapas_completados(m) == after.completados
    assert j.computar_mapas_incompletos(m) == after.incompletos


def test_computed_maps_refuse_a_map_that_no_action_makes() -> None:
    with pytest.raises(gp.GridproofError, match="no action makes this map"):
        juego(UNO, DOS).computar_mapa_actual(mapa(DOS))


@pytest.mark.clause("K20")
def test_games_are_equal_when_their_three_observers_are() -> None:
    assert juego(UNO, DOS) == juego(UNO, DOS)
    assert hash(juego(UNO, DOS)) == hash(juego(UNO, DOS))
    assert juego(UNO, DOS) != juego(DOS, UNO)
    assert juego(UNO) != juego(UNO, UNO)
    assert juego(UNO, DOS).accionar(Accion.DERECHA) != juego(UNO, DOS)
    assert juego(DOS).accionar(Accion.EXPLOTAR).undo(1) == juego(DOS)
    assert juego(UNO) != UNO


# -- names


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        (
            Estado,
            "personaje bombas cajas depósitos paredes agregarPersonaje agregarBombas agregarCajas"
            " agregarDepósitos agregarTodo",
        ),
        (
            Mapa,
            "personaje bombas cajas depósitos paredes historial moverArriba moverAbajo moverIzquierda"
            " moverDerecha tirarBomba retroceder acciónEjecutable estáLibre completado",
        ),
        (
            document,
            "Estado Mapa Juego Acción crearEstado crearMapa agregarAHistorial obtenerElemDeSecu moverCaja"
            " borrarCruz borrarÚltimos nivelVálido esPared esCaja iniciar nivelesVálidos",
        ),
        (
            Juego,
            "mapaActual completados incompletos accionar undo todosLosMapas computarMapaActual"
            " computarMapasCompletados computarMapasIncompletos",
        ),
        (Accion, "Arriba Abajo Izquierda Derecha Explotar"),
    ],
)
def test_names_have_the_spelling_of_the_document(owner: object, names: str) -> None:
    for name in names.split():
        assert hasattr(owner, name)


def test_both_spellings_mean_the_same() -> None:
    assert document.Acción is Accion
    for name in [
        "crearEstado",
        "crearMapa",
        "agregarAHistorial",
        "obtenerElemDeSecu",
        "moverCaja",
        "borrarCruz",
        "borrarÚltimos",
        "nivelVálido",
        "esPared",
        "esCaja",
        "nivelesVálidos",
    ]:
        plain = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name.translate(UNACCENTED))
        assert getattr(document, name) is getattr(document, plain)
    assert Accion["Explotar"] is Accion["EXPLOTAR"]
    assert [str(accion) for accion in Accion] == ["ARRIBA", "ABAJO", "IZQUIERDA", "DERECHA", "EXPLOTAR"]
    m = mapa(UNO)
    assert m.depósitos == m.depositos == m.historial[0].depósitos
    assert juego(UNO).mapaActual == m


def test_map_is_moved_by_every_generator() -> None:
    m = mapa("#####\n#   #\n# @ #\n#$ .#\n#####\n")
    assert m.moverArriba().personaje == (2, 1)
    assert m.moverAbajo().personaje == (2, 3)
    assert m.moverIzquierda().personaje == (1, 2)
    assert m.moverDerecha().personaje == (3, 2)
    with pytest.raises(gp.IllegalAction):
        m.tirarBomba()
