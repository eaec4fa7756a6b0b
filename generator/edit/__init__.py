"""Changes to content that keep what people wrote, and are made whole or not at all.

Start with `changes.py`. May import build and below. `starting/` makes new registries.
"""
