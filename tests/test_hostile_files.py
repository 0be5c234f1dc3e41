"""Files that take all memory, never end, or have names that terminals obey: one line, status 1, nothing written."""

import bz2
import contextlib
import gzip
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from tricolore.cli import run
from tricolore.errors import InputError
from tricolore.readers import encoding, read_segments

WEBSITE = Path(__file__).parents[1] / "website"
if not WEBSITE.is_dir():
    pytest.skip("the list of files is made with the documentation, which is not here", allow_module_level=True)
sys.path.insert(0, str(WEBSITE))

import file_formats as table  # noqa: E402

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="the system has no such devices")

#: Kilobytes of address space: enough for every command on a file of usual size.
MEMORY = 500_000

by_place = pytest.mark.parametrize("given", table.INPUTS, ids=lambda one: f"{one.command} {one.place}")


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "example"
    table.write_example(folder)
    return folder


@pytest.fixture
def inside(example, monkeypatch):
    monkeypatch.chdir(example)
    return example


@pytest.fixture(scope="module")
def hostile(example):
    """Files much larger than the memory that there is; packed ones are small."""
    packed = {
        "line.gz": (gzip.open, b"a" * 1_000_000, 1000),
        "lines.gz": (gzip.open, b"a\n" * 500_000, 600),
        "line.bz2": (bz2.open, b"a" * 1_000_000, 1000),
        "words.zst": (zstandard.open, b"a b c " * 200_000, 1000),
        "list.gz": (gzip.open, b"0 ||| a b c ||| LM0= 1 TM0= 1 ||| 2\n" * 40_000, 400),
    }
    for name, (opened, unit, times) in packed.items():
        with opened(example / name, "wb") as file:
            for _ in range(times):
                file.write(unit)
    with open(example / "line.txt", "wb") as file:
        for _ in range(300):
            file.write(b"a b " * 250_000)
    return [*packed, "line.txt"]


def with_little_memory(*words):
    limited = ["bash", "-c", f'ulimit -v {MEMORY}; exec "$@"', "limited", sys.executable, "-m", "tricolore", *words]
    return subprocess.run(limited, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def in_this_process(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(words)
    return status, out.getvalue(), err.getvalue()


# Memory ------------------------------------------------------------------------------------------------------------


@by_place
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_devices_without_end(inside, given, device):
    status, out, err = in_this_process(given.arguments(device))
    assert (status, out) == (1, "")
    assert re.fullmatch(rf"tricolore: .*{device}: .*\n", err)


def refused_for_memory(given, name):
    before = sorted(Path().rglob("*"))
    found = with_little_memory(*given.arguments(name))
    assert (found.returncode, found.stdout) == (1, ""), found.stderr[-2000:]
    assert re.fullmatch(r"tricolore: .*\n", found.stderr), found.stderr[-2000:]
    assert sorted(Path().rglob("*")) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", table.KINDS)
def test_too_little_memory_for_a_file_of_every_kind(inside, hostile, kind):
    given = next(one for one in table.INPUTS if one.kind == kind)
    for name in hostile:
        given.arguments(name)  # what it writes is there before
        refused_for_memory(given, name)


@pytest.mark.slow
@by_place
def test_too_little_memory_for_a_file_of_every_command(inside, hostile, given):
    for name in ("words.zst", "/dev/zero"):
        given.arguments(name)
        refused_for_memory(given, name)


@pytest.mark.slow
@pytest.mark.exhaustive
@by_place
def test_too_little_memory_for_every_file_of_every_command(inside, hostile, given):
    for name in (*hostile, "/dev/urandom"):
        given.arguments(name)
        refused_for_memory(given, name)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "nist", "chrf", "rouge-n"])
