"""The commands `registry forms` and `registry submit`."""
