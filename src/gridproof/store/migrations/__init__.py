"""Alembic's folder: one module a step of the schema."""
