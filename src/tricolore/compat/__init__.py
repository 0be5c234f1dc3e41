"""Drop-ins for other packages: their names, their shapes and their numbers, computed here."""
