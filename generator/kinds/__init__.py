"""What records are: the types of their fields, and what a kind declares."""
