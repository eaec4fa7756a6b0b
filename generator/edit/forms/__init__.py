"""GitHub issue forms, and records made from the issues that people submit.

Start with `submit.py`.
"""
