"""The levels of sessions apart, each pack once: a change of a session wrote all of its levels again."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

packs = sa.table("packs", sa.column("id", sa.String), sa.column("text", sa.Text))
sessions = sa.table("sessions", sa.column("id", sa.String), sa.column("levels", sa.Text))


def upgrade() -> None:
    """Make the table; what sessions have under `levels` is their pack's id from now on."""
    op.create_table(
        "packs",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    connection, known = op.get_bind(), set[str]()
    there = sa.update(sessions).where(sessions.c.id == sa.bindparam("session"))
    for name in connection.scalars(sa.select(sessions.c.id)).all():
        text = connection.scalars(sa.select(sessions.c.levels).where(sessions.c.id == name)).one()
        pack = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        if pack not in known:
            known.add(pack)
            connection.execute(sa.insert(packs), {"id": pack, "text": text})
        connection.execute(there.values(levels=pack), {"session": name})
