"""Players by language models, with models that are stubs."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.agents.evaluation import play, summary
from gridproof.agents.language import LanguagePlayer, parse_reply, position_text, prompt_text, rules_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "language_model" / "play.py"
LEVELS = {
    "sokoban": "sokoban/first-steps/1",
    "twenty48": "twenty48/standard/1",
    "shiftit": "shiftit-easy/1",
    "robots": "robots/duels/1",
    "null": "null/first/1",
}


@pytest.mark.parametrize("name", LEVELS)
def test_prompt_has_rules_board_legend_and_actions(name: str) -> None:
    position = gp.level(LEVELS[name]).start(1)
    game = position.level.game
    prompt = prompt_text(position)
    assert prompt.startswith(rules_text(game) + "\n" + position_text(position))
    assert all(f"{number}: {text}" in prompt for number, text in game.clauses.items())
    assert game.meaning in prompt
    assert position.text() in prompt
    assert "not valid" not in prompt
    assert "Your last reply was not valid: x.\n" in prompt_text(position, "x")
    listed = prompt.split("Possible actions: ")[1].split("\n")[0]
    for action in position.actions():
        assert str(action) in listed
        assert parse_reply(f"Action: {action}", position) == action


def test_legend_names_pieces() -> None:
    text = position_text(gp.level(LEVELS["sokoban"]).start())
    assert "\n$ = box\n" in text
    assert "\n# = wall\n" in text


@pytest.mark.parametrize(
    "reply",
    [
        "down",
        " `Down`. ",
        "Action: down",
        "**Action:** down",
        '- action : "DOWN"',
        "Action: right\nNo, better:\nAction: down\n",
        "Action: <down>",
        "Final action: [down]",
        "### Action:\ndown",
        "**Action:**\n\n`down`",
        "I would go right, but then the box is stuck.\n\n> Action: *down*.\nThank you",
    ],
)
def test_reply_is_parsed(reply: str) -> None:
    assert str(parse_reply(reply, gp.level(LEVELS["sokoban"]).start())) == "down"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", r"it has no line 'Action: \.\.\.'; the possible actions are down, right$"),
        ("I think\nof down", r"it has no line 'Action: \.\.\.'"),
        ("Action:", "its last line 'Action:' has no action; the possible actions are down, right$"),
        ("Action: down\n\nAction: ", "its last line 'Action:' has no action"),
        ("Action: up", "'up' is not possible here; the possible actions are down, right$"),
        ("Action: jump", "'jump' is no action; the possible actions are down, right$"),
        ("Action: down, right", "'down, right' is no action"),
        (None, "a reply must be a text, not NoneType"),
    ],
)
def test_wrong_reply_says_what_is_wrong(reply: Any, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        parse_reply(reply, gp.level(LEVELS["sokoban"]).start())


def test_model_is_told_what_was_wrong_and_asked_again() -> None:
    prompts: list[str] = []
    replies = iter(("Action: up", "Hm", "Action: right"))

    def model(prompt: str) -> str:
        prompts.append(prompt)
        return next(replies)

    player = LanguagePlayer(gp.game("sokoban"), model)
    assert str(player(gp.level(LEVELS["sokoban"]).start())) == "right"
    assert "'up' is not possible here" in prompts[1]
    assert "'Hm' is no action" in prompts[2]
    assert (player.prompts, player.errors, player.random_actions) == (3, 2, 0)
    assert str(player) == "a language model that plays sokoban: 3 prompts, 2 errors, 0 random actions"


def test_random_action_is_played_after_last_attempt() -> None:
    position = gp.level(LEVELS["twenty48"]).start(1)
    player = LanguagePlayer(position.level.game, lambda prompt: "?", seed=4, attempts=2)
    drawn = gp.player("twenty48", "random", seed=4)
    assert [player(position) for _ in range(5)] == [drawn(position) for _ in range(5)]
    assert (player.prompts, player.errors, player.random_actions) == (10, 10, 5)
    assert set(player.values(position).values()) == {0.0, 1.0}
    with pytest.raises(gp.GridproofError, match="a model must be asked at least once"):
        LanguagePlayer(position.level.game, lambda prompt: "?", attempts=0)


def test_error_of_a_model_is_an_error_of_the_player() -> None:
    def model(prompt: str) -> str:
        raise ConnectionError("no network")

    player = gp.player("sokoban", LanguagePlayer(gp.game("sokoban"), model))
    with pytest.raises(gp.GridproofError, match="ConnectionError: no network"):
        player(gp.level(LEVELS["sokoban"]).start())


@pytest.mark.parametrize("name", LEVELS)
def test_example_plays_every_game(name: str) -> None:
    result = play(gp.level(LEVELS[name]), f"{EXAMPLE}:Player", 1, 5)
    assert 1 <= result.actions <= 5


def test_counts_are_those_of_each_game() -> None:
    level = gp.level(LEVELS["twenty48"])
    replies = itertools.cycle(("Action: left", "Action: up", "Action: right", "Hm", "Action: down"))
    player = LanguagePlayer(level.game, lambda prompt: next(replies))
    results = [play(level, player, seed, 10) for seed in (1, 2)]
    assert player.counts["wrong replies"] == sum(one.counts["wrong replies"] for one in results) > 0
    assert summary(level.game, "model", results)["counts"] == player.counts
    unknown = play(level, Uncounted(), 1, 3)
    assert unknown.counts == {}
    assert "counts" not in summary(level.game, "other", [unknown])


class Uncounted:
    """Player whose `counts` are no mapping."""

    counts = 3

    def __call__(self, position: Any) -> Any:
        return position.actions()[0]
