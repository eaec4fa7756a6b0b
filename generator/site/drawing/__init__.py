"""Charts, the map, colours and the preview card.

Start with `charts.py`.
"""
