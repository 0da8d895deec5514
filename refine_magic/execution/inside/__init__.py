"""What is sent into a kernel: stand-alone code that loads a candidate and answers in plain data."""
