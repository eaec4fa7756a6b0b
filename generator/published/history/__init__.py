"""What git knows of a content folder: its commit, and the changes of its records."""
