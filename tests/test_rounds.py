"""Rounds with a decoder: real processes, ended in every way, and what is left of them on disk."""

import contextlib
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("decoders are run on Linux and macOS only", allow_module_level=True)

import pty

import numpy as np
import toy_decoder
from rounds_driver import loop_of

from tricolore import References, metric
from tricolore.errors import InputError, SpecError
from tricolore.tuning.decoder import Decoder, last_lines
from tricolore.tuning.rounds import HeldOut, Loop, round_seed
from tricolore.tuning.task import Step, Tuned
from tricolore.weights import Weights, read_weights

HERE = Path(__file__).parent
PYTHON = f"{shlex.quote(sys.executable)} -I -S"
TOY = f"{PYTHON} {shlex.quote(str(HERE / 'toy_decoder.py'))} {{weights}} {{nbest}}"
COUNTED = f"echo {{round}} >> decoded; {TOY}"
#: The same, but where there is a file hold.ROUND it waits to be ended.
HELD = (
    f"echo {{round}} >> decoded; if [ -e hold.{{round}} ]; then echo half > {{nbest}}; "
    f"echo $$ > here.new; mv here.new here; while :; do sleep 0.05; done; fi; {TOY}"
)


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loop(command=COUNTED, folder="rounds", **settings):
    return loop_of({"command": command, "folder": str(folder), "rounds": 3, **settings})


def decoded():
    """The rounds that were decoded, in their order."""
    return list(map(int, Path("decoded").read_text().split()))


