"""Tools for language models: their inputs, checks of arguments, and answers of a bounded size."""
