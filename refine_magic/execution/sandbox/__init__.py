"""The processes around a kernel: stand-alone code that starts it, confines it and leaves nothing of it behind.

Standard library only (a kernel itself also needs zmq and jupyter_client), so that any Python of version 3.10 or later
runs it by its path, whether or not refine-magic is installed there.
"""
