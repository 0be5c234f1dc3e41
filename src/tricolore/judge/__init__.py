"""Judge whether a difference between systems is real, and whether a metric is any good."""
