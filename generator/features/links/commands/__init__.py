"""The command `registry links`."""
