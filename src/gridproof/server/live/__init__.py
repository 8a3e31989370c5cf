"""Sessions over WebSockets: one live session for all of its viewers."""
