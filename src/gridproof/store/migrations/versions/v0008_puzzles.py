"""Puzzles that servers make ahead."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.String(200), primary_key=True),
        sa.Column("series", sa.String(150), nullable=False, index=True),
        sa.Column("claimed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("trace", sa.Text, nullable=True),
    )
