"""The published shapes, their lock, and what would break a consumer."""
