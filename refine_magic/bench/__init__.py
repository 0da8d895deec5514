"""Measurements: of ourselves (`speed`), and of models and strategies."""
