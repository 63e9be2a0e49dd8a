"""A made-up web that changes from one crawl to the next."""
