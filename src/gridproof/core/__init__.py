"""Common parts of all games: the protocol, sessions, traces, packs, chance, limits and errors."""
