"""ORANGE: metrics judged by where they rank references in n-best lists."""