def files(folder):
    """What a run leaves, without what a decoder prints."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.name not in ("lock", "decoder.log", "decoder.out")
    }


# The rounds -------------------------------------------------------------------------------------------------


def test_rounds_make_a_decoder_better(work):
    announced, stages, steps = [], [], []
    outcome = loop().run(announce=announced.append, stage=stages.append, watch=steps.append)
    *tuned, last = outcome.rounds
    assert announced == [*outcome.rounds]
    assert [one.number for one in outcome.rounds] == decoded() == [1, 2, 3, 4]
    assert outcome.reason == "3 rounds are over"
    assert stages[:4] == ["round 1: decoding", "round 1: reading", "round 1: tuning", "round 2: decoding"]
    assert stages[-2] == "after the last round: decoding"
    assert all(isinstance(step, Step) for step in steps)
    assert tuned[0].weights.values == Weights(dict(loop().start.values)).values
    for one, following in zip(tuned, outcome.rounds[1:], strict=True):
        assert one.tuned.values == following.weights.values
        assert one.hypotheses + following.new == following.hypotheses
        assert one.change > 0
        assert not one.warnings
    assert last.tuned is None
    # By the decoder's own output, which is what counts.
    assert outcome.chosen.decoded == max(one.decoded for one in outcome.rounds) > outcome.rounds[0].decoded + 0.1
    assert outcome.weights is outcome.chosen.weights
    # On the lists of a round nothing is better than what was found, least of all what it was given.
    assert all(one.score >= one.decoded for one in tuned)


def test_scores_are_those_of_the_lists(work):
    """The first hypotheses of each list, and all lists merged by hand, scored without any of this."""
    outcome = loop().run()
    bleu = metric("bleu(smooth=2)")
    seen = [{} for _ in toy_decoder.SOURCES]
    for one in outcome.rounds[:-1]:
        rows = [line.split(" ||| ") for line in Path(f"rounds/{one.number}/nbest").read_text().splitlines()]
        first = {}
        for source, text, features, _ in rows:
            first.setdefault(int(source), text)
            seen[int(source)].setdefault((text, features))
        assert one.decoded == bleu([first[i] for i in range(len(first))], toy_decoder.REFERENCES).value
        assert one.hypotheses == sum(map(len, seen))
        weights = toy_decoder.read_weights(f"rounds/{one.number}/tuned.txt")

        def score(key, weights=weights):
            values = [float(word) for word in key[1].split() if not word.endswith("=")]
            return sum(w * f for w, f in zip(weights, values, strict=True))

        chosen = [max(hypotheses, key=score)[0] for hypotheses in seen]
        assert one.score == pytest.approx(bleu(chosen, toy_decoder.REFERENCES).value)


def test_all_is_kept(work):
    outcome = loop().run()
    assert set(files("rounds")) == {
        "settings.json",
        *(f"{i}/{name}" for i in (1, 2, 3) for name in ("weights.txt", "nbest", "tuned.txt", "result.json")),
        "4/weights.txt",
        "4/nbest",
    }
    assert Path("rounds/1/decoder.log").read_text() == "decoded 8 lines\n"
    assert read_weights("rounds/2/weights.txt").values == read_weights("rounds/1/tuned.txt").values
    result = json.loads(Path("rounds/2/result.json").read_text())
    assert result["decoder's score"] == outcome.rounds[1].decoded
    assert result["signature"].startswith("BLEU|nrefs:1|case:mixed|")
    assert result["seed"] == round_seed(12345, 2) != round_seed(12345, 1)


def test_weights_that_no_list_has_stay(work):
    outcome = loop().run()
    assert all(one.weights.values["unused"] == (0.5,) for one in outcome.rounds)
    assert list(outcome.weights.values) == ["lm", "tm", "word", "phrase", "jump", "unused"]


def test_less_is_better(work):
    outcome = loop(metric="ter", report="ter").run()
    assert all(one.decoded <= 0 for one in outcome.rounds)
    assert outcome.chosen.decoded == max(one.decoded for one in outcome.rounds)
    assert json.loads(Path("rounds/1/result.json").read_text())["decoder's score"] == -outcome.rounds[0].decoded > 0
    again = loop(metric="ter", report="ter").run()
    assert again == outcome


def test_last_weights_need_no_more_decoding(work):
    outcome = loop(rounds=2, choose="last").run()
    assert decoded() == [1, 2]
    assert outcome.weights is outcome.rounds[-1].tuned
    assert loop(rounds=2).run().rounds[:2] == outcome.rounds  # nothing that is there depends on it
    assert decoded() == [1, 2, 3]


def test_more_rounds_later(work):
    few, more = loop(rounds=1).run(), loop(rounds=3).run()
    assert decoded() == [1, 2, 3, 4]
    assert more.rounds[:1] == few.rounds[:1]
    assert [one.was_there for one in more.rounds] == [True, False, False, False]
    assert loop(rounds=3, folder="other").run() == more
    assert loop(rounds=1).run() == few  # and fewer
    assert len(decoded()) == 8


def test_no_new_hypotheses(work):
    Path("start.txt").write_text(toy_decoder.START)
    toy_decoder.main("start.txt", "list", "20")
    outcome = loop("echo {round} >> decoded; cp list {nbest} # whatever the {weights}", rounds=9).run()
    assert outcome.reason == "round 2 found no new hypotheses"
    first, second = outcome.rounds
    assert (first.new, second.new, first.hypotheses, second.hypotheses) == (160, 0, 160, 160)
    assert second.weights.values == first.tuned.values == second.tuned.values
    assert second.change == 0 < first.change
    assert second.score == first.score > first.decoded
    assert decoded() == [1, 2]


def test_no_weight_changes(work):
    outcome = loop(threshold=100).run()
    assert outcome.reason == "no weight changed by more than 100 in round 1"
    assert decoded() == [1]
    assert outcome.weights.values == loop().start.values


def test_a_link_to_a_list_is_followed_once(work):
    linked = f'{TOY.replace("{nbest}", "list")} && ln -s "$PWD/list" {{nbest}}'
    outcome = loop(linked, "linked").run()
    assert outcome == loop().run()
    assert files("linked").keys() == files("rounds").keys()
    assert all(files("linked")[name] == content for name, content in files("rounds").items() if name[-5:] == "nbest")


def test_packed_lists(work):
    plain = loop(choose="last").run()
    packed = f"{TOY.replace('{nbest}', '{nbest}.txt')} && gzip -c {{nbest}}.txt > {{nbest}}.gz"
    assert loop(packed, "packed", choose="last").run() == plain
    assert Path("packed/1/nbest.gz").exists()
    assert not Path("packed/1/nbest").exists()


def test_fixed_and_bounded(work):
    outcome = loop(fix=("tm[1]", "unused=2"), bounds=("lm=0.3:0.4",)).run()
    for one in outcome.rounds:
        assert one.weights.values["tm"][1] == 0.1
        assert one.weights.values["unused"] == (2.0,)
        assert 0.3 <= one.weights.values["lm"][0] <= 0.4


@pytest.mark.parametrize(("norm", "size"), [("l1", lambda v: np.abs(v).sum()), ("max", lambda v: np.abs(v).max())])
def test_normalised_in_every_round(work, norm, size):
    for one in loop(norm=norm).run().rounds[1:]:
        vector, _ = one.weights.vector(one.weights.layout)
        assert size(vector) == pytest.approx(1)


def test_held_out_lists_are_files_on_a_disk(work):
    """They are read again when the run goes on."""
    for device in ("/dev/zero", "/dev/fd/0"):
        if not os.path.exists(device) or os.path.isfile(device):
            continue
        held_out = HeldOut((device,), References(toy_decoder.REFERENCES))
        with pytest.raises(InputError, match=f"{device}: is a device or a pipe; expected a file, which can be read"):
            loop(held_out=held_out).run()


def test_held_out_lists(work):
    Path("start.txt").write_text(toy_decoder.START)
    toy_decoder.main("start.txt", "other.nbest", "50")
    held_out = HeldOut(("other.nbest",), References(toy_decoder.REFERENCES))
    outcome = loop(held_out=held_out).run()
    assert all(one.held_out > 0 for one in outcome.rounds[:-1])
    assert loop(held_out=held_out).run() == outcome
    Path("other.nbest").write_text(Path("other.nbest").read_text().replace("the", "a", 1))
    with pytest.raises(InputError, match="rounds: was begun with another held-out lists"):
        loop(held_out=held_out).run()


SPARSE = (
    "for i in 0 1 2 3 4 5 6 7; do "
    'echo "$i ||| the house ||| lm= -2.1 s{round}_$i= 1 ||| 0"; echo "$i ||| a {round} ||| lm= -2 ||| 0"; '
    "done > {nbest}; cat {weights} >> seen"
)


def test_features_that_turn_up_later(work):
    outcome = loop(SPARSE, start="lm= 1\n").run()
    warning = "start.txt: no weight for 8 features of the lists ('s1_0', 's1_1', 's1_2', ...), taken as 0"
    assert outcome.rounds[0].warnings == (warning,)
    assert list(outcome.rounds[0].tuned.values) == ["lm", *(f"s1_{i}" for i in range(8))]
    assert list(outcome.rounds[1].tuned.values)[-8:] == [f"s2_{i}" for i in range(8)]
    assert loop(SPARSE, start="lm= 1\n").run() == outcome


def test_thousands_of_features(work):
    Path("write.py").write_text(
        "import sys\n"
        "with open(sys.argv[1], 'w') as file:\n"
        "  for i in range(8):\n"
        "    for k in range(100):\n"
        "      words = ' '.join(f's{(i * 900 + k * 9 + j)}= {(k + j) % 5}' for j in range(9))\n"
        "      print(f'{i} ||| the house is {\"green\" * (k % 3)} {k} ||| lm= {-k} {words} ||| 0', file=file)\n"
    )
    outcome = loop(f"{PYTHON} write.py {{nbest}} {{weights}}", start="lm= 1\n", tries=3, rounds=1).run()
    assert len(outcome.rounds[0].tuned.values) > 7000


class Nothing:
    """A tuner that finds nothing at all."""

    name = "nothing"

    def tune(self, task, start, seed, watch=None):
        step = Step(0, None, 0.0, 0.0)
        return Tuned(np.zeros_like(start), step, (step,), ("that was hard",))

    def signature(self):
        return {}


def test_collapsed_weights_are_not_taken(work):
    given = loop()
    outcome = Loop(COUNTED, "rounds", Nothing(), given.metric, given.report, given.references, given.start).run()
    assert outcome.weights.values == given.start.values
    assert outcome.rounds[0].change == 0
    assert outcome.warnings == (
        "that was hard",
        "round 1: the weights found give all hypotheses the same score; those before are kept",
    )


# The end in the middle --------------------------------------------------------------------------------------


def begin(**settings):
    """Begin a run in a process of its own."""
    words = [sys.executable, str(HERE / "rounds_driver.py"), json.dumps({"rounds": 3, "folder": "rounds", **settings})]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(**settings):
    """Run to the end."""
    process = begin(**settings)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return out


def wait_for(condition, process=None):
    """Wait until something is so; a minute is more than it takes anywhere."""
    until = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < until
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.01)
    return found


def is_alive(number):
    """Whether a process is at work; one that waits for its parent to look is not."""
    try:
        os.kill(number, 0)
        command = ["ps", "-o", "stat=", "-p", str(number)]
        state = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    except ProcessLookupError:
        return False
    return bool(state.strip()) and not state.strip().startswith("Z")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What a run prints and leaves that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    with contextlib.chdir(folder):
        out = finished(command=HELD)
        return out, files("rounds")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "sent"),
    [
        ("round 1: tuning 5", signal.SIGINT),
        ("after 1", signal.SIGKILL),
        ("round 2: reading", signal.SIGKILL),
        ("round 2: reading", signal.SIGINT),
        ("round 2: tuning 60", signal.SIGKILL),
        ("after 4", signal.SIGKILL),
    ],
)
def test_ended_between_and_within_rounds(work, whole, place, sent):
    process = begin(command=HELD, hold=place)
    wait_for(Path("held").exists, process)
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == ((-9, "", "") if sent == signal.SIGKILL else (130, "", "interrupted\n"))
    assert finished(command=HELD) == whole[0]
    assert files("rounds") == whole[1]
    # Only a list that had not been read when the process ended is decoded again.
    assert decoded() == ([1, 2, 2, 3, 4] if place == "round 2: reading" else [1, 2, 3, 4])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "status"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, -1)],
    ids=["KILL", "INT", "TERM", "HUP"],
)
def test_ended_while_decoding(work, whole, sent, status):
    Path("hold.2").touch()
    process = begin(command=HELD)
    wait_for(Path("here").exists, process)
    decoder = int(Path("here").read_text())
    assert is_alive(decoder)
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", "interrupted\n" if status == 130 else "")
    wait_for(lambda: not is_alive(decoder))  # nobody asked it to end but its guard, if we were killed
    assert {path.name for path in Path("rounds/2").glob("nbest*")} == set()
    Path("hold.2").unlink()
    assert finished(command=HELD) == whole[0]
    assert files("rounds") == whole[1]
    assert decoded() == [1, 2, 2, 3, 4]


def test_both_killed_while_decoding(work, whole):
    Path("hold.3").touch()
    process = begin(command=HELD)
    wait_for(Path("here").exists, process)
    group = os.getpgid(int(Path("here").read_text()))
    process.kill()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    process.communicate()
    Path("hold.3").unlink()
    assert finished(command=HELD) == whole[0]
    assert files("rounds") == whole[1]
    assert decoded() == [1, 2, 3, 3, 4]


def test_decoder_that_does_not_want_to_end(work):
    """It is asked to end; whoever cannot wait until it does asks again."""
    stubborn = f"trap 'touch asked' TERM; echo $$ > here.new; mv here.new here; while :; do sleep 0.05; done; {TOY}"
    process = begin(command=stubborn)
    wait_for(Path("here").exists, process)
    process.send_signal(signal.SIGINT)
    wait_for(Path("asked").exists, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    wait_for(lambda: not is_alive(int(Path("here").read_text())))


def test_ctrl_c_in_a_terminal_stops_both(work):
    """The terminal interrupts its foreground, to which the decoder does not belong."""
    Path("hold.1").touch()
    number, terminal = pty.fork()
    if not number:
        words = [sys.executable, str(HERE / "rounds_driver.py"), json.dumps({"folder": "rounds", "command": HELD})]
        os.execv(sys.executable, words)
    try:
        wait_for(Path("here").exists)
        os.write(terminal, b"\x03")
        assert os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) == 130
    finally:
        os.close(terminal)
    wait_for(lambda: not is_alive(int(Path("here").read_text())))


# What decoders leave behind ---------------------------------------------------------------------------------

#: Starts a child in the background, whose number is in the file `child` as soon as it is at work.
CHILD = "sh -c '{0} echo $$ > child.new; mv child.new child; while :; do sleep 0.05; done'{1} & " + (
    "while [ ! -e child ]; do sleep 0.01; done; "
)


@pytest.fixture
def bystander():
    """A process that has nothing to do with decoders."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    assert process.poll() is None
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    "child",
    [
        CHILD.format("", ""),
        CHILD.format("trap : TERM;", ""),  # which does not end when asked to
        CHILD.format("", " <&- >&- 2>&- 3>&- 4>&-"),  # which lets go of all that it was given
        f"({CHILD.format('', '')}:); ",  # whose parent is no more
    ],
    ids=["plain", "stubborn", "detached", "orphan"],
)
@pytest.mark.parametrize("end", ["exit 3", "kill -9 $$", TOY, "kill -STOP $(cat child); exit 1"])
def test_children_of_a_decoder_end_with_it(work, bystander, monkeypatch, child, end):
    monkeypatch.setattr("tricolore.platforms.GRACE", 0.3)
    with contextlib.nullcontext() if end == TOY else pytest.raises(InputError, match="round 1: the decoder"):
        loop(f"rm -f child; {child}{end}; : {{weights}} {{nbest}}", rounds=1, choose="last").run()
    wait_for(lambda: not is_alive(int(Path("child").read_text())))


