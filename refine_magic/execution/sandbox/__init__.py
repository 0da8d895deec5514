"""The processes around a kernel: stand-alone code that starts it, confines it and leaves nothing of it behind."""
