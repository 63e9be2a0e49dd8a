"""A made-up web over time, in which new pages are composed of old ones (Baeza-Yates 2007)."""
