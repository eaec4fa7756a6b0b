"""What the last build made and what it made it from, kept for the next build.

Start with `store.py`.
"""
