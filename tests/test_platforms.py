"""What differs between systems: Windows is simulated, since these tests run elsewhere, too."""

import io
import os
import subprocess
import sys
import types

import pytest

from tricolore import platforms
from tricolore.errors import SpecError
from tricolore.tuning.decoder import Decoder

POSIX_ONLY = {"fcntl", "resource", "pwd", "grp", "termios", "select"}

#: A driver that looks like Windows to Python code: its name, and no modules or functions that only POSIX has.
WINDOWS = """
import builtins, os, sys, types
import subprocess, tempfile, signal  # of the standard library, for which the system stays what it is
import numpy
real = builtins.__import__
def refuse(name, *rest, **named):
    if name.partition(".")[0] in {blocked!r}:
        raise ModuleNotFoundError("No module named " + repr(name), name=name)
    return real(name, *rest, **named)
builtins.__import__ = refuse
for name in ("sched_getaffinity", "process_cpu_count", "killpg", "fork", "setsid", "getuid", "geteuid"):
    if hasattr(os, name):
        delattr(os, name)
sys.platform = "win32"
"""


def on_windows(code, *arguments, cwd=None):
    """What a process prints that takes its system for Windows."""
    words = [sys.executable, "-c", WINDOWS.format(blocked=POSIX_ONLY) + code, *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


@pytest.mark.parametrize(
    "line",
    [
        "score reference-a.txt -i careful.txt hasty.txt -m bleu chrf ter",
        "score reference-a.txt -i careful.txt hasty.txt -m bleu -j 2 --segments out.tsv",
        "compare reference-a.txt -i careful.txt hasty.txt",
        "align reference-a.txt -i careful.txt",
        "tokenize careful.txt",
        "doctor",
        "demo",
    ],
)
def test_commands_work_on_windows_as_here(corpus, line):
    code = "from tricolore.cli import run; sys.exit(run(sys.argv[1:]))"
    done = on_windows(code, *line.split(), cwd=corpus)
    assert (done.returncode, done.stderr) == (0, "")
    here = subprocess.run(
        [sys.executable, "-m", "tricolore", *line.split()], capture_output=True, text=True, check=True, cwd=corpus
    )
    if line != "doctor":
        assert done.stdout == here.stdout


def test_cores_are_counted_where_affinity_is_not_known(monkeypatch):
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 12)
    assert platforms.bound_processors() == 12
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert platforms.bound_processors() == 1
    monkeypatch.setattr(os, "process_cpu_count", lambda: 3, raising=False)
    assert platforms.bound_processors() == 3


def test_decoders_are_refused_on_windows_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SpecError, match="on Linux and macOS only; tune from its n-best lists instead"):
        Decoder("decode {weights} {nbest}")
    with pytest.raises(SpecError, match="on Linux and macOS only"):
        platforms.run_in_shell("true", {}, tmp_path / "out", tmp_path / "err")


def windows_locks(monkeypatch):
    """msvcrt as far as it is used: bytes of files that are locked, by inode and position."""
    locked = set()

    def locking(number, mode, size):
        place = (os.fstat(number).st_ino, os.lseek(number, 0, os.SEEK_CUR))
        assert (mode, size) == ("nonblocking", 1)
        if place in locked:
            raise OSError(36, "Resource deadlock avoided")
        locked.add(place)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(
        sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK="nonblocking", get_osfhandle=int)
    )
    return locked


def test_locks_on_windows_are_bytes_beyond_the_end(monkeypatch, tmp_path):
    locked = windows_locks(monkeypatch)
    path = tmp_path / "lock"
    path.write_text("4711\n")
    with path.open("a+") as mine, path.open("a+") as others:
        mine.seek(0)
        assert platforms.lock(mine)
        assert mine.read() == "4711\n"  # where it was
        assert not platforms.lock(others)
    assert [place for _, place in locked] == [1 << 30]


@pytest.mark.skipif(sys.platform == "win32", reason="flock is POSIX's")
def test_locks_elsewhere(monkeypatch, tmp_path):
    import fcntl

    with (tmp_path / "lock").open("a+") as mine, (tmp_path / "lock").open("a+") as others:
        assert platforms.lock(mine)
        assert not platforms.lock(others)

        def unsupported(*_):
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(fcntl, "flock", unsupported)
        assert platforms.lock(others)  # a file system without locks


def test_escapes_on_windows_where_the_console_agrees(monkeypatch):
    import ctypes

    assert platforms.obeys_escapes(io.StringIO())
    asked = []

    def agree(handle, mode):
        asked.append((handle, mode))
        return 1

    windows_locks(monkeypatch)
    stream = types.SimpleNamespace(fileno=lambda: 7)
    assert not platforms.obeys_escapes(stream)  # there is no kernel32 here
    kernel = types.SimpleNamespace(SetConsoleMode=agree)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    assert platforms.obeys_escapes(stream)
    assert asked == [(7, 0x5)]
    kernel.SetConsoleMode = lambda handle, mode: 0
    assert not platforms.obeys_escapes(stream)


def test_nothing_that_only_posix_has_is_loaded_by_the_package():
    code = "import tricolore, tricolore.cli.tune, tricolore.tuning.rounds_folder; print('loaded')"
    done = on_windows(code)
    assert (done.stdout, done.stderr) == ("loaded\n", "")


def test_numpy_loads_without_threads_in_the_command_but_not_in_its_decoders(monkeypatch, tmp_path):
    monkeypatch.delenv(platforms.BLAS_THREADS, raising=False)
    platforms.start_no_blas_threads()
    assert os.environ[platforms.BLAS_THREADS] == "1"
    output = tmp_path / "out"
    assert platforms.run_in_shell("env", {"MORE": "yes"}, output, tmp_path / "err") == 0
    variables = output.read_text(encoding="utf-8").splitlines()
    assert "MORE=yes" in variables
    assert not [line for line in variables if line.startswith(platforms.BLAS_THREADS)]


def test_what_the_user_says_of_threads_counts(monkeypatch):
    monkeypatch.setenv(platforms.BLAS_THREADS, "3")
    platforms.start_no_blas_threads()
    assert os.environ[platforms.BLAS_THREADS] == "3"
