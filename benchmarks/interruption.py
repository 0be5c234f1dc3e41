"""How soon metrics hear Ctrl-C inside one long segment: CPU seconds from a signal to its handler, most of several.

How much of the CPU time goes into asking for the time, with perf:

    perf record -o clock.data python benchmarks/interruption.py --metric ter
    perf report -i clock.data --stdio | grep -E "clock_gettime|vdso|PyErr_CheckSignals"
"""

from __future__ import annotations

import argparse
import signal
import time

import numpy as np

import tricolore as tri
from tricolore.metrics import every_metric

AFTER, REPEATS, LIMIT = 0.25, 3, 0.3


class HeardError(Exception):
    """Raised by the handler."""


def long_text(seed: int, words: int) -> str:
    """Words of a few hundred types."""
    return " ".join(f"w{word}" for word in np.random.default_rng(seed).integers(300, size=words))


def delay(metric: tri.Metric, hypothesis: str, reference: str) -> float | None:
    """Seconds from a signal until it is heard; None if the segment is counted before."""
    heard = []

    def handler(*_: object) -> None:
        heard.append(time.process_time())
        raise HeardError

    before = signal.signal(signal.SIGPROF, handler)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, AFTER)
        metric([hypothesis], [reference], threads=1)
    except HeardError:
        return heard[0] - start - AFTER
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return None


def main() -> None:
    """One line per metric."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metric", help="only this one")
    parser.add_argument("--words", type=int, default=30_000, help="words of each text (default: 30000)")
    options = parser.parse_args()
    names = [options.metric] if options.metric else sorted(every_metric())
    texts = long_text(1, options.words), long_text(2, options.words)
    for name in names:
        metric = tri.metric(name)
        metric(["a b"] * 2, ["a c"] * 2)  # so that all that is needed is loaded
        delays = [delay(metric, *texts) for _ in range(REPEATS)]
        late = [one for one in delays if one is not None]
        verdict = "counted before" if not late else f"{max(late):.3f} s  {'ok' if max(late) <= LIMIT else 'late'}"
        print(f"{name:12} {verdict}", flush=True)


if __name__ == "__main__":
    main()
