"""Search of parameters: choices by hand, held-out sets, and going on after an interruption."""

import itertools
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from tricolore import References, metric
from tricolore.cli import run
from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation.evaluation_sets import EvaluationSet, lines_of, read_set
from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.rankings import Judgement, Rankings
from tricolore.judge.correlation.ratings import Ratings
from tricolore.judge.correlation.search import Grid, best_of, search

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "in", "house", "of", "and", "then", "went", "home"]
GRID = "chrf(char_order=2..4, beta=1|3)"
MEASURES = (Measure("system", "pearson"), Measure("segment", "kendall-b", "pooled"))


def made_up(name, seed, group="", systems=4, segments=12):
    """A set in which better systems change fewer words, and people see that through some noise."""
    rng = random.Random(seed)
    references = [" ".join(rng.choices(WORDS, k=rng.randint(4, 9))) for _ in range(segments)]
    outputs, cells = {}, {}
    for k in range(systems):
        lines = []
        for i, reference in enumerate(references, 1):
            words = [rng.choice(WORDS) if rng.random() < 0.1 + 0.2 * k else word for word in reference.split()]
            lines.append(" ".join(words))
            cells[f"S{k}", str(i)] = -k + rng.gauss(0, 1)
        outputs[f"S{k}"] = lines
    people = Ratings("made-up", tuple(outputs), tuple(str(i + 1) for i in range(segments)), cells)
    return EvaluationSet(name, outputs, References(references), people, group=group)


@pytest.fixture(scope="module")
def sets():
    return [made_up("one", 1, "en-de"), made_up("two", 2, "en-de"), made_up("three", 3, "de-en")]


@pytest.fixture(scope="module")
def held_out():
    return [made_up("four", 4, "en-de"), made_up("five", 5, "fi-en")]


@pytest.fixture(scope="module")
def found(sets, held_out):
    return search(GRID, sets, held_out, measures=MEASURES, shuffles=50)


def by_hand(one, text, measure):
    """Agreement the slow way: system by system, segment by segment, with scipy."""
    from scipy import stats

    made = metric(text)
    people = one.ratings.array(tuple(one.systems), one.segments)
    if measure.level == "system":
        scores = [float(made(lines, one.references)) for lines in one.systems.values()]
        return stats.pearsonr(scores, people.mean(axis=1))[0]
    scores = [value for lines in one.systems.values() for value in made.segments(lines, one.references)]
    return stats.kendalltau(scores, people.ravel())[0]


def test_every_value_is_what_it_is_by_hand(found, sets, held_out):
    assert len(found.grid.metrics) == 6
    for one in (*sets, *held_out):
        for tried in found.grid.all:
            for measure in MEASURES:
                assert found.value(one, tried, measure) == pytest.approx(by_hand(one, tried.spec, measure), abs=1e-12)


def test_the_best_average_is_chosen_for_each_group_and_level(found, sets):
    assert found.groups == ("en-de", "de-en")
    for group, members in (("en-de", sets[:2]), ("de-en", sets[2:])):
        for measure in MEASURES:
            averages = {
                one.spec: sum(by_hand(each, one.spec, measure) for each in members) / len(members)
                for one in found.grid.metrics
            }
            choice = found.choice(group, measure)
            assert choice.dev == pytest.approx(max(averages.values()), abs=1e-12)
            assert averages[choice.best.spec] == pytest.approx(choice.dev, abs=1e-12)
            assert choice.default == pytest.approx(found.average(members, metric("chrf"), measure))


def test_the_best_for_everything_has_the_smallest_sum_of_ranks(found, sets):
    from scipy.stats import rankdata

    sums = 0
    for one in sets:
        for measure in MEASURES:
            sums += rankdata([-found.value(one, tried, measure) for tried in found.grid.metrics])
    assert found.overall == found.grid.metrics[sums.argmin()]


def test_held_out_sets_choose_nothing(found, sets, held_out):
    without = search(GRID, sets, measures=MEASURES)
    assert [choice.best for choice in without.choices] == [choice.best for choice in found.choices]
    assert without.overall == found.overall
    lines = {(line.set, line.measure): line for line in found.lines}
    assert len(lines) == 10
    assert [line.set for line in found.lines if line.held_out] == ["four", "four", "five", "five"]
    four = lines["four", MEASURES[0]]
    assert four.best == found.choice("en-de", MEASURES[0]).best
    assert four.optimised == found.value(held_out[0], four.best, MEASURES[0])
    assert lines["five", MEASURES[0]].best == found.overall  # its language pair has no development set
    assert all((0 < line.p <= 1) == line.held_out for line in found.lines)
    assert all(line.p == 1 for line in found.lines if line.held_out and line.best == found.grid.default)


