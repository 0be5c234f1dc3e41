"""The folder of a run with a decoder: every round on disk, so that an interrupted run can be resumed.

    settings.json       the settings of the run
    1/weights.txt       the weights the decoder was given
    1/decoder.log       its error output; decoder.out is its standard output
    1/nbest             the list it wrote, after it was read without errors (or nbest.gz, nbest.zst, ...)
    1/tuned.txt         the weights found
    1/result.json       the result; the round is finished when this exists
    2/...

A file gets its name when it is complete and on disk. Anything else that a crash leaves behind is ignored.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..compression import SUFFIXES as COMPRESSED
from ..errors import InputError
from ..platforms import lock
from ..readers import check_regular, read_text
from ..writers import rename_durably, sync, writing

SUFFIXES = ("", *COMPRESSED)  #: of lists
LOCK = "lock"
SETTINGS = "settings.json"

#: The settings that the first list depends on; after the first tuning, all settings are binding.
DECODING = ("decoder", "references", "start", "fix", "bounds")


class RoundFolder:
    """The files of one round."""

    def __init__(self, path: Path):
        self.path = path
        self.weights, self.tuned, self.result = path / "weights.txt", path / "tuned.txt", path / "result.json"
        self.errors, self.output = path / "decoder.log", path / "decoder.out"

    @property
    def nbest(self) -> Path | None:
        """The list, if it has been read without errors."""
        return self._one("nbest")

    def make(self) -> None:
        """Make the folder, or remove unfinished files of an earlier process."""
        if not self.path.exists():
            self.path.mkdir()
            sync(self.path.parent)
        for left in self.path.glob(".*.part"):
            left.unlink()

    @contextmanager
    def attempt(self) -> Iterator[Path]:
        """A new path for the decoder to write to, as a process of an earlier attempt may still be alive."""
        for left in self.path.glob("attempt-*"):
            shutil.rmtree(left, ignore_errors=True)
        for path in (self.errors, self.output):
            path.unlink(missing_ok=True)
        own = Path(tempfile.mkdtemp(prefix="attempt-", dir=self.path))
        try:
            yield own / "nbest"
        finally:
            shutil.rmtree(own, ignore_errors=True)

    def receive(self, nbest: Path) -> Path:
        """Take the list that the decoder wrote, under a name that marks it as not yet read."""
        for suffix in SUFFIXES:
            (self.path / f"unchecked{suffix}").unlink(missing_ok=True)
        written = RoundFolder(nbest.parent)._one(nbest.name)
        if written is None:
            raise InputError(
                f"the decoder wrote no list to {{nbest}} ({nbest}, or with {', '.join(COMPRESSED)}); "
                f"it ended without an error ({self.errors})"
            )
        received = self.path / written.name.replace("nbest", "unchecked")
        if written.is_symlink():  # to a file that the next round may overwrite
            shutil.copyfile(written, received)
            return received
        return written.replace(received)

    def accept(self, unchecked: Path) -> None:
        """Give a list that was read without errors its final name."""
        rename_durably(unchecked, unchecked.with_name(unchecked.name.replace("unchecked", "nbest")))

    def _one(self, name: str) -> Path | None:
        found = [path for suffix in SUFFIXES if (path := self.path / f"{name}{suffix}").is_file()]
        if len(found) > 1:
            raise InputError(f"there are several lists: {', '.join(map(str, found))}; expected one")
        return found[0] if found else None


class RoundsFolder:
    """The folder of a run, locked by one process at a time."""

    def __init__(self, path: str):
        self.path = Path(os.path.abspath(path))

    def round(self, number: int) -> RoundFolder:
        """The files of a round."""
        return RoundFolder(self.path / str(number))

    @contextmanager
    def opened(self, settings: dict[str, Any]) -> Iterator[None]:
        """Make the folder, or resume with it if it was made with the same settings."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is not a folder")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be made ({error.strerror or error})") from None
        with self._locked():
            self._check(settings)
            yield

    def _check(self, settings: dict[str, Any]) -> None:
        path = self.path / SETTINGS
        if not path.exists():
            own = re.compile(rf"{LOCK}|\.{re.escape(SETTINGS)}\..*\.part")
            if others := sorted(one.name for one in self.path.iterdir() if not own.fullmatch(one.name)):
                raise InputError(
                    f"{self.path}: holds {others[0]!r} and no {SETTINGS}; expected a new folder, or that of an "
                    "earlier run"
                )
            write(path, json.dumps(settings, indent=1, ensure_ascii=False) + "\n")
            return
        before = read_object(path)
        binding, first = [*dict.fromkeys([*before, *settings])], self.round(1)
        if not first.result.exists():  # early on, mistakes can be corrected in place
            binding = [name for name in binding if name in DECODING] if first.nbest else []
        for name in binding:
            if before.get(name) != settings.get(name):
                raise InputError(
                    f"{self.path}: was begun with another {name} ({_short(before.get(name))}, now "
                    f"{_short(settings.get(name))}); use the same, or name another folder"
                )
        if before != settings:
            if not binding:  # nothing has been decoded yet
                first.weights.unlink(missing_ok=True)
            write(path, json.dumps(settings, indent=1, ensure_ascii=False) + "\n")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        path = self.path / LOCK
        try:
            file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
        with file:  # the lock ends with the process, even if that is killed
            if not lock(file):
                file.seek(0)
                owner = file.read().strip() or "unknown"
                raise InputError(f"{self.path}: in use by another process (id {owner})")
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield
            file.truncate(0)


def write(path: Path, text: str) -> None:
    """Write a file that appears when it is complete."""
    with writing(str(path), durable=True) as file:
        file.write(text)


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    found: Any = None
    check_regular(str(path), "a file")
    with suppress(json.JSONDecodeError):
        found = json.loads(read_text(str(path)))
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected a JSON object as it was written; was it changed?")
    return found


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
