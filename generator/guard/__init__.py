"""Compares two published states and decides whether the newer one may be published."""
