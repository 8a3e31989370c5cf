"""Current tables; `migrations/versions` has their history."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

packs = sa.Table(
    "packs",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),  # a hash of the text
    sa.Column("text", sa.Text, nullable=False),  # levels in their game's own format
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("levels", sa.Text, nullable=False),  # the id of their pack
    sa.Column("seed", sa.String(20), nullable=False),  # 64 bits without a sign: an integer column has 63
    sa.Column("current", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False, index=True),  # the session changed last has the largest
    sa.Column("changed", sa.DateTime(timezone=True), nullable=False),  # the clock may go back
    sa.Column("mark", sa.String(32), nullable=False, server_default=""),  # unique to the last change
)

plays = sa.Table(
    "plays",
    metadata,
    sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("seed", sa.String(20), nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("finished", sa.Boolean, nullable=False),
    sa.Column("brought", sa.BigInteger, nullable=False, server_default="0"),  # points, at the start
    sa.Column("length", sa.Integer, nullable=False, server_default="0"),  # steps beyond it do not count
    sa.Column("helped", sa.Boolean, nullable=False, server_default=sa.false()),  # by hints
    sa.Column("programs", sa.Text, nullable=False, server_default="{}"),  # JSON: actor -> strategy
)

steps = sa.Table(
    "steps",
    metadata,
    sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1; from `done` to `length` they can be redone
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
)

scores = sa.Table(
    "scores",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),  # the game and what its levels share (T4)
    sa.Column("best", sa.BigInteger, nullable=False),
)

traces = sa.Table(
    "traces",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("level", sa.String(64), nullable=False),  # digest of the level's content
    sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
    sa.Column("trace", sa.Text, nullable=False),  # JSON
    sa.Column("content", sa.String(64), nullable=False, server_default=""),  # its hash
    sa.Index("ix_traces_level_content", "level", "content"),
)

bests = sa.Table(
    "bests",
    metadata,
    sa.Column("level", sa.String(64), primary_key=True),
    sa.Column("measure", sa.String(64), primary_key=True),
    sa.Column("value", sa.BigInteger, nullable=False),
    sa.Column("trace", sa.Integer, sa.ForeignKey("traces.id"), nullable=False),
)

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column(
        "session", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    sa.Column("actor", sa.String(64), nullable=True),  # the only actor of a guest; null for all
    sa.Column("plays", sa.Boolean, nullable=False),
)

ranks = sa.Table(
    "ranks",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("level", sa.String(64), nullable=False),  # digest of the level's content
    sa.Column("measure", sa.String(64), nullable=False),
    sa.Column("player", sa.String(64), nullable=False),
    sa.Column("value", sa.BigInteger, nullable=False),
    sa.Column("reached", sa.DateTime(timezone=True), nullable=False),
    sa.Column("trace", sa.Text, nullable=False),  # JSON
    sa.UniqueConstraint("level", "measure", "player"),
)

puzzles = sa.Table(
    "puzzles",
    metadata,
    sa.Column("id", sa.String(200), primary_key=True),  # as players type it
    sa.Column("series", sa.String(150), nullable=False, index=True),  # game, kind and difficulty
    sa.Column("claimed", sa.DateTime(timezone=True), nullable=False),  # when a server began to make it
    sa.Column("trace", sa.Text, nullable=True),  # JSON, with the level; null until it is made
)
