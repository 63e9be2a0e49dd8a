"""One file a verb: its *request*, what the user wants, checked when it is made; the function that
answers it, for the command line and Python alike; and the function that Python programs call."""
