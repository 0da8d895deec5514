"""A fresh kernel for each candidate, and the verdict, computed on the host from plain data."""
