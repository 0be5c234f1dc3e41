"""Score a small example that ships with the package.

Four made-up systems translate the same twelve sentences; two references say what was meant.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

METRICS = ("bleu", "bleu(smooth=7)", "bleu-sbp", "bleus(order=2)", "char-bleu(order=6)", "nist")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing to say."""


def run(options: argparse.Namespace) -> None:
    """Print a table of systems and metrics."""
    from ..examples import REFERENCES, SYSTEMS, lines
    from ..metrics import metric
    from ..segments import References
    from .results import Result, print_text

    references = References.from_streams([lines(name) for name in REFERENCES])
    outputs = {name: lines(name) for name in SYSTEMS}
    metrics = [metric(text) for text in METRICS]
    results = [Result(name, m, m(output, references)) for name, output in outputs.items() for m in metrics]
    print(f"{len(SYSTEMS)} systems, {len(references)} segments, {len(REFERENCES)} references. Higher is better.\n")
    print_text(results, None)
    hasty = next(r.score for r in results if r.system == "hasty")
    print(
        "\nWhy is 'hasty' last? It says little that is wrong, but leaves half of it out, which the precisions\n"
        "do not see and the brevity penalty (BP) does:\n\n"
        f"  {hasty.format(1)}\n\n"
        "Now your own files ('make demo' puts the command into .venv/bin):\n\n"
        "  tricolore score REFERENCE [REFERENCE ...] -i OUTPUT [OUTPUT ...] -m bleu nist"
    )