def test_too_little_memory_to_count(inside, metric):
    """The file fits, what is counted in it does not: the core says so, and a file of results does not appear."""
    if not Path("long.txt").exists():
        Path("long.txt").write_text(" ".join(f"w{i * 7919 % 5_000_011}" for i in range(5_000_000)) + "\n")
    found = with_little_memory("score", "long.txt", "-i", "long.txt", "-m", metric, "--segments", "counted.tsv", "-q")
    assert (found.returncode, found.stdout) == (1, "")
    assert re.fullmatch(r"tricolore: .*(memory|allocate).*\n", found.stderr)
    assert not [path for path in Path().iterdir() if "counted" in path.name]


def test_a_line_has_a_longest_length(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "LONGEST_LINE", 100_000)
    for name, pack in (("x.txt", bytes), ("x.txt.gz", gzip.compress)):
        (tmp_path / name).write_bytes(pack(b"short\n" + b"a" * 3_000_000 + b"\n"))
        with pytest.raises(InputError, match=r"line 2: is longer than 100,000 bytes; expected text"):
            read_segments(str(tmp_path / name))


def test_pipes_are_read_as_files(inside):
    command = "{0} -m tricolore score <(cat reference-a.txt) -i <(gzip -c careful.txt) -b"
    found = subprocess.run(["bash", "-c", command.format(sys.executable)], capture_output=True, text=True, check=True)
    assert found.stdout == "73.1\n"


# Names -------------------------------------------------------------------------------------------------------------

#: Colours, a clear screen in one byte, a line end, a change of direction, and a byte that is not UTF-8.
NAME = "\x1b[31mred\x1b]0;title\x07\x9b2J\nx\u202e\udce9"

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text):
    return OBEYED.search(text) is None


@by_place
def test_names_that_a_terminal_would_obey(inside, given):
    name = NAME.removesuffix("\udce9") if given.command == "search" else NAME  # TOML holds no such byte
    folder = Path("." if given.kind == table.SET else name)
    folder.mkdir(exist_ok=True)
    path = str(folder / f"{name}{given.file}")
    missing = in_this_process(given.arguments(f"{path}.none"))
    assert missing[:2] == (1, "")
    assert harmless(missing[2])
    assert missing[2].count("\n") == 1
    Path(path).write_bytes(Path(given.file).read_bytes())
    words = given.arguments(path)
    forms = ["text", "json", "tsv", "markdown", "latex"] if "-f" in words else [None]
    for form in forms:
        if form is not None:
            words[words.index("-f") + 1] = form
        status, out, err = in_this_process([*words, *(["--ignore-unknown"] if given.command == "correlate" else [])])
        assert status in (0, 1), err
        assert harmless(out) and harmless(err), (form, out, err)
        assert status == 0 or err.count("\n") == 1


def test_names_of_systems_and_metrics_in_files(inside):
    named = Path("rated.tsv").read_text().replace("careful", "care\x1b[31mful").replace("BLEU", "BL\x9bEU")
    Path("named.tsv").write_text(named)
    for form in ("text", "json", "tsv", "markdown", "latex"):
        status, out, err = in_this_process(["correlate", "named.tsv", "-f", form, "--no-intervals"])
        assert status == 0
        assert harmless(out) and harmless(err)
        assert "BL\\x9bEU" in out or "BL\\u009bEU" in out or "BL\\textbackslash{}x9bEU" in out


def test_what_is_written_says_the_same(inside):
    """A table of segments can be read back: the name is the same in it as in what is printed."""
    Path(f"{NAME}.txt").write_bytes(Path("careful.txt").read_bytes())
    words = ["score", "reference-a.txt", "-i", f"{NAME}.txt", "--segments", "segments.tsv", "-f", "tsv"]
    _, out, _ = in_this_process(words)
    written = Path("segments.tsv").read_text(encoding="utf-8")
    assert harmless(written)
    assert written.splitlines()[1].split("\t")[0] == out.splitlines()[1].split("\t")[0]
    assert written.splitlines()[1].startswith("\\x1b[31mred\\x1b]0;title\\x07\\x9b2J x\\u202e\\xe9\t")
