"""What differs between Linux, macOS and Windows, in one place: cores, locks, processes of decoders, terminals.

Every function works on each of them, or raises an error that says on which it does; everything else in the package is
the same everywhere.
"""

from __future__ import annotations

import os
import sys

from .errors import SpecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import ExitStack
    from io import FileIO
    from pathlib import Path
    from typing import Any, TextIO

GRACE = 5.0  #: seconds from asking processes to end to ending them

#: How many threads NumPy's OpenBLAS starts when it is loaded, unless the user has said it by another variable.
BLAS_THREADS = "OPENBLAS_DEFAULT_NUM_THREADS"

#: Linux: the file that names the control groups of this process, and where they are mounted.
CONTROL_GROUPS = ("/proc/self/cgroup", "/sys/fs/cgroup")


def on_windows() -> bool:
    """Whether this is Windows."""
    return sys.platform == "win32"


def bound_processors() -> int:
    """The processors that this process may run on."""
    if hasattr(os, "process_cpu_count"):  # from Python 3.13; it heeds PYTHON_CPU_COUNT
        return os.process_cpu_count() or 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Linux alone has it
        return os.cpu_count() or 1


def start_no_blas_threads() -> None:
    """Let NumPy load without threads of its own, which wait for work by spinning; matrices here are small."""
    os.environ.setdefault(BLAS_THREADS, "1")


def obeys_escapes(stream: TextIO) -> bool:
    """Whether a terminal shows bold and colour where text asks for them; Windows has to be told to."""
    if not on_windows():
        return True
    import ctypes

    processed, virtual_terminal = 0x1, 0x4  # ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING
    try:
        import msvcrt

        found: Any = msvcrt
        handle = found.get_osfhandle(stream.fileno())
        console: Any = ctypes
        return bool(console.windll.kernel32.SetConsoleMode(handle, processed | virtual_terminal))
    except (ImportError, AttributeError, OSError, ValueError):
        return False


def lock(file: TextIO) -> bool:
    """Lock an open file for this process until it is closed; False if another process has it."""
    if on_windows():
        return _lock_byte(file)
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True


def _lock_byte(file: TextIO) -> bool:
    """Windows locks bytes, which others then cannot read: one far beyond the end."""
    import msvcrt

    windows: Any = msvcrt
    number, far = file.fileno(), 1 << 30
    at = os.lseek(number, 0, os.SEEK_CUR)
    os.lseek(number, far, os.SEEK_SET)
    try:
        windows.locking(number, windows.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(number, at, os.SEEK_SET)
    return True


# Decoders ----------------------------------------------------------------------------------------------------------

# The command runs in a shell of its own with fd 4 open, and so do all processes it starts. A guard beside it reads a
# pipe that closes when Tricolore ends: then it ends the whole group, so that no decoder is left behind even after a
# SIGKILL. The guard also keeps the id of the process group from being reused.
_GUARDED = f"""
exec 3<&0 4>&1 </dev/null >"$2"
(trap '' TERM; read line; kill -TERM 0; sleep {GRACE:.0f}; kill -KILL 0) <&3 4>&- >/dev/null 2>&1 &
/bin/sh -c "$1" 3<&-
exit $?
"""


def check_shell() -> None:
    """Reject decoders where there is no shell, nor a way to end all processes that one starts."""
    if on_windows():
        raise SpecError("decoder: a decoder can be run on Linux and macOS only; tune from its n-best lists instead")


def run_in_shell(command: str, variables: dict[str, str], output: Path, errors: Path) -> int:
    """Run a command in its own session, which Ctrl-C does not reach; return its exit status.

    No process of its group is left: if it succeeds, children in the background have some time to finish, then they are
    ended. Only processes that start their own session are out of reach.
    """
    import select
    import signal
    import subprocess
    from contextlib import ExitStack

    check_shell()
    environment = {name: value for name, value in os.environ.items() if name != BLAS_THREADS} | variables
    with ExitStack() as pipes:
        watched, _ = _pipe(pipes)  # closed for the guard when this process ends
        over, held = _pipe(pipes)  # closed for this process when all others have ended
        with errors.open("wb") as error:
            process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, "decoder", command, str(output)],
                stdin=watched,
                stdout=held,
                stderr=error,
                start_new_session=True,
                env=environment,
            )
        try:
            held.close()
            status = process.wait()
            if status == 0:
                select.select([over], [], [], GRACE)
            return status
        finally:  # also after Ctrl-C or SIGTERM
            try:
                _signal(process.pid, signal.SIGTERM)
                select.select([over], [], [], GRACE)
            finally:  # at once after a second Ctrl-C
                _signal(process.pid, signal.SIGKILL)
                process.wait()


def _pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    from io import FileIO

    read, write = os.pipe()
    return stack.enter_context(FileIO(read, "r")), stack.enter_context(FileIO(write, "w"))


def _signal(group: int, number: int) -> None:
    from contextlib import suppress

    with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for groups of zombies
        os.killpg(group, number)
