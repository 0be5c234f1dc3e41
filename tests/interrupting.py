"""Ctrl-C for a process that waits for more to read."""

import signal
import subprocess


def interrupt(child, patience=5, attempts=12):
    """Press Ctrl-C until the process ends; return its exit status.

    Python heeds a signal between two instructions. One that comes after the last of them and before the system waits
    for data is only heard when data or another signal comes, as with any program; a person would press again.
    """
    for _ in range(attempts):
        child.send_signal(signal.SIGINT)
        try:
            return child.wait(patience)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("the process does not end")
