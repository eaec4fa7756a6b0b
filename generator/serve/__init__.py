"""The development server: requests, who may ask, what tells it of saved files."""
