"""The source document's axioms, literally where they can be satisfied, and the settled clauses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.games.sokoban.document.documents import CELDAS, GENERADORES, PASOS, mapa, mapas, suma

import gridproof as gp
from gridproof.games.sokoban import document
from gridproof.games.sokoban.document import Accion, Estado, Mapa

# -- Estado


@pytest.mark.clause("K2", "K19")
def test_estado_starts_empty_and_each_generator_changes_one_part() -> None:
    e = document.crear_estado()
    assert (e.personaje, e.bombas) == ((0, 0), 0)
    assert e.cajas == e.depositos == e.paredes == frozenset()
    assert e.agregar_personaje((2, 3)) == Estado(personaje=(2, 3))
    assert e.agregar_bombas(4) == Estado(bombas=4)
    assert e.agregar_cajas([(1, 1)]) == Estado(cajas=frozenset({(1, 1)}))
    assert e.agregar_depositos({(1, 2)}) == Estado(depositos=frozenset({(1, 2)}))
    assert e == Estado()  # values do not change


def test_agregar_todo_adds_everything_and_keeps_walls_that_are_not_given() -> None:
    e = document.crear_estado().agregar_todo((1, 0), 2, [(3, 3)], [(4, 4)], [(5, 5)])
    assert e == Estado((1, 0), 2, frozenset({(3, 3)}), frozenset({(4, 4)}), frozenset({(5, 5)}))
    again = e.agregar_todo((0, 1), 1, [(2, 2)], [(2, 2)])
    assert again == Estado((0, 1), 1, frozenset({(2, 2)}), frozenset({(2, 2)}), frozenset({(5, 5)}))


# -- Mapa: generators and observers


@pytest.mark.clause("K2", "K11", "K19")
def test_crear_mapa_has_what_it_was_given_and_one_entry_of_history() -> None:
    m = document.crear_mapa((1, 1), 2, [(2, 1)], [(3, 1)], [(0, 0), (4, 2)])
    whole = Estado((1, 1), 2, frozenset({(2, 1)}), frozenset({(3, 1)}), frozenset({(0, 0), (4, 2)}))
    assert Estado(m.personaje, m.bombas, m.cajas, m.depositos, m.paredes) == whole
    assert m.historial == (whole,)


@pytest.mark.clause("K3")
def test_crear_mapa_refuses_invalid_levels_with_every_broken_condition() -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        document.crear_mapa((1, 1), -1, [(1, 1), (2, 1)], [(3, 1)], [(1, 1), (2, 1), (3, 1)])
    assert [problem.code for problem in caught.value.problems] == [
        "K2-bombs",
        "K3-player-on-box",
        "K3-player-on-wall",
        "K3-counts",
        "K3-wall-on-box",
        "K3-wall-on-box",
        "K3-wall-on-depot",
    ]


@pytest.mark.slow
@pytest.mark.clause("K1", "K6", "K11")
@given(mapas(), st.sampled_from(list(PASOS)))
def test_axioms_of_steps(m: Mapa, accion: Accion) -> None:
    assume(m.accion_ejecutable(accion))
    after, paso = GENERADORES[accion](m), PASOS[accion]
    assert after.personaje == suma(m.personaje, paso)
    assert after.cajas == document.mover_caja(suma(m.personaje, paso), m.cajas, paso)
    assert (after.depositos, after.paredes, after.bombas) == (m.depositos, m.paredes, m.bombas)
    assert after.historial == document.agregar_a_historial(after, m.historial)


@pytest.mark.slow
@pytest.mark.clause("K8", "K11")
@given(mapas())
def test_axioms_of_the_bomb(m: Mapa) -> None:
    assume(m.accion_ejecutable(Accion.EXPLOTAR))
    after = m.tirar_bomba()
    assert after.paredes == document.borrar_cruz(m.personaje, m.paredes)
    assert after.bombas == m.bombas - 1
    assert (after.personaje, after.cajas, after.depositos) == (m.personaje, m.cajas, m.depositos)
    assert after.historial == document.agregar_a_historial(after, m.historial)
    assert after.completado() == m.completado()  # K10


@pytest.mark.clause("K12")
@given(mapas(), st.data())
def test_axioms_of_going_back_as_settled(m: Mapa, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(m.historial) - 1))
    back, entry = m.retroceder(n), document.obtener_elem_de_secu(n, m.historial)
    assert Estado(back.personaje, back.bombas, back.cajas, back.depositos, back.paredes) == entry
    assert back.historial == document.borrar_ultimos(m.historial, n)


@pytest.mark.clause("K5", "K6", "K7")
@given(mapas(), st.sampled_from(Accion))
def test_accion_ejecutable_is_the_precondition(m: Mapa, accion: Accion) -> None:
    if accion is Accion.EXPLOTAR:
        expected = m.bombas > 0
    else:
        paso = PASOS[accion]
        behind = suma(m.personaje, paso, paso)
        expected = m.esta_libre(suma(m.personaje, paso)) or (
            document.es_caja(m.cajas, suma(m.personaje, paso)) and m.esta_libre(behind)
        )
    assert m.accion_ejecutable(accion) is expected
    if not expected:
        with pytest.raises(gp.IllegalAction):
            GENERADORES[accion](m)


@pytest.mark.clause("K4", "K5")
def test_free_cell_is_inside_the_grid_without_wall_or_box() -> None:
    m = document.crear_mapa((1, 0), 0, [(2, 0)], [(2, 1)], [(0, 1)], size := (4, 2))
    free = {(x, y) for x in range(-1, 6) for y in range(-1, 4) if m.esta_libre((x, y))}
    assert free == {(x, y) for x in range(size[0]) for y in range(size[1])} - {(2, 0), (0, 1)}
    assert not m.accion_ejecutable(Accion.ARRIBA)  # out of the grid
    assert m.mover_derecha().cajas == {(3, 0)}
    assert not m.mover_derecha().accion_ejecutable(Accion.DERECHA)  # the box would leave the grid


@pytest.mark.clause("K9")
def test_completed_means_boxes_on_depots_not_walls() -> None:
    m = document.crear_mapa((0, 0), 0, [(1, 0)], [(2, 0)], [(3, 0)])
    assert not m.completado()
    assert m.mover_derecha().completado()
    assert mapa("#####\n#@ *#\n#####\n").completado()


@pytest.mark.clause("K6", "K15")
def test_completed_map_can_still_be_moved() -> None:
    m = mapa("######\n#@$. #\n######\n").mover_derecha()
    assert m.completado()
    assert m.accion_ejecutable(Accion.DERECHA)
    assert m.mover_derecha().cajas == {(4, 1)}


@pytest.mark.clause("K12")
def test_going_back_brings_walls_and_bombs_back() -> None:
    start = mapa("#####\n#@$.#\n#####\nBombs: 2\n")
    m = start.tirar_bomba().tirar_bomba().mover_derecha()
    assert m.bombas == 0
    assert m.paredes < start.paredes
    assert m.retroceder(1).bombas == 0
    assert m.retroceder(2).bombas == 1
    assert m.retroceder(3) == start
    assert m.retroceder(0) == m
    assert m.retroceder(1).retroceder(1) == m.retroceder(2)


@pytest.mark.clause("K12")
@pytest.mark.parametrize("n", [-1, 3, True, 1.0, "1", None])
def test_going_back_too_far_is_refused(n: Any) -> None:
    m = mapa("#####\n#@ *#\n#####\nBombs: 2\n").tirar_bomba().tirar_bomba()
    with pytest.raises(gp.IllegalAction, match="from 0 to 2 can be"):
        m.retroceder(n)


@pytest.mark.clause("K11")
def test_history_refuses_to_go_back_by_its_own_length() -> None:
    m = mapa("#####\n#@$.#\n#####\n")
    assert len(m.historial) == 1
    with pytest.raises(gp.IllegalAction):
        m.retroceder(len(m.historial))


@pytest.mark.clause("K20")
def test_maps_are_equal_when_observers_and_grids_are() -> None:
    parts = ((1, 1), 1, [(2, 1)], [(3, 1)], [(0, 0)])
    m = document.crear_mapa(*parts)
    assert m == document.crear_mapa(*parts)
    assert hash(m) == hash(document.crear_mapa(*parts))
    assert m != document.crear_mapa(*parts, (9, 9))
    assert m != document.crear_mapa((1, 1), 2, *parts[2:])
    there_and_back = m.mover_izquierda().mover_derecha()
    assert (there_and_back.personaje, there_and_back.cajas) == (m.personaje, m.cajas)
    assert there_and_back != m  # their histories differ
    assert there_and_back.retroceder(2) == m


# -- other operations


@pytest.mark.clause("K11")
def test_agregar_a_historial_puts_the_newest_first() -> None:
    m = mapa("#####\n#@$.#\n#####\n")
    (first,) = document.agregar_a_historial(m, ())
    assert first == m.historial[0]
    after = m.mover_derecha()
    assert document.agregar_a_historial(after, (first,)) == after.historial
    assert after.historial[0].personaje == (2, 1)


def test_obtener_elem_de_secu_counts_from_the_first() -> None:
    assert [document.obtener_elem_de_secu(n, "abc") for n in range(3)] == ["a", "b", "c"]
    for n in (3, -1, True, "0"):
        with pytest.raises(gp.GridproofError, match="no element"):
            document.obtener_elem_de_secu(n, "abc")  # type: ignore[arg-type]  # what is tried


def test_borrar_ultimos_takes_the_newest_away() -> None:
    assert document.borrar_ultimos((3, 2, 1), 0) == (3, 2, 1)
    assert document.borrar_ultimos([3, 2, 1], 2) == (1,)
    assert document.borrar_ultimos((3, 2, 1), 9) == ()
    for n in (-1, False, "1"):
        with pytest.raises(gp.GridproofError, match="no natural number"):
            document.borrar_ultimos((1,), n)  # type: ignore[arg-type]  # what is tried


@pytest.mark.clause("K6")
def test_mover_caja_moves_that_box_alone() -> None:
    cajas = {(1, 1), (2, 1), (3, 3)}
    assert document.mover_caja((2, 1), cajas, (1, 0)) == {(1, 1), (3, 1), (3, 3)}
    assert document.mover_caja((0, 0), cajas, (1, 0)) == cajas
    assert cajas == {(1, 1), (2, 1), (3, 3)}


@pytest.mark.clause("K8")
def test_borrar_cruz_deletes_the_row_and_the_column() -> None:
    everywhere = set(CELDAS)
    left = document.borrar_cruz((1, 3), everywhere)
    assert left == {(x, y) for x, y in CELDAS if x != 1 and y != 3}
    assert document.borrar_cruz((1, 3), set()) == frozenset()


@pytest.mark.clause("K3")
@pytest.mark.parametrize(
    ("parts", "valid"),
    [
        (((0, 0), [(1, 0)], [(2, 0)], [(3, 0)]), True),
        (((0, 0), [(1, 0)], [(0, 0)], []), True),  # the player on a depot
        (((0, 0), [(1, 0)], [(1, 0)], []), True),  # completed from the start
        (((1, 0), [(1, 0)], [(2, 0)], []), False),
        (((3, 0), [(1, 0)], [(2, 0)], [(3, 0)]), False),
        (((0, 0), [(1, 0)], [(2, 0), (3, 0)], []), False),
        (((0, 0), [(1, 0)], [(2, 0)], [(1, 0)]), False),
        (((0, 0), [(1, 0)], [(2, 0)], [(2, 0)]), False),
        (((0, 0), [], [], []), False),
    ],
)
def test_nivel_valido(parts: Any, valid: bool) -> None:
    assert document.nivel_valido(*parts) is valid


def test_es_pared_and_es_caja_ask_for_membership() -> None:
    assert document.es_pared({(1, 2)}, (1, 2))
    assert not document.es_pared({(1, 2)}, (2, 1))
    assert document.es_caja({(1, 2)}, (1, 2))
    assert not document.es_caja(set(), (1, 2))
