"""IDP3's texts: boards and runs as structures of the source document's vocabulary, and whether they are models."""
