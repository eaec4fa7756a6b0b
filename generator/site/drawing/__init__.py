"""Charts and the map.

Start with `charts.py`.
"""
