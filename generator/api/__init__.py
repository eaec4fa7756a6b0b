"""What may be asked of a published registry and what is answered: addresses, grammar, problems,
lists, headers, diagnostics.
"""
