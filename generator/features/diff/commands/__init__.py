"""The command of the comparison."""
