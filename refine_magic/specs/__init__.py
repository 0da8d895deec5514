"""From what the user wrote to a Problem: the prompt, its doctest examples, and the checks below it."""
