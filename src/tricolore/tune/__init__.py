"""Let a metric choose: weights of features over n-best lists, and the best of what there is."""
