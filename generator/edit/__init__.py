"""Changes to the content that keep what people wrote.  All changes of a plan are made, or none."""
