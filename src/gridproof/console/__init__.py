"""Front ends in lines: text for people, JSON lines for programs."""
