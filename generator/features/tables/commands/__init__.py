"""The commands `registry export` and `registry import`."""
