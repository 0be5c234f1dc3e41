"""Drop-ins for other packages: the same names, arguments and numbers, counted by the native core."""
