"""New registries (`registry init`), upgrades, and JSON Schemas for editors.

Start with `init.py`.
"""
