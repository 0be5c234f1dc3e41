"""Correlation of metrics with human ratings."""
