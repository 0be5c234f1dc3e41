"""What to cite: the papers of metrics, of statistical methods, and of all that a signature names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .bibliography import Entry, entries
from .errors import SpecError, nearest, shown
from .metrics import ALIASES, NAMES, expand, metric_class, named
from .metrics.base import Metric
from .results import Page, Result, Table
from .types import Record

#: Parts of metrics that have papers of their own.
PARTS = {"bleu": ("smoothing",), "chrf": ("chrf words",), "meteor": ("meteor 1.5",)}
#: Other words for methods.
OTHER_NAMES = {
    "ar": "approximate randomisation",
    "approximate randomization": "approximate randomisation",
    "paired ar": "approximate randomisation",
    "bs": "bootstrap",
    "confidence": "bootstrap",
    "paired bs": "paired bootstrap",
    "permutation": "permutation test of metrics",
    "williams": "williams test",
    "xbleu": "expected bleu",
    "bca": "bca interval",
    "da": "direct assessment",
    "rr": "relative ranking",
    "minimum bayes risk": "mbr",
    "tie calibration": "accuracy-ties",
}
#: What items of a signature name: the key, the beginning of the value, and the method.
ITEMS = (
    ("bs", "", "bootstrap"),
    ("ar", "", "approximate randomisation"),
    ("test", "bs", "paired bootstrap"),
    ("test", "permutation", "permutation test of metrics"),
    ("test", "williams", "williams test"),
    ("correction", "holm", "holm"),
    ("compat", "sacrebleu", "sacrebleu"),
    ("lang", "", "sacrebleu"),
    ("nw", "1", "chrf words"),
    ("nw", "2", "chrf words"),
    ("definition", "1.5", "meteor 1.5"),
    ("interval", "bca", "bca interval"),
    ("interval", "corrected", "corrected interval"),
    ("interval", "disattenuated", "disattenuated interval"),
    ("human", "mqm", "mqm"),
    ("human", "da", "direct assessment"),
    ("human", "rr", "relative ranking"),
)
#: The keys of sacreBLEU's short signatures.
SHORT = {"#": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version", "t": "tok", "nr": "norm"}
#: Items by which a signature without a name is one of sacreBLEU's.
NAMELESS = (("nc", "chrf"), ("norm", "ter"), ("smooth", "bleu"))
#: The version of another program, in a signature.
FOREIGN = re.compile(r"\|v(?:ersion)?:(?!tricolore)")


@dataclass(frozen=True)
class Citation:
    """A paper, and what it is cited for."""

    entry: Entry
    subjects: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Citations(Result):
    """Papers, each once; the result of `cite`."""

    citations: tuple[Citation, ...]

    @property
    def bibtex(self) -> str:
        """All entries of BibTeX."""
        return "\n\n".join(one.entry.bibtex for one in self.citations)

    @property
    def keys(self) -> tuple[str, ...]:
        r"""The keys of the entries, for `\cite{...}`."""
        return tuple(one.entry.key for one in self.citations)

    def __len__(self) -> int:
        return len(self.citations)

    def __repr__(self) -> str:
        return f"<{len(self)} citations: {', '.join(self.keys)}>"

    def to_dict(self) -> dict[str, Any]:
        return {"citations": [{**one.entry.to_dict(), "for": [*one.subjects]} for one in self.citations]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        records = ({**one, "authors": "; ".join(one["authors"]), "for": "; ".join(one["for"])} for one in self._dicts)
        return {"citations": [*records]}

    @property
    def _dicts(self) -> list[dict[str, Any]]:
        return list(self.to_dict()["citations"])

    def page(self, width: int | None = None) -> Page:
        rows = [[one.entry.key, ", ".join(one.subjects), one.entry.text] for one in self.citations]
        return Page([Table(("Key", "For", "Citation"), rows, left=3)])

    def text_page(self, width: int | None = None) -> Page:
        return Page(lines=[f"{', '.join(one.subjects)}: {one.entry.text}" for one in self.citations])


def cite(*what: str | Metric | Result) -> Citations:
    """What to cite for metrics, methods, signatures or results: every paper once, and Tricolore itself.

    A text is the name of a metric (`bleu`, `"chrf(word_order=2)"`, `all`), a signature (`BLEU|nrefs:1|...`, also one of
    sacreBLEU), or a method (`bootstrap`, `holm`, `mert`, `mbr`, `mqm`); `methods` has them all. A result is cited by
    its signatures. Nothing is scored, and no file is read.

    >>> cite("bleu", "chrf++", "paired bootstrap").keys
    ('papineni-2002', 'popovic-2015', 'popovic-2017', 'koehn-2004', 'tricolore')
    >>> print(cite("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"))
    bleu: Kishore Papineni, ... (2002): BLEU: a method for automatic evaluation of machine translation. ACL. ...
    sacrebleu: Matt Post (2018): A call for clarity in reporting BLEU scores. WMT. ...
    """
    asked = [subject for one in what for subject in _subjects(one)]
    foreign = what and all(isinstance(one, str) and FOREIGN.search(one) for one in what)
    wanted = dict.fromkeys(asked if foreign else [*asked, "tricolore"])
    found = []
    for entry in entries().values():
        subjects = tuple(subject for subject in wanted if subject in entry.subjects)
        if subjects:
            found.append(Citation(entry, subjects))
    return Citations(tuple(found))


def methods() -> list[str]:
    """Everything but metrics that there is something to cite for."""
    subjects = dict.fromkeys(subject for entry in entries().values() for subject in entry.subjects)
    return [subject for subject in subjects if subject not in NAMES]


def papers_of(name: str) -> list[Entry]:
    """The papers of a metric and of its parts."""
    subjects = {name, *PARTS.get(name, ())}
    return [entry for entry in entries().values() if subjects.intersection(entry.subjects)]


def _subjects(one: str | Metric | Result) -> Iterable[str]:
    if isinstance(one, Metric):
        return subjects_of_metric(one)
    if isinstance(one, Result):
        return _of_result(one)
    if not isinstance(one, str) or not one.strip():
        raise SpecError(f"what to cite is a metric, a signature, a method or a result; got {shown(one)}")
    if "|" in one and ":" in one:
        return subjects_of_signature(one)
    method = one.lower().replace("_", " ").strip()
    known = {name.lower(): name for name in methods()} | OTHER_NAMES
    for spelled in (method, method.replace("-", " ")):
        if spelled in known:
            return [known[spelled]]
    try:
        return [subject for made in expand(one.strip()) for subject in subjects_of_metric(made)]
    except SpecError as error:
        if not str(error).startswith("unknown metric"):
            raise
        hint = nearest(one, [*NAMES, *ALIASES, *known])
        raise SpecError(
            f"nothing is known to cite for {one!r}{hint} (metrics, signatures, and {_some(known)})"
        ) from None


def _some(known: Iterable[str]) -> str:
    return f"methods such as {', '.join(name for name in ('bootstrap', 'holm', 'mert', 'mbr', 'mqm') if name in known)}"


def subjects_of_metric(metric: Metric) -> Iterator[str]:
    """What a metric is cited for, by its parameters."""
    yield metric.name
    settings = {name: str(getattr(metric, name, "")) for name in ("smooth", "tokenize", "word_order", "version")}
    smoothed = metric.name == "bleu" or hasattr(metric, "short")
    if smoothed and settings["smooth"] not in (str(type(metric)().smooth), "none", "0"):  # type: ignore[attr-defined]
        yield "smoothing"
    if settings["word_order"] not in ("", "0"):
        yield "chrf words"
    if metric.name == "meteor" and settings["version"] == "1.5":
        yield "meteor 1.5"
    yield from _tokenizer(settings["tokenize"])


def _tokenizer(text: str) -> Iterator[str]:
    """The tokeniser, if it has a paper: `ja-mecab-0.996` and `spm:FILE` are named by how they begin."""
    for subject in methods():
        name = subject.removeprefix("tokenizer ")
        if name != subject and text.lower().startswith(name.lower()):
            yield subject


def subjects_of_signature(text: str) -> Iterator[str]:
    """What a signature names: the metric, its parts, intervals and tests, and the program."""
    parts = text.strip().split(" = ")[0].split("|")
    items = [part.partition(":") for part in parts if ":" in part]
    values = {SHORT.get(key, key): value for key, _, value in items}
    head = parts[0] if ":" not in parts[0] else ""
    metrics = [_metric_titled(head)] if head else _nameless(values, text)
    yield from metrics
    if metrics == ["bleu"] and values.get("smooth", "exp").partition("[")[0] not in ("exp", "none"):
        yield "smoothing"
    for key, beginning, subject in ITEMS:
        if key in values and values[key].startswith(beginning):
            yield subject
    yield from re.split("[,/]", values.get("stat", ""))
    yield from _tokenizer(values.get("tok", ""))
    if FOREIGN.search(text):
        yield "sacrebleu"


def _metric_titled(title: str) -> str:
    """The name of the metric that a signature begins with: `chrF2++` is chrf, `ROUGE-2` is rouge-n."""
    spelled = title.lower()
    for pattern, name in ((r"rouge-\d", "rouge-n"), (r"\d+-grr", "grr"), (r"cer", "ler"), (r"char-?bleu", "char-bleu")):
        if re.fullmatch(pattern, spelled):
            return name
    best = ""
    for name in NAMES:
        general = str(metric_class(name).title).lower()
        if re.fullmatch(re.escape(general) + r"[-\d.+]*", spelled) and len(general) > len(best and _title(best)):
            best = name
    if not best:
        try:
            best = named(title)[0]
        except SpecError:
            known = [str(metric_class(name).title) for name in NAMES]
            raise SpecError(f"signature {shown(title)}: no metric is called that{nearest(title, known)}") from None
    return best


def _title(name: str) -> str:
    return str(metric_class(name).title)


def _nameless(values: Mapping[str, str], text: str) -> list[str]:
    """The metric of a signature of sacreBLEU's, which JSON has without a name; none where it is about no metric."""
    for key, name in NAMELESS:
        if key in values:
            return [name]
    if "stat" in values or "human" in values:
        return []
    raise SpecError(f"signature {shown(text)}: expected one that begins with a metric, such as BLEU|nrefs:1|...")


def _of_result(result: Result) -> Iterator[str]:
    """What all signatures of a result name."""
    page = result.page()
    for signature in page.signatures:
        yield from subjects_of_signature(signature)
    if any("Holm" in note for note in page.notes):
        yield "holm"
