"""Lattices and forests: many translations in a compact form, and what a metric can choose from them."""

from .forest import Forest, Node
from .graph import Path
from .lattice import Lattice
from .ngram_table import NgramGain, NgramTable

__all__ = ["Forest", "Lattice", "NgramGain", "NgramTable", "Node", "Path"]
