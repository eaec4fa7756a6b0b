"""A published registry as its readers see it, in a folder or over HTTP."""
