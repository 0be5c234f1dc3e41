"""A progress bar on standard error, for people who are watching something slow."""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

PATIENCE = 1.5  #: seconds before anything is shown


class ProgressBar:
    """Counts segments over several runs; shows itself only if it takes long and a person is there to see."""

    def __init__(self, total: int, *, quiet: bool):
        self.total = total
        self.done = 0
        self.shown = not quiet and sys.stderr.isatty()
        self.started = time.monotonic()
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def step(self, done: int, total: int) -> None:
        """Take note of one run's progress."""
        if self.shown and (self.bar is not None or time.monotonic() - self.started > PATIENCE):
            self._show(self.done + done)
        if done == total:
            self.done += total

    def _show(self, done: int) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("scoring", total=self.total)
            self.bar.start()
        if self.task is not None:
            self.bar.update(self.task, completed=done)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
