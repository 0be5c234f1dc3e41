"""Modules whose examples cannot run here, because what they adapt is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torchmetrics") else ["src/tricolore/adapters/torchmetrics.py"]
