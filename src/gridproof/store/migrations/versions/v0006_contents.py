"""A hash of each trace: whether a win is kept already is found without reading all of its level's."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; traces from before have none, so that one of them may be kept once more."""
    op.add_column("traces", sa.Column("content", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_traces_level_content", "traces", ["level", "content"])
    op.drop_index("ix_traces_level", "traces")
