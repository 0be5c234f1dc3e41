"""The papers behind Tricolore, computed anew on public data: a module per paper, each writes a page of the docs."""
