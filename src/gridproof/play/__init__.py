"""Front ends: lines of text, reports; each reads looks and sessions, none is known to a game."""
