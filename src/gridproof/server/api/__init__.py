"""REST routes and their schemas."""
