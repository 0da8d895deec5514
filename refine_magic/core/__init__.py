"""The words and the algorithm: pure Python that knows no Jupyter, no HTTP, no clock and no file."""