def test_a_list_that_is_finished_in_the_background(work):
    """As by a process substitution of bash, for which it does not wait."""
    outcome = loop(f"(sleep 0.2; {TOY}; echo {{round}} >> decoded) &", rounds=1).run()
    assert decoded() == [1, 2]
    assert outcome == loop(rounds=1, folder="other").run()


def test_what_has_a_session_of_its_own_is_left_alone(work, monkeypatch):
    """It is out of reach; decoders that are to stay are started so."""
    monkeypatch.setattr("tricolore.platforms.GRACE", 0.3)
    own = "import os; os.setsid(); open('own.new', 'w').write(str(os.getpid())); os.rename('own.new', 'own'); "
    start = f'{PYTHON} -c "{own}import time; time.sleep(600)" & while [ ! -e own ]; do sleep 0.01; done; '
    loop(f"[ -e own ] || {{ {start}}}; {TOY}", rounds=1, choose="last").run()
    number = int(Path("own").read_text())
    assert is_alive(number)
    os.kill(number, signal.SIGKILL)


def test_no_guard_is_left(work):
    groups = "ps -o pgid= -p $$ >> groups; "
    with pytest.raises(InputError):
        loop(f"{groups}exit 1; {{weights}} {{nbest}}").run()
    loop(f"{groups}{TOY}", folder="other").run()
    shown = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], check=True, capture_output=True, text=True).stdout
    alive = {group for group, state, *_ in map(str.split, shown.splitlines()) if not state.startswith("Z")}
    groups = Path("groups").read_text().split()
    assert len(groups) == 5
    assert not alive & {*groups}


