"""Test sets from the network, by the sacrebleu package: what it knows, and fetching a set into its cache.

The package runs in a process of its own, in a folder of its own: neither its messages nor half of a set get out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from .errors import InputError, MissingExtraError, SpecError, nearest
from .readers.sacrebleu_cache import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: A network that says nothing for so long is given up, in seconds.
PATIENCE = 60

_PROGRAM = f"""
import socket, sys
from sacrebleu.sacrebleu import main
socket.setdefaulttimeout({PATIENCE})
sys.argv[0] = "sacrebleu"
main()
"""


@dataclass(frozen=True)
class KnownSet:
    """A test set that the package knows."""

    name: str
    description: str
    pairs: tuple[str, ...]
    tags: Mapping[str, str]  #: countries and topics by document, as far as it has them


def known_sets() -> dict[str, KnownSet] | None:
    """The test sets that the sacrebleu package knows, by name; None if it is not installed."""
    try:
        from sacrebleu.dataset import DATASETS, SUBSETS
    except ImportError:
        return None
    return {
        name: KnownSet(name, (one.description or "").strip(), tuple(one.langpairs), SUBSETS.get(name, {}))
        for name, one in sorted(DATASETS.items())
    }


def fetch(name: str, pair: str) -> None:
    """Have the sacrebleu package fetch a test set into its cache, whole or not at all."""
    folder = cache_folder()
    by_hand = f"run 'sacrebleu --download {name} -l {pair}' where there is a network, and copy its folder"
    known = known_sets()
    if known is None:
        raise MissingExtraError(
            f"{name} {pair} is not in {folder}; to fetch it, pip install 'tricolore[sets]', or {by_hand}"
        )
    if name not in known:
        raise SpecError(f"no test set {name!r}{nearest(name, [*known])} (see 'tricolore sets')")
    if pair not in known[name].pairs:
        raise SpecError(f"{name} has no language pair {pair!r}; it has {', '.join(known[name].pairs)}")
    try:
        os.makedirs(folder, exist_ok=True)
        with TemporaryDirectory(prefix=".fetching-", dir=folder) as beside:
            if reason := _downloaded(name, pair, beside):
                raise InputError(
                    f"{name} {pair} is not in {folder}, and sacreBLEU could not fetch it ({reason}); {by_hand}"
                )
            _move(os.path.join(beside, name), os.path.join(folder, name))
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be written ({error.strerror or error})") from None


def _downloaded(name: str, pair: str, folder: str) -> str:
    """Run the package's own command; return why it failed, or nothing."""
    command = [sys.executable, "-c", _PROGRAM, "--download", name, "-l", pair, "-q"]
    environment = {**os.environ, "SACREBLEU": folder, "PYTHONIOENCODING": "utf-8"}
    nothing = subprocess.DEVNULL
    done = subprocess.run(command, env=environment, stdin=nothing, capture_output=True, check=False)
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    told = lines[-1:] if any(line.startswith("Traceback") for line in lines) else lines[:1]
    return "".join(told)[:200].removeprefix("sacreBLEU: ") or f"exit status {done.returncode}"


def _move(beside: str, folder: str) -> None:
    """Move files that are not there yet; the texts last, since they make the set complete."""
    for path, folders, files in os.walk(beside):
        folders.sort(key=lambda one: one != "raw")
        to = os.path.join(folder, os.path.relpath(path, beside))
        os.makedirs(to, exist_ok=True)
        if os.path.abspath(path) == os.path.abspath(beside):
            texts = [os.path.join(path, file) for file in files]
            continue
        for file in files:
            _replace(os.path.join(path, file), os.path.join(to, file))
    for text in texts:
        _replace(text, os.path.join(folder, os.path.basename(text)))


def _replace(path: str, to: str) -> None:
    if not path.endswith(".lock") and not os.path.exists(to):
        os.replace(path, to)
