"""Two published states held against each other, and whether the newer one may be published."""