def test_parts_of_files_do_not_count(work, whole):
    process = begin(command=HELD, hold="round 2: tuning 5")
    wait_for(Path("held").exists, process)
    process.kill()
    process.communicate()
    Path("rounds/2/.tuned.txt.123.part").write_text("lm= 7")
    Path("rounds/2/attempt-x").mkdir()
    Path("rounds/3").mkdir()
    Path("rounds/3/unchecked").write_text("0 ||| half a li")
    Path("rounds/3/attempt-y").mkdir()
    Path("rounds/3/attempt-y/nbest").write_text("0 ||| half a li")
    assert finished(command=HELD) == whole[0]
    left = files("rounds")
    assert left == whole[1]


def test_one_process_at_a_time(work):
    process = begin(command=HELD, hold="after 1")
    wait_for(Path("held").exists, process)
    with pytest.raises(InputError, match=rf"rounds: in use by another process \(id {process.pid}\)"):
        loop(HELD).run()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert loop(HELD).run().rounds[0].was_there


# Decoders that fail -----------------------------------------------------------------------------------------

LIST = "".join(f"{i} ||| a ||| lm= 1\\n" for i in range(8))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("seq 20 >&2; exit 3; {weights} {nbest}", "failed with exit status 3; {}/decoder.log ends with\n  11\n"),
        ("echo only this; exit 1; {weights} {nbest}", "exit status 1; {}/decoder.out ends with\n  only this$"),
        ("exit 1; {weights} {nbest}", r"exit status 1; it printed nothing \({}/decoder.log\)$"),
        ("kill -9 $$; {weights} {nbest}", "was ended by SIGKILL"),
        ("no-such-decoder {weights} {nbest}", "was not found by the shell; {}/decoder.log ends with\n  .*not found"),
        ("/ {weights} {nbest}", "cannot be run by the shell"),
        ("if then {weights} {nbest}", "(?s)failed with exit status 2.*yntax error"),
        ("true {weights} {nbest}", "the decoder wrote no list to {nbest}"),
        (": {weights} > {nbest}", "{}/unchecked: the file is empty"),
        (": {weights}; echo hello > {nbest}", "{}/unchecked: line 1: expected 'source ||| text', found 'hello'"),
        (": {weights}; echo '0 ||| a ||| lm= 1' > {nbest}", "{}/unchecked: ends with source 0, but refs.txt goes on"),
        (f": {{weights}}; printf '{LIST}7 ||| a ||| lm= nan' > {{nbest}}", "{}/unchecked: line 9: feature 'lm' is nan"),
        (f": {{weights}}; printf '{LIST}7 ||| a' > {{nbest}}", "{}/unchecked: line 9: the hypothesis has no features"),
        (f": {{weights}}; printf '{LIST}' > {{nbest}}.gz", "{}/unchecked.gz: is not compressed; expected gzip data"),
        (": {weights}; touch {nbest} {nbest}.gz", "there are several lists"),
        (
            f': {{weights}}; printf "{LIST.replace("lm", "LM")}" > {{nbest}}',
            "start.txt: no weight is for a feature of the lists",
        ),
        (
            f': {{weights}}; printf "{LIST.replace("= 1", "= 1 2")}" > {{nbest}}',
            "start.txt: 'lm' has 1 weight, but 2 values in the lists",
        ),
    ],
)
def test_failing_decoders(work, command, message):
    with pytest.raises(InputError) as raised:
        loop(command, path="refs.txt").run()
    text = str(raised.value)
    assert text.startswith("round 1: ")
    expected = message.replace("{}", str(work / "rounds" / "1"))
    assert re.search(expected, text) or expected in text
    assert "Traceback" not in text
    # Whoever puts it right goes on in the same folder.
    assert loop(rounds=1, choose="last").run().rounds[0].number == 1


