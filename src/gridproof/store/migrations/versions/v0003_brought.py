"""The points that the levels of a session began with."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column: so far nothing was kept of them."""
    op.add_column("plays", sa.Column("brought", sa.BigInteger, nullable=False, server_default="0"))
