"""The games: one package each, found by their names; `null` is the template for a new one."""
