"""Where the text comes from: a server, a tape, a process of our own. Adapters do not import each other."""
