"""Characters and words of any language: folded, split, made into slugs; and suspect characters."""
