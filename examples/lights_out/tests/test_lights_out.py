"""The conformance of lights out, and its last clause."""

import pytest
from gridproof_lights_out import GAME, Press

import gridproof as gp
from gridproof.testing import check_game


def test_keeps_what_every_front_end_relies_on() -> None:
    check_game(GAME)


@pytest.mark.clause("L4")
def test_won_when_dark() -> None:
    (level,) = gp.read("lights:\nOO\n")
    (outcome,) = level.start().outcomes(Press(1, 0))
    assert outcome.position.status is gp.Status.WON
    assert outcome.position.actions() == ()
    with pytest.raises(gp.IllegalAction):
        outcome.position.outcomes(Press(0, 0))
