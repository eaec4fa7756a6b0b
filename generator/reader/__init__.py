"""Read a published registry from a folder or over HTTP."""
