"""Two published states compared: what breaks a client, and whether the newer one may be published.

Start with `comparison.py`. May import agent and below, not outputs, hosts or site.
"""
