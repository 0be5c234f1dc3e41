"""Lattices and forests: many translations in little room, and what a metric can choose from them."""

from .forest import Forest, Node
from .lattice import Lattice
from .ngram_table import NgramGain, NgramTable
from .path import Path

__all__ = ["Forest", "Lattice", "NgramGain", "NgramTable", "Node", "Path"]
