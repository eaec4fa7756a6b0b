"""Safe access to folders that anyone may have written to, and recovery after a killed build."""
