"""The decoders of mbrs choose with our metrics what they choose with theirs, and the scores are the same numbers."""

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from stand_ins import stand_ins

import tricolore as tri
from tricolore.errors import InputError, SpecError
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.metrics import NAMES

torch = pytest.importorskip("torch", reason="torch is not installed (pip install --group tensors)")
if find_spec("mbrs") is None or find_spec("simple_parsing") is None:
    reason = "mbrs is not installed (pip install --no-deps --group benchmarks-alone)"
    pytest.skip(reason, allow_module_level=True)

#: mbrs scores in processes that it forks.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

HYPS = [lines(system)[i] for i in range(3) for system in SYSTEMS]
REFS = [*lines("reference-a")[:4], *lines("reference-b")[:3], "", "Ünïcode…  и 日本語"]
LPROBS = torch.log(torch.arange(1.0, len(REFS) + 1))


@pytest.fixture(scope="module")
def mbrs():
    """The package, without what its neural metrics import; ours is registered."""
    with stand_ins("transformers", "comet", "bert_score", "bleurt_pytorch"):
        import mbrs.decoders
        import mbrs.metrics

        name = "tricolore.adapters.mbrs"
        if not hasattr(sys.modules.get(name), "MetricTricolore"):
            sys.modules.pop(name, None)  # pytest keeps what it failed to import when it looked for doctests
        importlib.import_module(name)
    return mbrs


@pytest.fixture(params=["bleu", "bleu(order=2, lowercase=true)", "chrf", "chrf(word_order=2)", "ter"])
def both(request, mbrs):
    """Our metric, and that of mbrs."""
    of = mbrs.metrics
    theirs = {
        "bleu": lambda: of.MetricBLEU(of.MetricBLEU.Config(num_workers=1)),
        "bleu(order=2, lowercase=true)": lambda: of.MetricBLEU(
            of.MetricBLEU.Config(max_ngram_order=2, lowercase=True, num_workers=1)
        ),
        "chrf": lambda: of.MetricChrF(of.MetricChrF.Config(num_workers=1)),
        "chrf(word_order=2)": lambda: of.MetricChrF(of.MetricChrF.Config(word_order=2, num_workers=1)),
        "ter": lambda: of.MetricTER(of.MetricTER.Config(num_workers=1)),
    }
    cls = of.get_metric("tricolore")
    return cls(cls.Config(metric=request.param)), theirs[request.param]()


def test_scores_are_those_of_mbrs(both):
    ours, theirs = both
    number = len(REFS)
    assert ours.HIGHER_IS_BETTER == theirs.HIGHER_IS_BETTER
    torch.testing.assert_close(ours.pairwise_scores(HYPS, REFS), theirs.pairwise_scores(HYPS, REFS))
    torch.testing.assert_close(ours.scores(HYPS[:number], REFS), theirs.scores(HYPS[:number], REFS))
    assert ours.score(HYPS[0], REFS[0]) == pytest.approx(theirs.score(HYPS[0], REFS[0]), rel=1e-12)
    streams = [lines(name) for name in REFERENCES]
    corpus = lines("hasty")
    assert ours.corpus_score(corpus, streams) == pytest.approx(theirs.corpus_score(corpus, streams), rel=1e-12)


@pytest.mark.parametrize("lprobs", [None, LPROBS])
@pytest.mark.parametrize("name", ["mbr", "aggregate_mbr", "pruning_mbr", "probabilistic_mbr"])
def test_decoders_choose_what_they_choose_with_metrics_of_mbrs(both, mbrs, name, lprobs):
    if name == "aggregate_mbr" and both[0].cfg.metric == "ter":
        pytest.skip("TER cannot average references, here nor there")
    decoder = mbrs.decoders.get_decoder(name)
    options = {"nbest": 1 if name == "pruning_mbr" else 4, "reference_lprobs": lprobs}
    found, expected = (decoder(decoder.Config(), one).decode(HYPS, REFS, **options) for one in both)
    assert (found.idx, found.sentence) == (expected.idx, expected.sentence)
    assert found.score == pytest.approx(expected.score, rel=1e-5)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "length"])
def test_every_metric_has_its_own_scores(mbrs, name):
    metric = tri.metric(name)
    made = mbrs.metrics.get_metric("tricolore")(name)
    scale = metric.display_scale
    expected = torch.tensor(metric.pairwise(HYPS, REFS) * scale, dtype=torch.float32)
    torch.testing.assert_close(made.pairwise_scores(HYPS, REFS), expected, rtol=0, atol=0)
    weighted = made.expected_scores(HYPS, REFS, reference_lprobs=LPROBS)
    torch.testing.assert_close(weighted, expected @ LPROBS.softmax(-1))
    assert (
        made.corpus_score(lines("hasty"), [lines("reference-a")]) == metric(lines("hasty"), lines("reference-a")).points
    )


def test_the_command_of_mbrs_finds_it_as_a_plugin(tmp_path):
    (tmp_path / "with_tricolore").mkdir()
    (tmp_path / "with_tricolore" / "__init__.py").write_text("import tricolore.adapters.mbrs\n", encoding="utf-8")
    (tmp_path / "samples.txt").write_text("".join(f"{text}\n" for text in HYPS), encoding="utf-8")
    number = len(SYSTEMS)
    script = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from stand_ins import stand_ins
with stand_ins("transformers", "comet", "bert_score", "bleurt_pytorch"):
    from mbrs.cli.decode import cli_main
    sys.argv = ["mbrs-decode", "samples.txt", "-n", "{number}", "--quiet", "--plugin_dir", "with_tricolore",
                "--metric", "tricolore", "--metric.metric", "chrf(word_order=2)", "--metric.threads", "1"]
    cli_main()
"""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lists = [HYPS[i : i + number] for i in range(0, len(HYPS), number)]
    assert found.stdout.splitlines() == [tri.mbr(one, "chrf++").text for one in lists]


def test_mistakes_are_told_in_one_line(mbrs):
    cls = mbrs.metrics.get_metric("tricolore")
    with pytest.raises(SpecError, match=r"^length cannot choose"):
        cls("length")
    with pytest.raises(SpecError, match=r"unknown metric 'blue'; did you mean 'bleu'\?"):
        cls("blue")
    with pytest.raises(SpecError, match=r"^ter cannot average references; use another decoder than aggregate_mbr$"):
        cls("ter").expected_scores_reference_aggregation(HYPS, REFS)
    with pytest.raises(InputError, match=r"^references: expected at least one, got none$"):
        cls("chrf").expected_scores_reference_aggregation(HYPS, [])
    with pytest.raises(InputError, match=r"^hypothesis 1: expected a string or token ids, got None"):
        cls("chrf").pairwise_scores(["a", None], ["b"])
    with pytest.raises(InputError, match=r"^2 hypotheses but references for 1 segment;"):
        cls("chrf").corpus_score(["a", "b"], [["b"]])


def test_without_mbrs_it_says_what_to_install():
    code = "import sys; sys.modules['mbrs'] = None; import tricolore.adapters.mbrs"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.endswith("MissingExtraError: this adapter needs mbrs; pip install mbrs\n")
