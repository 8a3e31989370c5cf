"""Extra commands of 2048: networks to be trained."""

COMMANDS = {"train": "gridproof.games.twenty48.train"}
