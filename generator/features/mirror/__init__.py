"""Mirror: a copy of a published registry, kept up to date and checked with its manifest.

For hosts and readers that want their own copy.  Adds `registry mirror`.
"""
