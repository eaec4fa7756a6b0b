"""Stars: the projects whose repositories people like most."""