def test_weights_that_the_decoder_changes_are_refused(work):
    with pytest.raises(InputError, match=r"round 1: .*weights.txt: not the weights that this round begins"):
        loop(f"{TOY}; echo lm= 7 > {{weights}}").run()
    Path("rounds/1/weights.txt").unlink()
    removing = f"{TOY}; rm {{weights}}"
    assert loop(removing).run() == loop(folder="other").run()
    assert files("rounds").keys() == files("other").keys()


def test_lists_on_which_nothing_can_be_tuned(work):
    with pytest.raises(InputError, match="round 1: no feature differs between hypotheses of a source"):
        loop(f": {{weights}}; printf '{LIST}' > {{nbest}}").run()


def test_failure_in_a_later_round(work):
    """Rounds that are over stay, and the one that failed is decoded again."""
    wrong = "echo {round} >> decoded; echo 'no memory' >&2; exit 9"
    failing = f"[ {{round}} != 2 ] || [ -e fixed ] || {{ {wrong}; }}; {COUNTED}"
    with pytest.raises(
        InputError, match=r"round 2: the decoder failed with exit status 9; .*decoder.log ends with\n  no memory$"
    ):
        loop(failing).run()
    Path("fixed").touch()
    outcome = loop(failing).run()
    assert decoded() == [1, 2, 2, 3, 4]
    assert outcome == loop(failing, "other").run()


