"""Run benchmarks and print one table: how fast beside the peers, and whether bars and goals are reached."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from importlib import import_module

import table
from table import Options, Row

#: What can be asked for: a function of a script that yields rows. Those that leave much memory behind come last.
BENCHMARKS = {
    "start": "command.start",
    "command": "command.scoring",
    "long-files": "command.long_files",
    "memory": "memory.measure",
    "build": "build.measure",
    "polling": "polling.measure",
    "one-pair": "one_pair.measure",
    "drop-ins": "drop_ins.measure",
    "nist": "nist.measure",
    "meteor": "meteor.measure",
    "rouge": "rouge.measure",
    "edit-rates": "edit_rates.measure",
    "ter": "ter.measure",
    "chrf": "chrf.measure",
    "lebleu": "lebleu.measure",
    "rewards": "rewards.measure",
    "pairwise": "pairwise.measure",
    "mbr": "mbr.measure",
    "mbr-samples": "pairwise.samples",
    "correlation": "correlation.measure",
    "correlate": "correlation.commands",
    "significance": "significance.measure",
    "orange": "orange.measure",
    "expected": "expected.measure",
    "mira": "mira.measure",
    "mert": "mert.measure",
    "lattices": "lattices.measure",
    "forests": "forests.measure",
    "report": "report.measure",
    "tables": "tables.measure",
    "bleu": "bleu.measure",
}


def rows(names: list[str], options: Options) -> Iterator[Row]:
    """All rows; a benchmark that cannot be run says so and does not stop the others."""
    for name in names:
        script, function = BENCHMARKS[name].split(".")
        try:
            yield from getattr(import_module(script), function)(options)
        except (ImportError, RuntimeError, OSError) as error:
            yield Row(name, note=str(error))


def main() -> None:
    """Run what was asked for."""
    parser = table.parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    given = parser.parse_args()
    began = time.perf_counter()
    measured = table.show(rows(given.only or list(BENCHMARKS), table.options_of(given)))
    status = table.finish(measured, given.json)
    print(f"It took {time.perf_counter() - began:.0f} s.")
    sys.exit(status)


if __name__ == "__main__":
    main()
