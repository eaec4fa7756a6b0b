"""The command of the changes."""
