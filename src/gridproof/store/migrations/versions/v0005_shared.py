"""Other ids of sessions, for guests, and the scores of many players."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("actor", sa.String(64), nullable=True),
        sa.Column("plays", sa.Boolean, nullable=False),
    )
    op.create_index("ix_invitations_session", "invitations", ["session"])
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
