"""Front ends: pictures, reports, lines of text; each reads looks and sessions, none is known to a game."""
