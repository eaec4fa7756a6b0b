"""Changes to the content that keep what people wrote as it is, done whole or not at all."""
