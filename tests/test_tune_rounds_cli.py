"""`tricolore tune --decoder` as a command: rounds, runs, crashes, mistakes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("decoders are run on Linux and macOS only", allow_module_level=True)

import toy_decoder

from tricolore.weights import read_weights

TOY = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(Path(toy_decoder.__file__)))} {{weights}} {{nbest}} 20"
#: Counts its rounds, and waits to be ended where there is a file hold.ROUND.
DECODER = (
    "echo {round} >> decoded; "
    "if [ -e hold.{round} ]; then touch here; while [ -e hold.{round} ]; do sleep 0.05; done; fi; " + TOY
)
METHODS = ("mert", "mira", "pro", "xbleu")


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ref").write_text("\n".join(toy_decoder.REFERENCES) + "\n", encoding="utf-8")
    Path("start").write_text(toy_decoder.START, encoding="utf-8")
    return tmp_path


def command(method, *more, decoder=DECODER, rounds=3):
    words = ["tune", method, "--refs", "ref", "--start", "start", "--decoder", decoder, "--rounds", rounds]
    return [sys.executable, "-m", "tricolore", *map(str, [*words, "-tok", "none", "-o", "weights.txt", *more])]


def run(*words, **more):
    return subprocess.run(command(*words, **more), capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_three_rounds(work, method):
    found = run(method)
    assert found.returncode == 0, found.stderr
    assert Path("decoded").read_text().split() == ["1", "2", "3", "4"]
    assert [line.split(",")[0].split(":")[1] for line in found.stderr.splitlines()] == [
        f" round {i}" for i in range(1, 5)
    ]
    start, tuned = (line.split() for line in found.stdout.splitlines() if line.split()[:1] in (["start"], [method]))
    assert float(tuned[1]) >= float(start[1])
    weights = read_weights("weights.txt").values
    chosen = next(line for line in found.stdout.splitlines() if " * " in f"{line} " and line[0].isdigit()).split()[0]
    assert weights == read_weights(f"weights.txt.rounds/{chosen}/weights.txt").values
    assert "Every round is kept in weights.txt.rounds." in found.stdout
    assert f"|rounds:3|norm:{'l1' if method == 'mert' else 'none'}|" in found.stdout


def test_runs_with_several_seeds(work):
    found = run("xbleu", "--replicate", 3, "-f", "json", rounds=2)
    assert found.returncode == 0, found.stderr
    rows = {row["method"]: row for row in json.loads(found.stdout)["methods"]}
    assert [one["seed"] for one in rows["xbleu"]["runs"]] == [12345, 12346, 12347]
    assert len(rows["xbleu"]["scores"]["Tune"]["runs"]) == 3
    assert rows["xbleu"]["scores"]["Tune"]["p"] is None  # tuned on
    again = run("xbleu", "--replicate", 3, "-f", "json", "--runs-as", "stratified", rounds=2)
    assert 0 <= json.loads(again.stdout)["methods"][1]["scores"]["Tune"]["p"] <= 1
    assert sorted(path.name for path in Path("weights.txt.rounds").iterdir()) == ["run-1", "run-2", "run-3"]
    written = read_weights("weights.txt").values
    assert any(one["weights"] == {k: list(v) for k, v in written.items()} for one in rows["xbleu"]["runs"])


def wait_for(path, process):
    limit = time.monotonic() + 120
    while not Path(path).exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ended_in_the_second_round_and_taken_up_again(work, sent, status):
    whole = run("mira")
    assert whole.returncode == 0, whole.stderr
    expected = Path("weights.txt").read_bytes()
    os.rename("weights.txt.rounds", "whole")
    for path in ("weights.txt", "decoded"):
        os.unlink(path)
    Path("hold.2").touch()
    process = subprocess.Popen(command("mira"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for("here", process)
    process.send_signal(sent)
    _, err = process.communicate(timeout=120)
    assert process.returncode == status
    assert "Traceback" not in err
    assert not Path("weights.txt").exists()
    Path("hold.2").unlink()
    again = run("mira")
    assert again.returncode == 0, again.stderr
    assert "round 1: " in again.stderr
    assert again.stderr.count("(was there)") == 1
    assert Path("weights.txt").read_bytes() == expected
    assert Path("decoded").read_text().split() == ["1", "2", "2", "3", "4"]
    assert again.stdout.replace("weights.txt.rounds", "") == whole.stdout.replace("weights.txt.rounds", "")


@pytest.mark.parametrize(
    ("decoder", "status", "message"),
    [
        ("echo one >&2; echo two >&2; exit 3; # {weights} {nbest}", 1, "two"),
        ("true {weights} {nbest}", 1, "wrote no list"),
        ("echo '0 ||| a' > {nbest} # {weights}", 1, "round 1: "),
        ("decode {weights}", 2, "{nbest}"),
    ],
)
def test_decoders_that_fail(work, decoder, status, message):
    found = run("mert", decoder=decoder)
    assert found.returncode == status
    assert message in found.stderr
    assert "Traceback" not in found.stderr
    assert not Path("weights.txt").exists()


def test_other_settings_are_refused(work):
    assert run("mira", rounds=1).returncode == 0
    found = run("mira", "-C", "0.1", rounds=1)
    assert found.returncode == 1
    assert "weights.txt.rounds" in found.stderr
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--folds", "2"], "--folds is for n-best lists, not for a --decoder"),
        (["--held-out", "0.2"], "use --held-out-nbest"),
        (["--baseline", "mira"], "--baseline"),
        (["-m", "bleu(order=1..2)"], "-o holds one set of weights"),
    ],
)
def test_mistakes(work, more, message):
    found = run("mira", *more)
    assert found.returncode == 2
    assert message in found.stderr
    assert not Path("decoded").exists()
