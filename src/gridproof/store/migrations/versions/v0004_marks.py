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
    connection = op.get_bind()  # in one pass: SQLite knows UPDATE ... FROM only since 3.33
    names = connection.scalars(sa.text("SELECT id FROM sessions ORDER BY changed, id"))
    numbered = [{"name": name, "number": number} for number, name in enumerate(names, 1)]
    if numbered:
        connection.execute(sa.text("UPDATE sessions SET revision = :number WHERE id = :name"), numbered)
    op.create_index("ix_sessions_revision", "sessions", ["revision"])
