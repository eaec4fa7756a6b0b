"""Records as rows of a table: out to spreadsheets and other programs, and in from them."""
