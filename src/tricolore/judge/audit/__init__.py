"""`audit`: what a metric rewards, what it misses, and how it can be gamed, on the user's own texts."""
