"""Metrics in torchmetrics: the same scores in batches, in collections, in several processes, and in Lightning."""
# ruff: noqa: E402

import json
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (pip install --group tensors)")
torchmetrics = pytest.importorskip(
    "torchmetrics", reason="torchmetrics is not installed (pip install --group training)"
)


import tricolore as tri
from tricolore.adapters.torchmetrics import TricoloreMetric, exact_sums
from tricolore.errors import InputError, SpecError
from tricolore.examples import lines
from tricolore.metrics import every_metric

HYPS = lines("fluent") + lines("hasty")
REFS = [list(pair) for pair in zip(lines("reference-a"), lines("reference-b"), strict=True)] * 2
SPECS = [spec for spec in every_metric() if not spec.startswith("meteor")] + ["meteor", "chrf++", "bleu(smooth=2)"]
#: Rows of these hold fractions, whose sums depend on their order elsewhere; here they do not.
WHOLE = {"bleu", "chrf", "wer", "ter", "per", "gleu"}


def whole_metric(spec):
    return tri.metric(spec).prepare(REFS)


def counted(metric, batch=4):
    for first in range(0, len(HYPS), batch):
        metric.update(HYPS[first : first + batch], REFS[first : first + batch])
    return metric


@pytest.mark.parametrize("spec", SPECS)
def test_batches_give_the_score_of_the_corpus(spec):
    metric = whole_metric(spec)
    found = counted(TricoloreMetric(metric))
    expected = metric(HYPS, REFS)
    assert found.compute().dtype == torch.float64
    assert found.compute().item() == pytest.approx(float(expected), rel=1e-12)
    if spec in WHOLE:
        assert found.compute().item() == float(expected)
    assert found.result().signature == expected.signature
    assert found.result().parts.keys() == expected.parts.keys()


@pytest.mark.parametrize("spec", SPECS)
def test_the_size_and_order_of_batches_make_no_difference_to_any_bit(spec):
    metric = whole_metric(spec)
    order = random.Random(spec).sample(range(len(HYPS)), len(HYPS))
    shuffled = TricoloreMetric(metric)
    for i in order:
        shuffled.update([HYPS[i]], [REFS[i]])
    assert shuffled.compute().item() == counted(TricoloreMetric(metric), 7).compute().item()


def test_sums_are_exact_in_any_order():
    import numpy as np

    rows = np.random.default_rng(1).random((5000, 3)) * [1, 100, 1e5]
    parts = [exact_sums(part) for part in np.array_split(rows, 17)]
    forward, backward = sum(parts), sum(parts[::-1])
    assert (forward == exact_sums(rows)).all() and (forward == backward).all()
    assert forward.sum(axis=0) == pytest.approx(rows.sum(axis=0), rel=1e-13)


def test_two_processes_give_the_bits_of_one(tmp_path, processes=2):
    from torch_processes import scores

    corpus = tmp_path / "corpus.json"
    corpus.write_text(json.dumps([HYPS, REFS, SPECS]), encoding="utf-8")
    driver = Path(__file__).with_name("torch_processes.py")
    commands = [
        [sys.executable, driver, tmp_path / "meeting-place", str(rank), str(processes), corpus]
        for rank in range(processes)
    ]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    printed = [json.loads(child.communicate(timeout=240)[0]) for child in started]
    assert [child.returncode for child in started] == [0] * processes
    alone = scores(SPECS, HYPS, REFS, [range(len(HYPS))])
    assert printed == [alone] * processes
    assert alone["wer"] == float(tri.WER()(HYPS, REFS))


def test_forward_returns_the_score_of_the_batch_and_keeps_the_rest():
    metric = TricoloreMetric("bleu")
    assert metric(HYPS[:4], REFS[:4]).item() == float(tri.BLEU()(HYPS[:4], REFS[:4]))
    assert metric(HYPS[4:], REFS[4:]).item() == float(tri.BLEU()(HYPS[4:], REFS[4:]))
    assert metric.compute().item() == float(tri.BLEU()(HYPS, REFS))
    metric.reset()
    assert counted(metric).compute().item() == float(tri.BLEU()(HYPS, REFS))


def test_a_refused_batch_leaves_what_was_added_before():
    metric = TricoloreMetric("bleu")
    metric(HYPS, REFS)
    with pytest.raises(InputError, match="hypothesis 1: expected a string"):
        metric(["a", 7.5], ["a", "b"])
    with pytest.raises(InputError, match="2 hypotheses but references for 1 segment;"):
        metric.update(["a", "b"], ["a"])
    assert metric.compute().item() == float(tri.BLEU()(HYPS, REFS))