def test_the_number_of_threads_does_not_matter(found, sets, held_out):
    alone = search(GRID, sets, held_out, measures=MEASURES, shuffles=50, threads=1)
    assert alone.values == found.values
    assert alone.p_values == found.p_values


# Going on ----------------------------------------------------------------------------------------------------


class EnoughError(Exception):
    pass


def stop_after(number):
    def progress(done, total):
        if done == number:
            raise EnoughError

    return lambda stage: progress


@pytest.fixture
def counted(monkeypatch):
    """How often a set was scored."""
    calls = []
    scored_by = EvaluationSet.scored_by

    def counting(self, metrics, threads=None):
        calls.append((self.name, [one.spec for one in metrics]))
        return scored_by(self, metrics, threads)

    monkeypatch.setattr(EvaluationSet, "scored_by", counting)
    return calls


def test_an_interrupted_search_goes_on_where_it_ended(tmp_path, sets, found, counted):
    path = str(tmp_path / "kept.jsonl")
    with pytest.raises(EnoughError):
        search(GRID, sets, measures=MEASURES, resume=path, progress=stop_after(5))
    assert len(counted) == 5
    again = search(GRID, sets, measures=MEASURES, resume=path)
    assert len(counted) == len(sets) * len(found.grid.all)
    assert len({(name, *specs) for name, specs in counted}) == len(counted)  # nothing twice
    for key, value in again.values.items():
        assert value == found.values[key]
    third = search(GRID, sets, measures=MEASURES, resume=path)
    assert len(counted) == len(sets) * len(found.grid.all)
    assert third.values == again.values


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("sent", "status"), [("SIGINT", 130), ("SIGKILL", -9)])
def test_a_search_that_is_stopped_from_outside_goes_on(tmp_path, sent, status):
    folder = written(tmp_path / "dev", made_up("dev", 7, systems=6, segments=60))
    kept = tmp_path / "kept.jsonl"
    asked = [sys.executable, "-m", "tricolore", "search", "ribes(alpha=0.05..0.95:0.05, beta=0.05..0.5:0.05)"]
    asked += ["--dev", folder, "--resume", str(kept), "-f", "json"]
    process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and (not kept.exists() or len(kept.read_bytes().splitlines()) < 20):
        time.sleep(0.01)
    process.send_signal(getattr(signal, sent))
    _, err = process.communicate()
    assert process.returncode == status
    assert err == ("tricolore: interrupted\n" if status == 130 else "")
    before = kept.read_bytes()
    assert 20 <= len(before.splitlines()) < 2 * 190
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert kept.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert len(kept.read_bytes().splitlines()) == 2 * 190
    assert len(json.loads(done.stdout)["grid"]) == 2 * 190


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="the system has no such devices")
@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "folder"])
def test_a_search_goes_on_from_a_file_only(tmp_path, monkeypatch, capsys, sets, name):
    """A device or a pipe would be read without end; it is refused before anything is read."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.mkdir("folder")
    kind = "a folder" if name == "folder" else "a device or a pipe"
    message = f"{name}: is {kind}; expected a file to keep results in"
    with pytest.raises(InputError, match=message):
        search(GRID, sets, measures=MEASURES, resume=name)
    assert run(["search", "chrf(beta=1..3)", "--dev", "nowhere", "--resume", name]) == 1
    assert capsys.readouterr().err == f"tricolore: {message}\n"


@pytest.mark.parametrize("value", ['"1_5"', "true", "[]", '{"a": 1}', "1e200"])
def test_a_result_is_a_number(sets, tmp_path, value):
    path = tmp_path / "kept.jsonl"
    search(GRID, sets[:1], measures=MEASURES, resume=str(path))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[1] = re.sub(r'"value": .*}', lambda _: f'"value": {value}}}', lines[1])
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="line 2: not a result of a search"):
        search(GRID, sets[:1], measures=MEASURES, resume=str(path))


@pytest.mark.parametrize("cut", [1, 20, 70])
def test_a_line_that_was_cut_short_is_done_again(tmp_path, sets, cut):
    path = tmp_path / "kept.jsonl"
    whole = search(GRID, sets[:1], measures=MEASURES, resume=str(path))
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    again = search(GRID, sets[:1], measures=MEASURES, resume=str(path))
    assert again.values == whole.values
    assert sorted(path.read_bytes().splitlines()) == sorted(data.splitlines())


def test_other_measures_are_added(tmp_path, sets):
    path = str(tmp_path / "kept.jsonl")
    search(GRID, sets[:1], measures=MEASURES[:1], resume=path)
    both = search(GRID, sets[:1], measures=MEASURES, resume=path)
    assert both.values == search(GRID, sets[:1], measures=MEASURES).values


def test_results_on_other_data_are_refused(tmp_path, sets):
    path = str(tmp_path / "kept.jsonl")
    search(GRID, sets[:1], measures=MEASURES, resume=path)
    other = made_up("one", 99, "en-de")
    with pytest.raises(InputError, match=r"kept.jsonl: line 1: was computed on other data"):
        search(GRID, [other], measures=MEASURES, resume=path)


@pytest.mark.parametrize("text", ["nonsense\n", "[]\n", '{"set": "one"}\n', "nonsense", '{"other": 1}'])
def test_another_file_is_not_overwritten(tmp_path, sets, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"notes.txt: (line 1: )?not a result of a search"):
        search(GRID, sets, resume=str(path))
    assert path.read_text() == text


def test_an_undefined_agreement_is_kept_and_never_chosen(tmp_path):
    one = made_up("one", 1)
    flat = EvaluationSet("flat", {name: ["x"] * 12 for name in one.systems}, one.references, one.ratings)
    path = tmp_path / "kept.jsonl"
    found = search(GRID, [flat], measures=MEASURES[:1], resume=str(path))
    assert all(math.isnan(value) for value in found.values.values())
    assert json.loads(path.read_text().splitlines()[0])["value"] is None
    with pytest.raises(InputError, match="flat: system pearson is undefined for all metrics"):
        _ = found.choices
    assert best_of([math.nan, 0.2, math.nan, 0.1]) == 1


# Mistakes ----------------------------------------------------------------------------------------------------


def test_a_grid_needs_a_range():
    with pytest.raises(SpecError, match="nothing to search"):
        Grid.parse("chrf(beta=2)")
    with pytest.raises(SpecError, match="did you mean 'chrf'"):
        Grid.parse("chfr(beta=1..3)")
    assert Grid.parse("bleu(smooth=0..7)").default.for_segments == metric("bleu(short=effective)")


def test_sets_have_names_of_their_own(sets):
    with pytest.raises(InputError, match="set 'one' is given twice"):
        search(GRID, sets, [sets[0]])
    with pytest.raises(InputError, match="dev: expected at least one set"):
        search(GRID, [])


# Files -------------------------------------------------------------------------------------------------------


def written(folder, one, **more):
    """A set as a folder."""
    for part in ("systems", "references"):
        (folder / part).mkdir(parents=True)
    (folder / "references" / "ref.txt").write_text("".join(f"{line}\n" for line in one.references.entries))
    rows = ["system\tsegment\thuman"]
    for name, lines in one.systems.items():
        (folder / "systems" / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        rows += [f"{name}\t{i}\t{one.ratings.cells[name, str(i)]!r}" for i in range(1, len(lines) + 1)]
    (folder / "ratings.tsv").write_text("\n".join(rows) + "\n")
    given = {"references": "references/*.txt", "systems": "systems/*.txt", "human": "ratings.tsv", **more}
    (folder / "set.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in given.items()))
    return str(folder)


def test_a_set_is_read_from_a_folder(tmp_path, sets):
    path = written(tmp_path / "talks", sets[0], group="en-de")
    one = read_set(path)
    assert (one.name, one.group) == ("talks", "en-de")
    assert one.systems == sets[0].systems
    assert one.human.segments.tolist() == sets[0].human.segments.tolist()
    some = read_set(f"{path}@3-5")
    assert some.name == "talks@3-5"
    assert some.segments == ("3", "4", "5")
    assert some.systems["S1"] == sets[0].systems["S1"][2:5]
    assert some.human.segments.tolist() == sets[0].human.segments[:, 2:5].tolist()
    assert read_set(f"{path}/set.toml").systems == one.systems


def test_what_chooses_is_not_held_out(tmp_path, sets):
    path = written(tmp_path / "talks", sets[0])
    (tmp_path / "talks" / "other.toml").write_text((tmp_path / "talks" / "set.toml").read_text())
    dev = read_set(f"{path}@1-6")
    with pytest.raises(
        InputError, match=r"'talks@5-12' is not held out: 2 of its 8 segments \(5 to 6\) are also in dev set .*@1-6'"
    ):
        search(GRID, [dev], [read_set(f"{path}@5-12")])
    with pytest.raises(InputError, match="'other' is not held out: 6 of its 12 segments"):
        search(GRID, [dev], [read_set(f"{path}/other.toml")])
    assert search(GRID, [dev], [read_set(f"{path}@7-12")]).test[0].name == "talks@7-12"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"humna": "x"}, "unknown key 'humna'; did you mean 'human'"),
        ({"human": "none.tsv"}, "none.tsv: no such file"),
        ({"systems": "*.xyz"}, "systems: no file matches"),
        ({"systems": [1]}, "systems: expected names of files"),
        ({"references": 3}, "references: did not expect 3"),
        ({"segments": "4-2"}, "segments: expected lines such as 1-264"),
        ({"segments": "1-99"}, "expected 99 lines"),
        ({"form": "mqn"}, "did you mean 'mqm'"),
    ],
)
def test_a_description_that_is_wrong(tmp_path, sets, change, complaint):
    with pytest.raises((InputError, SpecError), match=complaint):
        read_set(written(tmp_path / "talks", sets[0], **change))


def test_systems_that_do_not_fit(tmp_path, sets):
    path = written(tmp_path / "talks", sets[0])
    (tmp_path / "talks" / "systems" / "S3.txt").unlink()
    with pytest.raises(InputError, match=r"names differ: .* \(only rated: S3; ignore_unknown = true drops them"):
        read_set(path)
    (tmp_path / "talks" / "systems" / "S2.txt").rename(tmp_path / "talks" / "systems" / "X.txt")
    with pytest.raises(InputError, match=r"names differ: .*rates S0, S1, S2, S3; the systems are S0, S1, X "):
        read_set(path)
    (tmp_path / "talks" / "systems" / "S1.txt").write_text("one line\n")
    with pytest.raises(InputError, match=r"S1.txt: has 1 lines, but .*ref.txt has 12"):
        read_set(path)
    with pytest.raises(InputError, match=r"has no set\.toml"):
        read_set(str(tmp_path))
    with pytest.raises(InputError, match="no such file"):
        read_set(str(tmp_path / "nothing.toml"))
    (tmp_path / "broken.toml").write_text("references = \n")
    with pytest.raises(InputError, match=r"broken.toml: invalid TOML"):
        read_set(str(tmp_path / "broken.toml"))


def test_ratings_that_count_from_0(tmp_path, sets):
    path = written(tmp_path / "talks", sets[0], ignore_unknown=True)
    ratings = tmp_path / "talks" / "ratings.tsv"
    header, *rows = [line.split("\t") for line in ratings.read_text().splitlines()]
    rows = [[system, str(int(segment) - 1), score] for system, segment, score in rows]
    ratings.write_text("".join("\t".join(row) + "\n" for row in [header, *rows]))
    with pytest.raises(InputError, match="rates segment '0'; expected lines of the texts, 1 to 12"):
        read_set(path)


def test_lines():
    assert lines_of("7", "x") == range(6, 7)
    for text in ("0-3", "a", "3-", "-3", "5-4"):
        with pytest.raises(InputError, match="expected lines such as"):
            lines_of(text, "x")


# The command -------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, sets, held_out, capsys):
    dev, test = written(tmp_path / "dev", sets[0]), written(tmp_path / "test", held_out[0])
    asked = ["search", GRID, "--dev", dev, "--test", test, "--measure", *map(str, MEASURES), "--shuffles", "50"]
    assert run(asked) == 0
    out = capsys.readouterr().out
    assert "6 combinations. default: chrf\n" in out
    assert "chrF2|nrefs:1|" in out
    assert run([*asked, "-f", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["default"] == "chrf"
    assert len(result["grid"]) == 2 * 2 * len(Grid.parse(GRID).all)
    values = [row["value"] for row in result["grid"] if not row["held_out"] and row["measure"] == "system pearson"]
    assert result["chosen"][0]["dev"] == max(values)
    for form in ("tsv", "markdown", "latex"):
        assert run([*asked, "-f", form]) == 0
        assert "chosen" in capsys.readouterr().out


def test_function_and_command_give_the_same_numbers(tmp_path, sets, held_out, capsys):
    dev, test = written(tmp_path / "dev", sets[0]), written(tmp_path / "test", held_out[0])
    asked = ["search", GRID, "--dev", dev, "--test", test, "--measure", "system pearson", "--shuffles", "50"]
    found = search(GRID, dev, [tmp_path / "test"], measures=["system pearson"], shuffles=50)
    assert run([*asked, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == found.to_dict()
    assert run(asked) == 0
    assert capsys.readouterr().out == f"{found}\n"
    assert list(found.to_pandas("grid").columns) == ["set", "group", "held_out", "metric", "measure", "value"]
    assert repr(found).startswith(f"<Search of {GRID} on 1 sets: chrf(")


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["search", "chrf(beta=1..2)"], 2, "no development set is given"),
        (["search", "chrf", "--dev", "x"], 2, "nothing to search; give a range"),
        (["search", "chrf(beta=1..2)", "--dev", "nothing"], 1, "nothing: no such file"),
        (["search", "chrf(beta=1..2)", "--dev", "x", "--measure", "system paerson"], 2, "did you mean 'pearson'"),
        (["search", "chrf(beta=1..2)", "--dev", "x", "--shuffles", "0"], 2, "--shuffles must be a whole number from 1"),
        (["search", "chrf(beta=1..2)", "--dev", "x", "-w", "99"], 2, "--width"),
    ],
)
def test_mistakes_on_the_command_line(arguments, status, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == status
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_half_of_the_talks_choose_for_the_other_half(shared, tmp_path, capsys):
    folder = shared / "data" / "human" / "mqm-ted-ende"
    (tmp_path / "talks.toml").write_text(
        f'references = "{folder}/references/ref.txt"\nsystems = "{folder}/systems/*.txt"\n'
        f'human = "{folder}/mqm_seg.tsv"\nlower_is_better = true\nignore_unknown = true\n'
    )
    sets = [f"{tmp_path}/talks.toml@{lines}" for lines in ("1-264", "265-529")]
    asked = ["search", "chrf(char_order=4..6:2, word_order=0|2)", "--dev", sets[0], "--test", sets[1]]
    assert run([*asked, "-f", "json", "--shuffles", "20"]) == 0
    result = json.loads(capsys.readouterr().out)
    grid = {(row["set"], row["metric"], row["measure"]): row["value"] for row in result["grid"]}
    for chosen in result["chosen"]:
        key = "talks@1-264", chosen["metric"], chosen["measure"]
        assert grid[key] == max(value for (of, _, measure), value in grid.items() if (of, measure) == key[::2])


def test_a_name_with_a_line_separator_is_resumed(tmp_path):
    """JSON leaves U+2028 as it is, and some ways to split lines would cut there."""
    path = str(tmp_path / "kept.jsonl")
    one = made_up("a\u2028b", 3)
    first = search(GRID, [one], measures=MEASURES, resume=path)
    assert search(GRID, [one], measures=MEASURES, resume=path).values == first.values


def ranked(one):
    """The same set, of which people ranked the systems on every segment by what they would have said."""
    judgements = []
    for segment in one.segments:
        for first, second in itertools.combinations(one.systems, 2):
            a, b = (one.ratings.cells[system, segment] for system in (first, second))
            judgements.append(Judgement(segment, first, second, 1 if a > b else -1))
    people = Rankings("ranked", tuple(one.systems), one.segments, tuple(judgements), len(one.segments))
    return replace(one, ratings=people)


def test_rankings_choose_and_are_tested_as_the_scores_they_came_from():
    """Without ties, every pair of a segment is ranked as it was scored."""
    sets = made_up("dev", 1), made_up("test", 2)
    measures = [Measure("segment", "kendall-wmt14", "segment")]
    scored = search(GRID, sets[:1], sets[1:], measures=measures, shuffles=50)
    by_rank = search(GRID, *([ranked(one)] for one in sets), measures=measures, shuffles=50)
    assert by_rank.values == scored.values
    assert by_rank.p_values == scored.p_values


def test_what_the_test_swaps_is_a_choice_with_a_caution(sets, held_out):
    how = {"measures": ["system pearson"], "shuffles": 20}
    default, both = (search(GRID, sets, held_out, permute=one, **how) for one in (None, "both"))
    assert "|over:systems|" in default.test_signature and "|over:both|" in both.test_signature
    assert not any("swaps segments" in note for note in default.notes)
    assert "caution: on " in both.notes[0] and "swaps segments" in both.to_dict()["notes"][0]
    assert both.notes[0] in str(both)
