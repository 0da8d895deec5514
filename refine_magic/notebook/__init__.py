"""The ``%%refine`` magic and what it shows."""
