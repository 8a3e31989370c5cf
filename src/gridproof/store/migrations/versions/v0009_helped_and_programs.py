"""Hints and programs of each play."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the columns; older plays count as played without hints and programs."""
    helped = sa.Column("helped", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("plays", helped)
    op.add_column("plays", sa.Column("programs", sa.Text, nullable=False, server_default="{}"))