@pytest.mark.filterwarnings("ignore:The ``compute`` method of metric")
def test_nothing_to_score_is_no_number():
    metric = TricoloreMetric("bleu")
    assert metric.compute().isnan()
    assert metric([], []).isnan()
    with pytest.raises(InputError, match="nothing to score"):
        metric.result()
    metric.update([], [])
    assert counted(metric).compute().item() == float(tri.BLEU()(HYPS, REFS))


@pytest.mark.parametrize("spec", SPECS)
def test_direction(spec):
    metric = tri.metric(spec)
    expected = None if spec == "length" else metric.higher_is_better
    assert TricoloreMetric(metric.prepare(REFS)).higher_is_better is expected


class TestCollections:
    def test_prefixes_and_other_metrics(self):
        metrics = torchmetrics.MetricCollection(
            {
                "bleu": TricoloreMetric("bleu"),
                "ter": TricoloreMetric("ter"),
                "peer": torchmetrics.text.SacreBLEUScore(),
            },
            prefix="val_",
        )
        metrics.update(HYPS, REFS)
        found = metrics.compute()
        assert set(found) == {"val_bleu", "val_ter", "val_peer"}
        assert found["val_bleu"].item() == float(tri.BLEU()(HYPS, REFS))
        assert found["val_peer"].item() == pytest.approx(found["val_bleu"].item(), abs=1e-6)
        assert set(metrics.clone(prefix="test_").compute()) == {"test_bleu", "test_ter", "test_peer"}

    def test_metrics_with_equal_rows_in_the_first_batch_stay_apart(self):
        """WER and PER agree as long as the order of words does; torchmetrics takes such metrics for one."""
        metrics = torchmetrics.MetricCollection({"wer": TricoloreMetric("wer"), "per": TricoloreMetric("per")})
        metrics.update(["a b"], ["a c"])
        metrics.update(["b a"], ["a b"])
        found = metrics.compute()
        assert (found["wer"].item(), found["per"].item()) == (0.75, 0.25)

    def test_metrics_that_count_alike_count_once(self):
        metrics = torchmetrics.MetricCollection([TricoloreMetric("bleu")], compute_groups=True)
        metrics.add_metrics(
            {"smooth": TricoloreMetric("bleu(smooth=2)"), "lower": TricoloreMetric("bleu(lowercase=true)")}
        )
        metrics.update(HYPS[:4], REFS[:4])
        assert sorted(map(sorted, metrics.compute_groups.values())) == [["TricoloreMetric", "smooth"], ["lower"]]
        metrics.update(HYPS[4:], REFS[4:])
        assert metrics.compute()["smooth"].item() == float(tri.BLEU(smooth=2)(HYPS, REFS))
        assert metrics.compute()["lower"].item() == float(tri.BLEU(lowercase=True)(HYPS, REFS))


class TestState:
    @pytest.mark.parametrize(
        "convert",
        [
            lambda metric: metric.half(),
            lambda metric: metric.to(torch.float16),
            lambda metric: metric.to("cpu", torch.bfloat16),
            lambda metric: metric.set_dtype(torch.float16),
            lambda metric: torch.nn.ModuleList([metric]).half()[0],
            lambda metric: torch.nn.ModuleList([metric]).to(torch.bfloat16)[0],
        ],
    )
    def test_precision_is_kept_in_a_model_that_has_less(self, convert):
        metric = counted(TricoloreMetric("rouge-l"))
        expected = metric.compute().item()
        metric = convert(metric)
        assert metric.compute().item() == expected and metric.compute().dtype == torch.float64
        metric.update(HYPS, REFS)
        assert metric.compute().item() == counted(counted(TricoloreMetric("rouge-l"))).compute().item()
        metric.reset()
        assert counted(metric).compute().item() == expected

    def test_another_device(self):
        metric = counted(TricoloreMetric("bleu")).to("meta")
        assert {state.device.type for state in metric.metric_state.values()} == {"meta"}
        assert {state.dtype for state in metric.metric_state.values()} == {torch.float64}

    @pytest.mark.parametrize("copy", [lambda metric: metric.clone(), lambda metric: pickle.loads(pickle.dumps(metric))])
    @pytest.mark.parametrize("spec", ["bleu", "nist", "rouge-l"])
    def test_copies(self, copy, spec):
        metric = TricoloreMetric(whole_metric(spec))
        metric.update(HYPS[:4], REFS[:4])
        other = copy(metric)
        other.update(HYPS[4:], REFS[4:])
        assert other.compute().item() == counted(TricoloreMetric(whole_metric(spec))).compute().item()
        assert metric.compute().item() == pytest.approx(float(whole_metric(spec)(HYPS[:4], REFS[:4])), rel=1e-12)
        assert other.result().metric == whole_metric(spec)

    def test_saved_and_loaded(self):
        metric = counted(TricoloreMetric("ter"))
        metric.persistent(True)
        other = TricoloreMetric("ter")
        other.load_state_dict(metric.state_dict())
        assert other.result() == metric.result()

    def test_merged(self):
        one, other = TricoloreMetric("chrf"), TricoloreMetric("chrf")
        one.update(HYPS[:5], REFS[:5])
        other.update(HYPS[5:], REFS[5:])
        one.merge_state(other)
        assert one.compute().item() == float(tri.ChrF()(HYPS, REFS))


