"""Charts, the map and the preview card.

Start with `charts.py`.
"""
