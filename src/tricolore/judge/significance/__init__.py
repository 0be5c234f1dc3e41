"""Confidence intervals, and paired tests between systems."""
