"""Guards: what a publish may lose since the last one, and what each must have.

Start with `limits.py`. May import agent and below, not outputs, hosts or site.
"""
