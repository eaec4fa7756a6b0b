"""The search index: its format, how it is built, and the engine that answers from it.

Start with `format.py`. May import contract and below. `js/` is the same engine in JavaScript.
"""
