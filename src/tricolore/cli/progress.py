"""A progress bar on standard error, for people who are watching something slow."""

from __future__ import annotations

import os
import sys
from collections import deque
from time import monotonic

from ..printable import printable
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread
    from types import TracebackType

PATIENCE = 1.5  #: seconds before anything is shown
PAUSE = 0.2  #: seconds from one drawing to the next
WINDOW = 30.0  #: seconds over which the rate is measured
WIDTH = 30  #: columns of the bar


class ProgressBar:
    """Says what is going on and how far it is; shows itself only if it takes long and a person is there to see.

    A thread draws it, not the work itself, because the work may be in the middle of one long step.
    """

    def __init__(self, *, quiet: bool):
        self.shown = not quiet and sys.stderr.isatty()
        self.thread: Thread | None = None
        self.description = ""
        self.total: int | None = None
        self.before = 0  # done in earlier runs of this stage
        self.done = 0
        self.times: deque[tuple[float, int]] = deque()
        self.drawn = 0  # columns of the line on the screen

    def stage(self, description: str, total: int | None = None) -> None:
        """Begin something new: `total` steps, if they can be counted."""
        self.description, self.total, self.before, self.done = printable(description), total, 0, 0
        self.times = deque()

    def step(self, done: int, total: int) -> None:
        """Take note of the progress of one run; several runs may make a stage."""
        self.done = self.before + done
        if done == total:
            self.before += total

    def describe(self, description: str) -> None:
        """Say what is going on now, within the stage."""
        self.description = printable(description)

    def note(self, message: str) -> None:
        """Print a message on standard error, above the bar if there is one."""
        if self.thread is None:
            say(message)
            return
        with self.lock:
            self._erase()
            say(message)

    def begin(self, description: str) -> Callable[[int, int], None]:
        """Begin something whose steps are only counted when they are taken."""
        self.stage(description)

        def step(done: int, total: int) -> None:
            if self.total != (total or None):  # 0: how many there are is not known
                self.stage(description, total or None)
            self.step(done, done + total + 1)  # more than there are: nothing is added up

        return step

    def __enter__(self) -> ProgressBar:
        if self.shown:
            from threading import Event, Lock, Thread

            self.over, self.lock = Event(), Lock()
            thread = Thread(target=self._show, daemon=True)
            try:
                thread.start()
                self.thread = thread
            except RuntimeError:  # the system has no more threads to give
                pass
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.thread is not None:
            self.over.set()
            self.thread.join()
            self._erase()

    def _show(self) -> None:
        if self.over.wait(PATIENCE):
            return
        while True:
            with self.lock:
                self._draw()
            if self.over.wait(PAUSE):
                return

    def _draw(self) -> None:
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):
            columns = 80
        line = progress_line(self.description, self.done, self.total, self._rate(), columns - 1)
        self._write(f"\r{line}{' ' * (self.drawn - len(line))}")
        self.drawn = len(line)

    def _erase(self) -> None:
        if self.drawn:
            self._write(f"\r{' ' * self.drawn}\r")
            self.drawn = 0

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):  # a terminal that went away is no failure of the work
            pass

    def _rate(self) -> float:
        """Steps per second of late."""
        times = self.times
        times.append((monotonic(), self.done))
        while len(times) > 2 and times[0][0] < times[-1][0] - WINDOW:
            times.popleft()
        (start, first), (now, last) = times[0], times[-1]
        return (last - first) / (now - start) if now > start else 0.0


def progress_line(description: str, done: int, total: int | None, rate: float, columns: int) -> str:
    """What is going on, as far as the columns allow: a bar and the time left if the end is known.

    >>> progress_line("resampling", 250, 1000, 50.0, 80)
    'resampling ━━━━━━━                         25 %   50/s   0:00:15 left'
    >>> progress_line("reading", 120_000, None, 0.0, 80)
    'reading   120,000'
    """
    if total:
        share = min(done / total, 1.0)
        filled = int(share * WIDTH)
        parts = [f"{description} {'━' * filled}{' ' * (WIDTH - filled)} {100 * share:3.0f} %"]
    else:
        parts = [description, *([f"{done:,}"] if done else [])]
    if rate >= 1:
        parts.append(f"{rate:,.0f}/s")
    if total and rate > 0:
        minutes, seconds = divmod(int((total - done) / rate), 60)
        parts.append(f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left")
    return "   ".join(parts)[:columns]
