"""A progress bar on standard error, for people who are watching something slow."""

from __future__ import annotations

import sys

from ..printable import printable
from .printing import one_message, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Timer
    from types import TracebackType

    from rich.progress import Progress, Task, TaskID

PATIENCE = 1.5  #: seconds before anything is shown


class ProgressBar:
    """Says what is going on and how far it is; shows itself only if it takes long and a person is there to see.

    A timer shows it, not the work itself, because the work may be in the middle of one long step.
    """

    def __init__(self, *, quiet: bool):
        self.shown = not quiet and sys.stderr.isatty()
        self.timer: Timer | None = None
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.description = ""
        self.total: int | None = None
        self.before = 0  # done in earlier runs of this stage
        self.done = 0

    def stage(self, description: str, total: int | None = None) -> None:
        """Begin something new: `total` steps, if they can be counted."""
        description = printable(description)
        self.description, self.total, self.before, self.done = description, total, 0, 0
        if self.bar is not None and self.task is not None:  # a task cannot be made uncountable again
            self.bar.remove_task(self.task)
            self.task = self.bar.add_task(description, total=total)

    def step(self, done: int, total: int) -> None:
        """Take note of the progress of one run; several runs may make a stage."""
        self.done = self.before + done
        if done == total:
            self.before += total
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, completed=self.done)

    def describe(self, description: str) -> None:
        """Say what is going on now, within the stage."""
        self.description = description = printable(description)
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, description=description)

    def note(self, message: str) -> None:
        """Print a message on standard error, above the bar if there is one."""
        if self.bar is not None:
            self.bar.console.print(one_message(message), markup=False, highlight=False, soft_wrap=True)
        else:
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
            from threading import Timer

            self.timer = Timer(PATIENCE, self._show)
            self.timer.daemon = True
            try:
                self.timer.start()
            except RuntimeError:  # the system has no more threads to give
                self.timer = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer.join()
        if self.bar is not None:
            self.bar.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            ProgressColumn,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.text import Text

        class Rate(ProgressColumn):
            """Steps per second."""

            def render(self, task: Task) -> Text:
                return Text(f"{task.speed:,.0f}/s" if task.speed and task.speed >= 1 else "")

        words, rest = TextColumn("[progress.description]{task.description}"), TimeRemainingColumn()
        bar = Progress(
            words, BarColumn(), TaskProgressColumn(), Rate(), rest, console=Console(stderr=True), transient=True
        )
        self.task = bar.add_task(self.description, total=self.total, completed=self.done)
        bar.start()
        self.bar = bar
