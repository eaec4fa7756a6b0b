"""What people who write records are given: a new registry, and what helps them in their editors."""