def test_a_bad_list_is_kept_to_look_at(work):
    bad = f"echo {{round}} >> decoded; {TOY}; if [ {{round}} = 2 ] && [ ! -e fixed ]; then echo junk >> {{nbest}}; fi"
    with pytest.raises(InputError, match=r"round 2: .*rounds/2/unchecked: line 81: expected 'source \|\|\| text'"):
        loop(bad).run()
    assert Path("rounds/2/unchecked").read_text().endswith("junk\n")
    assert not Path("rounds/2/nbest").exists()
    Path("fixed").touch()
    loop(bad).run()
    assert decoded() == [1, 2, 2, 3, 4]
    assert not Path("rounds/2/unchecked").exists()


def test_last_lines_of_a_progress_bar(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"begin\n\n 1%\r 50%\r100%\r\n\xff\x1b[31mbad\n" + b"x" * 1000)
    assert last_lines(path) == ["begin", "100%", "� [31mbad", "x" * 300]


# Settings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"command": f"{COUNTED} 11"}, r"another decoder \(.*, now .*\); use the same, or name another folder"),
        ({"metric": "bleu(smooth=3)"}, r'another metric \("bleu\(smooth=2\)", now "bleu\(smooth=3\)"\)'),
        ({"report": "ter"}, "another report"),
        ({"tries": 61}, r'another parameters \(\{"tries": 60\}, now \{"tries": 61\}\)'),
        ({"seed": 1}, r"another seed \(12345, now 1\)"),
        ({"norm": "l1"}, "another norm"),
        ({"fix": ("lm",)}, "another fix"),
        ({"bounds": ("lm=0:",)}, "another bounds"),
        ({"references": ["a"] * 8}, "another references"),
        ({"start": toy_decoder.START.replace("0.9", "0.8")}, "another start"),
    ],
)
def test_changed_settings_are_refused(work, changed, message):
    settings = {"command": COUNTED, "rounds": 1, "choose": "last"}
    loop(**settings).run()
    before = files("rounds")
    with pytest.raises(InputError, match=f"rounds: was begun with {message}"):
        loop(**{**settings, **changed}).run()
    assert files("rounds") == before
    assert decoded() == [1]


