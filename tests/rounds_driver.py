"""A process that tunes with a decoder, for tests that end it in the middle: python rounds_driver.py SETTINGS.

SETTINGS is JSON: what a Loop takes, as text, and `hold`: where to stop and wait to be ended.
"""

import json
import signal
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tricolore import References, metric
from tricolore.errors import TricoloreError
from tricolore.tuning.rounds import Loop
from tricolore.tuning.task import Selection
from tricolore.weights import Weights


@dataclass(frozen=True)
class RandomSearch:
    """Tries weights near the best so far: slow to get anywhere, but easy to trust."""

    tries: int = 60
    name = "random-search"

    def tune(self, task, start, seed, watch=None):
        task.check()
        rng = np.random.default_rng(seed)
        selection = Selection(task, watch, self.tries)
        selection.see(start)
        for _ in range(self.tries):
            moved = selection.best.weights + rng.normal(scale=0.3, size=len(start))
            selection.see(task.bounds.project(moved))
        return selection.tuned()

    def signature(self):
        return {"tries": self.tries}


def written(name, text):
    """Write a file that tests wait for."""
    Path(name).write_text(text)


def loop_of(settings):
    """The loop that settings describe."""
    from toy_decoder import REFERENCES, START

    start = dict(line.split("=") for line in settings.pop("start", START).strip().split("\n"))
    references = References(settings.pop("references", REFERENCES))
    references.path = settings.pop("path", None)
    return Loop(
        references=references,
        start=Weights({name: tuple(map(float, values.split())) for name, values in start.items()}, "start.txt"),
        metric=metric(settings.pop("metric", "bleu(smooth=2)")),
        report=metric(settings.pop("report", "bleu(smooth=2)")),
        tuner=RandomSearch(settings.pop("tries", 60)),
        **settings,
    )


def stop(number, _):
    """As the command does."""
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(143)


def main(settings):
    """Run a loop as the command would."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    hold, now = settings.pop("hold", None), ""

    def stage(text):
        nonlocal now
        now = text
        wait(text)

    def wait(where):
        if where == hold:
            written("held", where)
            signal.pause()

    try:
        outcome = loop_of(settings).run(
            stage=stage,
            watch=lambda step: wait(f"{now} {step.number}"),
            announce=lambda one: wait(f"after {one.number}"),
        )
    except TricoloreError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    print(outcome.weights, end="")
    print(f"# round {outcome.chosen.number} of {len(outcome.rounds)}: {outcome.reason}")
    for one in outcome.rounds:
        print(f"# {replace(one, was_there=False)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
