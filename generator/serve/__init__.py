"""The development server: its builds, its answers, and the check of who may send requests."""
