"""The development server: answers, who may ask, and what is read after a save.

Start with `answer.py`. May import published and below.
"""
