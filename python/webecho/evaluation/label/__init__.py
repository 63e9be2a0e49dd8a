"""What people say of pairs: the page they say it on, and the file it is kept in."""
