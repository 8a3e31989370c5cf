"""Commands of Shift It: models, claims, runs and properties of structures."""

COMMANDS = {
    "model": "gridproof.games.shiftit.idp.model",
    "claims": "gridproof.games.shiftit.claims.commands",
    "runs": "gridproof.games.shiftit.claims.commands",
    "properties": "gridproof.games.shiftit.claims.commands",
}
