"""How a check is judged: taken apart, asked of the candidate, compared on the host."""
