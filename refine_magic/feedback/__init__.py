"""E = extract_errors(R): the words in which the model is told what failed, bounded, quoted as data."""