def test_before_anything_was_tuned_the_tuner_may_change(work):
    """A metric that cannot be tuned by, say, shows only when the first list is there."""
    process = begin(command=HELD, hold="round 1: tuning 0")
    wait_for(Path("held").exists, process)
    process.kill()
    process.communicate()
    with pytest.raises(InputError, match="another start"):
        loop(HELD, start=toy_decoder.START.replace("0.9", "0.8")).run()
    outcome = loop(HELD, tries=10).run()
    assert decoded() == [1, 2, 3, 4]
    assert outcome == loop(HELD, "other", tries=10).run()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("1/tuned.txt", toy_decoder.START, "2/weights.txt: not the weights that this round begins with"),
        ("1/nbest", None, "1/nbest: has 79 new hypotheses, but had 80"),
        ("1/result.json", "{}", "1/nbest: has 80 new hypotheses, but had None"),
        ("1/result.json", "[", "1/result.json: expected a JSON object as it was written"),
        ("1/result.json", '{"new": 80, "hypotheses": 80}', "1/result.json: not as it was written"),
        ("settings.json", "", "settings.json: expected a JSON object"),
        ("2/nbest", "0 ||| x ||| lm= 1", "round 2: .*2/nbest: ends with source 0"),
    ],
)
def test_changed_files_are_refused(work, name, text, message):
    loop(rounds=2, choose="last").run()
    path = Path("rounds", name)
    path.write_text(path.read_text().split("\n", 1)[1] if text is None else text)
    with pytest.raises(InputError, match=message):
        loop(rounds=2, choose="last").run()
    assert decoded() == [1, 2]


def test_folders_that_cannot_be_meant(work):
    Path("full").mkdir()
    Path("full/thesis.tex").touch()
    with pytest.raises(InputError, match=r"full: holds 'thesis.tex' and no settings.json; expected a new folder"):
        loop(folder="full").run()
    assert sorted(path.name for path in Path("full").iterdir()) == ["lock", "thesis.tex"]
    Path("file").touch()
    with pytest.raises(InputError, match="file: is not a folder"):
        loop(folder="file").run()
    with pytest.raises(InputError, match=r"file/below: cannot be made"):
        loop(folder="file/below").run()
    assert not Path("decoded").exists()


