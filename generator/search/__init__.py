"""The search index: its format, how it is made, and the engine that answers from it."""
