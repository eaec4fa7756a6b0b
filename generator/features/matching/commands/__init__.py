"""The command `registry match`."""