HOSTILE = [
    "a folder's name",
    'a "quoted" one',
    "; touch pwned",
    "$(touch pwned)",
    "`touch pwned`",
    "' && touch pwned; '",
    '"; touch pwned; "',
    "a\ntouch pwned\n",
    "-rf",
    "*",
    "{nbest}",
    "$HOME ${weights} \\",
    "ünï∂é 漢字",
    "\t\x1b[31m#",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_of_folders(work, name):
    """Each placeholder is an argument, wherever it may stand; nothing of a name is run."""
    quoted = TOY.replace("{weights}", '"{weights}"').replace("{nbest}", "'{nbest}.new'".replace(".new'", "'.new"))
    inner = (
        'sh -c \'mv "$1" "$2"\' sh {nbest}.new {nbest} && cat {weights} > copy.{round} && '
        'echo "$(cat {weights} | cat "{weights}" -)" > twice.{round} && echo `cat {weights}` > once.{round} # {weights}'
    )
    outcome = loop(f"{quoted} && {inner}", name, rounds=1).run()
    assert outcome == loop(rounds=1).run()
    given = Path(name, "2", "weights.txt").read_text()
    assert Path("copy.2").read_text() == given
    assert Path("twice.2").read_text() == given * 2
    assert Path("once.2").read_text().split() == given.split()
    assert not Path("pwned").exists()


@pytest.mark.parametrize(
    ("command", "name", "shown"),
    [
        ("sh -c 'dec {weights}' {nbest}", "weights", "'dec {weights}"),
        ("sh -c 'dec \"{weights}\"' {nbest}", "weights", "'dec \"{weights}"),
        ('bash -c "dec {weights}" {nbest}', "weights", '"dec {weights}'),
        ("bash -c \"dec '{nbest}'\" {weights}", "nbest", "\"dec '{nbest}"),
        ("dec {weights} '{nbest} '", "nbest", "'{nbest}"),
        ('dec "--out={nbest}" {weights}', "nbest", '"--out={nbest}'),
        ("dec {weights} \"$(sh -c 'x {nbest}')\"", "nbest", "'x {nbest}"),
        ('dec {weights} $(echo "a $(b) {nbest}")', "nbest", '"a $(b) {nbest}'),
        ("dec \\'{weights} '{nbest}' \\\\'x {nbest}'", "nbest", "'x {nbest}"),
        ('dec {weights} "a\\" {nbest}"', "nbest", '"a\\" {nbest}'),
        ("dec {weights} 'a\\' {nbest} '{nbest} b'", "nbest", "'{nbest}"),
        ("dec # it's\n{weights} \"'\" 'x {nbest}'", "nbest", "'x {nbest}"),
        (f"dec {{weights}} '{'x' * 90} {{nbest}}'", "nbest", f"'{'x' * 28} … {'x' * 20} {{nbest}}"),
    ],
)
def test_placeholders_in_larger_quotations_are_refused(command, name, shown):
    """Another shell would run what is in the names of folders."""
    with pytest.raises(SpecError) as raised:
        Decoder(command)
    assert str(raised.value) == (
        f"decoder: {{{name}}} is inside a larger quotation, {shown}, which another shell may run; "
        f"expected its own argument, as in sh -c 'decode \"$1\"' sh {{{name}}}"
    )


@pytest.mark.parametrize(
    ("command", "filled"),
    [
        ("dec '{weights}' \"{nbest}\".gz", "dec W N.gz"),
        ("dec --w={weights} >{nbest}", "dec --w=W >N"),
        ('dec "$(tr "\\n" " " < {weights})" {nbest}', 'dec "$(tr "\\n" " " < W)" N'),
        ("dec \"$(a '{weights}' \"b $(c {nbest})\")\" 'round {round}'", 'dec "$(a W "b $(c N)")" \'round 3\''),
        ('x="`dec {weights}`"; (cd y; z \\" {nbest})', 'x="`dec W`"; (cd y; z \\" N)'),
        (
            "case $x in a) dec {weights};; 'b)') dec ${#y} {nbest};; esac",
            "case $x in a) dec W;; 'b)') dec ${#y} N;; esac",
        ),
        ("dec {weights} {nbest} # don't {weights}\ndec {nbest}", "dec W N # don't W\ndec N"),
        (
            "awk '{print $1}' {weights} | x ${HOME} {a,b} > {nbest}{round}{x}",
            "awk '{print $1}' W | x ${HOME} {a,b} > N3{x}",
        ),
    ],
)
def test_placeholders_are_filled(command, filled):
    expected = filled.replace("W", '"$TRICOLORE_WEIGHTS"').replace("N", '"$TRICOLORE_NBEST"')
    assert Decoder(command).filled(3) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"command": "decode {weights}"}, r"expected \{nbest\}, the n-best list to write, in the command"),
        ({"command": "decode {nbest}"}, r"expected \{weights\}"),
        ({"command": "decode ${weights} {nbest}"}, r"expected \{weights\}"),
        ({"command": "decode {weight} {nbest}"}, r"there is no \{weight\}; did you mean 'weights'\?"),
        ({"rounds": 0}, "rounds must be a whole number from 1"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"threshold": math.nan}, "threshold must be a number, 0 or more"),
        ({"choose": "worst"}, "choose must be one of best, last"),
        ({"norm": "l3"}, "norm must be one of none, l1, l2, max"),
        ({"norm": "l1", "fix": ("lm",)}, "norm scales all weights"),
        ({"fix": ("wrd",)}, "no feature 'wrd' in the lists; did you mean 'word'"),
        ({"bounds": ("lm=1:0",)}, "the lower bound is above the upper"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_runs(work, settings, message):
    with pytest.raises(SpecError, match=message):
        loop(**settings).run()
    assert list(work.iterdir()) == []


def test_start_of_zeros_is_refused_before_anything_runs(work):
    with pytest.raises(InputError, match=r"start\.txt: all weights are 0"):
        loop(start="lm= 0\n").run()
    assert list(work.iterdir()) == []


# A decoder of the world -------------------------------------------------------------------------------------


def test_thot_in_the_loop(work):
    pytest.importorskip("thot.translation", reason="sil-thot is not installed")
    import thot_decoder

    Path("model").mkdir()
    thot_decoder.train("model")
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE / 'thot_decoder.py'))} model {{weights}} {{nbest}}"
    settings = {"references": thot_decoder.REFERENCES, "start": thot_decoder.START, "tries": 100, "threshold": 0}
    outcome = loop(command, **settings).run()
    assert len(outcome.rounds) >= 3
    assert all(one.new > 0 for one in outcome.rounds[:3])
    assert outcome.chosen.decoded > outcome.rounds[0].decoded
    assert loop(command, **settings).run() == outcome
