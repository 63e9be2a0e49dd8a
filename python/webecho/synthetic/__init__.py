"""A made-up web in which it is known what repeats what."""
