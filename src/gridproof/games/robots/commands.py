"""Extra commands of Robots: races to be watched."""

COMMANDS = {"watch": "gridproof.games.robots.race"}
