"""Tables: the conversation with a player, without printing; every front end is a view of a table."""
