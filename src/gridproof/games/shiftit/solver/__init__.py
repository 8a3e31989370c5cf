"""Shift It's own searches: from both ends where the wins can be listed, and up to symmetry of identical tiles."""
