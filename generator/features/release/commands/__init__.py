"""The command `registry release`."""
