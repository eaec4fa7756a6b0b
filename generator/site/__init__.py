"""Pages for people, made from the files of the API.

Start with `page_context.py`. May import agent and below, not outputs, hosts or guard.
"""
