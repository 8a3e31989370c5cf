"""A mark of each change, revisions in the order of all changes, and steps that no longer count."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; so far all steps count, and the sessions are in the order of the clock."""
    op.add_column("sessions", sa.Column("mark", sa.String(32), nullable=False, server_default=""))
    op.add_column("plays", sa.Column("length", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE plays SET length = (SELECT count(*) FROM steps"
        " WHERE steps.session = plays.session AND steps.place = plays.place)"
    )
    op.execute(
        "UPDATE sessions SET revision = ordered.number"
        " FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY changed, id) AS number FROM sessions) AS ordered"
        " WHERE ordered.id = sessions.id"
    )
    op.create_index("ix_sessions_revision", "sessions", ["revision"])
