"""Run by Alembic: the connection comes from the store that asks for the migration."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
