"""All tables of the first release."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "packs",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("levels", sa.Text, nullable=False),
        sa.Column("seed", sa.String(20), nullable=False),
        sa.Column("current", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, index=True),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mark", sa.String(32), nullable=False, server_default=""),
    )
    op.create_table(
        "plays",
        _session(primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("seed", sa.String(20), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("brought", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("length", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "steps",
        _session(primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(32), primary_key=True),
        _session(nullable=False, index=True),
        sa.Column("actor", sa.String(64), nullable=True),
        sa.Column("plays", sa.Boolean, nullable=False),
    )
    op.create_table(
        "scores",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("best", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "traces",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.Text, nullable=False),
        sa.Column("content", sa.String(64), nullable=False, server_default=""),
        sa.Index("ix_traces_level_content", "level", "content"),
    )
    op.create_table(
        "bests",
        sa.Column("level", sa.String(64), primary_key=True),
        sa.Column("measure", sa.String(64), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("trace", sa.Integer, sa.ForeignKey("traces.id"), nullable=False),
    )
    op.create_table(
        "ranks",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Column("measure", sa.String(64), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("reached", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.Text, nullable=False),
        sa.UniqueConstraint("level", "measure", "player"),
    )


def _session(**options: Any) -> sa.Column[str]:
    return sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), **options)
