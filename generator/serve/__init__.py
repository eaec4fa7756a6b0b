"""The development server: answers, who may ask, and builds after saved files.

Start with `answer.py`. May import build and below.
"""
