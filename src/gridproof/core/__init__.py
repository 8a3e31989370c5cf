"""What every game shares: the protocol, sessions, traces, packs, chance, limits and errors."""