class TestTokenIds:
    IDS = torch.tensor([[7, 8, 9, 0, 0], [7, 7, 8, 8, 2]])
    REF_IDS = torch.tensor([[7, 8, 8, 9, -100], [7, 8, 2, -100, -100]])

    def test_padding_and_special_tokens_are_dropped(self):
        metric = TricoloreMetric("wer", ignore_ids=(0, 2, -100))
        metric.update(self.IDS, self.REF_IDS)
        assert metric.compute().item() == float(tri.WER()([[7, 8, 9], [7, 7, 8, 8]], [[7, 8, 8, 9], [7, 8]]))
        assert "tok:ids" in metric.result().signature

    def test_padding_that_is_not_named_is_refused(self):
        with pytest.raises(InputError, match="-100; leave out padding"):
            TricoloreMetric("wer").update(self.IDS, self.REF_IDS)

    def test_several_references(self):
        metric = TricoloreMetric("bleu", ignore_ids=0)
        metric.update([torch.tensor([7, 8, 9, 0])], [torch.tensor([[7, 8, 0, 0], [7, 8, 9, 10]])])
        assert (
            metric.result().stats.values.tolist()
            == tri.BLEU()([[7, 8, 9]], [[[7, 8], [7, 8, 9, 10]]]).stats.values.tolist()
        )
        assert metric.result().nrefs == (2, 2)

    def test_text_and_token_ids_do_not_mix(self):
        metric = TricoloreMetric("wer")
        metric.update(["a"], ["a"])
        metric.update([[7]], [[7]])
        with pytest.raises(InputError, match="some batches were text, others token ids"):
            metric.compute()

    @pytest.mark.parametrize("given", ["pad", 1.5, [True], [None], object()])
    def test_what_are_no_ids(self, given):
        with pytest.raises(SpecError, match="ignore_ids: expected token ids, such as"):
            TricoloreMetric("wer", ignore_ids=given)


def test_nist_has_to_learn_first():
    with pytest.raises(InputError, match=r"TricoloreMetric\(metric.prepare\(refs\)\)"):
        TricoloreMetric("nist")


def test_what_is_no_metric():
    with pytest.raises(SpecError, match="did you mean 'bleu'"):
        TricoloreMetric("blue")
    with pytest.raises(
        SpecError, match=r'keyword arguments: `n_gram`; .* parentheses: TricoloreMetric\("bleu\(...\)"\)'
    ):
        TricoloreMetric("bleu", n_gram=4)
    with pytest.raises(ValueError, match="Expected keyword argument `sync_on_compute`"):
        TricoloreMetric("bleu", sync_on_compute=4)


def test_plot():
    pytest.importorskip("matplotlib").use("agg")
    figure, _ = counted(TricoloreMetric("bleu")).plot()
    assert figure.axes


@pytest.mark.filterwarnings("ignore")
def test_lightning_logs_the_score_of_the_whole_epoch(tmp_path):
    lightning = pytest.importorskip("lightning", reason="lightning is not installed (pip install --group training)")

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.metrics = torchmetrics.MetricCollection(
                {"bleu": TricoloreMetric("bleu"), "ter": TricoloreMetric("ter")}, prefix="val_"
            )
            self.chrf = TricoloreMetric("chrf")

        def validation_step(self, batch, index):
            self.metrics.update(*batch)
            self.log_dict(self.metrics, on_epoch=True, batch_size=len(batch[0]))
            self.chrf(*batch)
            self.log("chrf", self.chrf, on_epoch=True, batch_size=len(batch[0]))

    batches = [(HYPS[:5], REFS[:5]), (HYPS[5:], REFS[5:])]
    loader = torch.utils.data.DataLoader(batches, batch_size=None)
    trainer = lightning.Trainer(
        logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
        default_root_dir=tmp_path, accelerator="cpu", precision="bf16-true",
    )  # fmt: skip
    (found,) = trainer.validate(Model(), loader, verbose=False)
    expected = {"val_bleu": tri.BLEU(), "val_ter": tri.TER(), "chrf": tri.ChrF()}
    assert found == {name: float(metric(HYPS, REFS)) for name, metric in expected.items()}


