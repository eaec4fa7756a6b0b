"""Safe work in folders that others can write to: lock, exchange, digests.

Start with `output_state.py`. Imports no other package of the generator.
"""
