"""Arguments of the wrong kind: one line that names the parameter and what it takes."""

import pytest

import tricolore as tri

H, REFS = ["a cat sat", "he left"], ["a cat sat", "he went"]
SYSTEMS = {"a": H, "b": REFS}
TABLE = {"mt": H, "ref": REFS}
LISTS = [[("a cat sat", {"lm": -3}), ("the cat sat", {"lm": -4})], [("he", {"lm": -1}), ("he left", {"lm": -2})]]


def report(**how):
    return tri.report(SYSTEMS, REFS, "ter", path="none.html", **how)


def tune(**how):
    return tri.tune(LISTS, REFS, "mert", "ter", **how)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tri.score_by(H, REFS, by="docs.txt"), "by: expected a dictionary such as {'document': ids}, got str"),
        (lambda: tri.score_by(H, REFS, by=["x", "y"]), "by: expected a dictionary such as {'document': ids}, got list"),
        (lambda: tri.score_by(H, REFS, lengths=10), "lengths must be a list, each a whole number from 1 to"),
        (lambda: report(by=["x", "y"]), "by: expected a dictionary such as {'domain': values}, got list"),
        (lambda: report(human=5), "human: expected a file, a table, or numbers by system; got int"),
        (lambda: report(human=[1, 2]), "human: rates whole systems; a report shows ratings of segments"),
        (lambda: tri.correlate(SYSTEMS, REFS, human=5), "human: expected a file, a table, or numbers by system"),
        (lambda: tri.score_table(TABLE, hyp=0, refs="ref"), "hyp must be the name of a column; got 0"),
        (lambda: tri.score_table(TABLE, hyp="mt", refs=1), "refs must be a list, each the name of a column; got 1"),
        (lambda: tri.score_table(TABLE, hyp="mt", refs="ref", where="l=x"), "where: expected a dictionary such as"),
        (lambda: tri.score_table(TABLE, hyp="mt", refs="ref", segments=5), "segments must be the name of a file or"),
        (lambda: tri.mbr(H, probabilities="uniform"), "source 0: expected probabilities, numbers; got 'uniform'"),
        (
            lambda: tri.orange(5, [H, REFS]),
            "nbest: expected a file, or a list of translations for each source; got int",
        ),
        (lambda: tune(test=5), "test: expected (nbest, refs), n-best lists and their references"),
        (lambda: tune(fix=5), "fix must be a list, each a text such as 'lm' or 'lm=0.5'; got 5"),
        (
            lambda: tune(bounds={"lm": (0, 1)}),
            "bounds must be a list, each a text such as 'lm=0:1'; got {'lm': (0, 1)}",
        ),
        (lambda: tune(fix="lm"), "all features are fixed; there is nothing to tune"),
    ],
)
def test_arguments_of_the_wrong_kind_are_told_in_one_line(tmp_path, monkeypatch, call, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tri.TricoloreError) as caught:
        call()
    assert str(caught.value).startswith(message)
