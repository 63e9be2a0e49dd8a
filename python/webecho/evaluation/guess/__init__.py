"""Why two pages differ, guessed from their words."""