@pytest.mark.parametrize("absent", ["torch", "torchmetrics"])
def test_without_the_package_the_error_says_what_to_install(absent):
    script = f"import sys; sys.modules['{absent}'] = None; import tricolore.adapters.torchmetrics"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith("pip install 'tricolore[torchmetrics]'")


#: Metrics of torchmetrics and ours, as in docs/coming-from/torchmetrics.md.
PEERS = [
    ("BLEUScore", {}, "bleu(tokenize=none, smooth=none)", REFS),
    ("BLEUScore", {"n_gram": 2, "smooth": True}, "bleu(order=2, tokenize=none, smooth=2)", REFS),
    ("SacreBLEUScore", {}, "bleu(smooth=none)", REFS),
    ("SacreBLEUScore", {"tokenize": "zh", "lowercase": True}, "bleu(tokenize=zh, lowercase=true, smooth=none)", REFS),
    ("CHRFScore", {}, "chrf++(eps_smoothing=true)", REFS),
    ("CHRFScore", {"n_word_order": 0}, "chrf(eps_smoothing=true)", REFS),
    ("TranslationEditRate", {}, "ter", REFS),
    ("TranslationEditRate", {"normalize": True}, "ter(normalized=true)", REFS),
    ("WordErrorRate", {}, "wer(tokenize=none)", [refs[0] for refs in REFS]),
    ("CharErrorRate", {}, "cer", [refs[0] for refs in REFS]),
]


@pytest.mark.parametrize(("name", "given", "spec", "refs"), PEERS, ids=[f"{peer[0]}{peer[1]}" for peer in PEERS])
def test_equal_to_the_metrics_of_torchmetrics(name, given, spec, refs):
    peer, ours = getattr(torchmetrics.text, name)(**given), TricoloreMetric(spec)
    for metric in (peer, ours):
        metric.update(HYPS[:5], refs[:5])
        metric.update(HYPS[5:], refs[5:])
    assert ours.compute().item() == pytest.approx(peer.compute().item(), abs=1e-6)
    assert ours.higher_is_better is peer.higher_is_better


@pytest.mark.parametrize(("key", "spec"), [("rouge1", "rouge-1"), ("rouge2", "rouge-2"), ("rougeL", "rouge-l")])
@pytest.mark.parametrize("refs", [REFS, [refs[0] for refs in REFS]], ids=["several", "one"])
def test_equal_to_rouge_of_torchmetrics(key, spec, refs):
    pytest.importorskip("nltk")
    rouge = pytest.importorskip("torchmetrics.text.rouge")
    peer, ours = rouge.ROUGEScore(rouge_keys=key), TricoloreMetric(f"{spec}(compat=rouge-score)")
    peer.update(HYPS, refs)
    ours.update(HYPS, refs)
    parts, theirs = ours.result().parts, peer.compute()
    for part, its in (("f", "fmeasure"), ("precision", "precision"), ("recall", "recall")):
        assert parts[part] == pytest.approx(theirs[f"{key}_{its}"].item(), abs=1e-6)


def test_shapes_that_torchmetrics_misreads():
    """What docs/coming-from/torchmetrics.md says of them."""
    peer = torchmetrics.text.BLEUScore()
    peer.update(["the cat sat on the mat"], ["the cat sat on the mat"])
    assert peer.compute() == 0
    uneven = torchmetrics.text.WordErrorRate()
    uneven.update(["a b", "c"], ["a b"])
    assert uneven.compute() == 0
    forgetful = torchmetrics.text.TranslationEditRate()
    forgetful.update(["a b"], [["a c"]])
    with pytest.raises(ValueError, match="different size"):
        forgetful(["a", "b"], [["a"]])
    assert forgetful.metric_state["total_tgt_len"] == 0
    ours = TricoloreMetric("bleu")
    ours.update(["the cat sat on the mat"], ["the cat sat on the mat"])
    assert ours.compute() == 1
    with pytest.raises(InputError, match="got one string; put it in a list"):
        ours.update("a text", ["a text"])
