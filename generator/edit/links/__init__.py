"""Whether the addresses in records still answer (`registry links`)."""
