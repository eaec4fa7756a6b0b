"""Matching: which records the names, websites and identifiers of other tables mean.

For people who clean a table with OpenRefine or `registry match`, and for agents.  Adds the
addresses `/api/reconcile/<collection>` (the Reconciliation Service API), the tool `match_names` and
the command `match`.  Their JavaScript is in the bundles of the core, also without this folder.
"""
