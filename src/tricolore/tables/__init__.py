"""Tables, however long: batches in, sums of rows by group out."""
