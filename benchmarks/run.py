"""Run all benchmarks and print one table: how fast beside the peers, and whether the goals are reached."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import bleu
import chrf
import command
import correlation
import drop_ins
import edit_rates
import expected
import forests
import lattices
import lebleu
import mbr
import memory
import mert
import meteor
import mira
import nist
import one_pair
import orange
import report
import rewards
import rouge
import significance
import table
import tables
import ter
from table import Options, Row

#: The one that leaves much memory behind comes last.
BENCHMARKS: dict[str, Callable[[Options], Iterator[Row]]] = {
    "command": command.measure,
    "memory": memory.measure,
    "nist": nist.measure,
    "one-pair": one_pair.measure,
    "meteor": meteor.measure,
    "tables": tables.measure,
    "correlation": correlation.measure,
    "drop-ins": drop_ins.measure,
    "edit-rates": edit_rates.measure,
    "ter": ter.measure,
    "rouge": rouge.measure,
    "chrf": chrf.measure,
    "lebleu": lebleu.measure,
    "orange": orange.measure,
    "mbr": mbr.measure,
    "expected": expected.measure,
    "mira": mira.measure,
    "lattices": lattices.measure,
    "forests": forests.measure,
    "report": report.measure,
    "rewards": rewards.measure,
    "significance": significance.measure,
    "mert": mert.measure,
    "bleu": bleu.measure,
}


def rows(names: list[str], options: Options) -> Iterator[Row]:
    """All rows; a benchmark that cannot be run says so and does not stop the others."""
    for name in names:
        try:
            yield from BENCHMARKS[name](options)
        except (ImportError, RuntimeError, OSError) as error:
            yield Row(name, note=str(error))


def main() -> None:
    """Run what was asked for."""
    parser = table.parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    given = parser.parse_args()
    start = time.perf_counter()
    measured = table.show(rows(given.only or list(BENCHMARKS), table.options_of(given)))
    status = table.finish(measured, given.json)
    print(f"It took {time.perf_counter() - start:.0f} s.")
    sys.exit(status)


if __name__ == "__main__":
    main()
