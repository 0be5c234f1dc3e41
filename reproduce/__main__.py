"""Write the pages of docs/reproduction: `python -m reproduce DATA [PAPER...]`, all papers by default, two at a time."""

from __future__ import annotations

import argparse
import importlib
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from .data import missing
from .index import PAPERS, write_index, write_page


def main() -> int:
    """Write pages, and then the index."""
    parser = argparse.ArgumentParser(prog="python -m reproduce", description="write the pages of docs/reproduction")
    parser.add_argument("data", type=Path, help="folder of the data; docs/reproduction/README.md says what is in it")
    parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"{', '.join(PAPERS)} (default: all)")
    asked = parser.parse_args()
    for paper in asked.papers:
        if paper not in PAPERS:
            parser.error(f"unknown paper {paper!r}; expected one of {', '.join(PAPERS)}")
    papers = asked.papers or [*PAPERS]
    needs = [name for paper in papers for name in importlib.import_module(f"reproduce.{paper}").NEEDS]
    if lacking := missing(asked.data, [*dict.fromkeys(needs)]):
        print(lacking, file=sys.stderr)
        return 1
    with ProcessPoolExecutor(2, max_tasks_per_child=1) as pool:
        for job in as_completed(pool.submit(write_page, paper, str(asked.data)) for paper in papers):
            paper, seconds = job.result()
            print(f"{paper}: {seconds:.0f} s of processor time", flush=True)
    write_index()
    return 0


if __name__ == "__main__":
    sys.exit(main())
