"""Finished traces, and the best counts of each level."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "traces",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("level", sa.String(64), nullable=False, index=True),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.Text, nullable=False),
    )
    op.create_table(
        "bests",
        sa.Column("level", sa.String(64), primary_key=True),
        sa.Column("measure", sa.String(64), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("trace", sa.Integer, sa.ForeignKey("traces.id"), nullable=False),
    )
