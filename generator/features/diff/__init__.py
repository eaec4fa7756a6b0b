"""Differences: two published states compared, and what breaks those who read the registry.

For maintainers who review a change or publish it.  Adds `registry diff`, which compares records,
lists, the guards and the rules of the contract (docs/guards.md), as text, JSON or a comment on a
pull request.  The guards and approvals.yaml are of the core, because a build stops at a loss.
"""
