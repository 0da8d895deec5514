"""The processes around a kernel: stand-alone code that starts it, confines it and leaves nothing of it behind.

Standard library only (an ipykernel needs its own modules besides), so that any Python of version 3.10 or later
runs it by its path, whether or not refine-magic is installed there.
"""
