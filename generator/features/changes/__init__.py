"""Every change of the history, in pages, and copies that follow a registry.

For whoever keeps a copy and wants to know what happened since.  Adds the key `publish.changes`,
pages of all changes below `/api/changes/`, the time of the last change in files of records,
`registry sync`, and `/changes/` with its feed.  The latest changes, `/api/changes.json`, are of the
core: the home page and coverage.json need them.
"""
