"""The public data that the pages are computed from: where they are published, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import tricolore as tri


@dataclass(frozen=True)
class Source:
    """A folder below DATA."""

    folder: str
    title: str
    published: str
    licence: str
    files: str


MQM = "google/wmt-mqm-human-evaluation @ 7fadea281aff8db61cc72fc3d469a4dca78b82a6"
FISHER = "joshua-decoder/fisher-callhome-corpus @ 92dbd0e53a54b70bcbef3ea101c8658645cc4080"
MOSES = "moses-smt/mosesdecoder @ 34452895f350bf097b21ee514a529a1dc542243c"

#: All data, by the name that pages use.
SOURCES = {
    "ted": Source(
        "human/mqm-ted-ende", "TED talks of WMT21, en-de, MQM ratings of 13 systems", f"{MQM}, ted/ende", "Apache-2.0",
        "systems/*.txt, references/*.txt, docs.txt, mqm_seg.tsv, ratings.tsv.gz",
    ),
    "bio": Source(
        "human/mqm-bio-en2de", "biomedical abstracts, en-de, MQM ratings of 8 systems",
        "amazon-science/bio-mqm-dataset @ b35bd758f378e578df1781d2ede5fdb099527696", "Apache-2.0",
        "systems/*.txt, references/*.txt, docs.txt, mqm_seg_by_annotator.tsv",
    ),
    "wmt23": Source(
        "human/mqm-wmt23-sxs-ende", "WMT23 paragraphs, en-de, side-by-side MQM ratings of 9 systems",
        f"{MQM}, generalMT2023/ende", "Apache-2.0",
        "systems/*.txt, references/*.txt, docs.txt, mqm_seg_by_rater.tsv",
    ),
    "mlqe-de": Source(
        "human/mlqe-pe-en-de", "MLQE-PE, en-de, direct assessments of one system",
        "sheffieldnlp/mlqe-pe @ 2a670a1140416cf80507b5a829659383c878feb8", "CC0-1.0",
        "mt.txt, post_edit.txt, scores.tsv",
    ),
    "mlqe-et": Source(
        "human/mlqe-multiref-et-en", "MLQE-PE, et-en, two references, direct assessments of one system",
        "sheffieldnlp/mlqe-pe @ 2a670a1140416cf80507b5a829659383c878feb8", "CC0-1.0",
        "mt.txt, ref1.txt, ref2.txt, da_z.txt",
    ),
    "diabla": Source(
        "human/diabla-fr-en", "DiaBLa, fr-en chat, judgements of two systems",
        "rbawden/DiaBLa-dataset @ c9f3ae2db7b7c9248ec5dd04d51680c60aa4e7c5", "CC-BY-SA-4.0",
        "segments.tsv",
    ),
    "finnish": Source(
        "morph/wmt16-en-fi", "WMT16, en-fi, two references, 6 systems without ratings",
        "Helsinki-NLP/WMT16-test-enfi @ dddba1837f2b7151052a935b2dd12caa3e194353", "CC-BY-4.0",
        "systems/*.txt, refA.txt, refB.txt",
    ),
    "webnlg-en": Source(
        "multiref/webnlg-en", "WebNLG, English, up to four references, one system without ratings",
        "WebNLG/GenerationEval @ 80678494f9ae49e8984d78d5efdec482bd37fc1d", "MIT",
        "hyp.txt, ref0.txt to ref3.txt",
    ),
    "webnlg-ru": Source(
        "multiref/webnlg-ru", "WebNLG, Russian, one reference, one system without ratings",
        "WebNLG/GenerationEval @ 80678494f9ae49e8984d78d5efdec482bd37fc1d", "MIT",
        "hyp.txt, ref0.txt",
    ),
    "fisher": Source(
        "nbest/thot-fisher-test-es-en", "Fisher, es-en: 200 n-best lists and 100 word graphs, four references",
        f"{FISHER}; the lists were made with sil-thot 3.5.3", "CC-BY-SA-3.0",
        "nbest.txt.gz, weights.txt, ref0.txt to ref3.txt, wordgraphs.txt.gz",
    ),
    "lattices": Source(
        "lattices/fisher-test-es", "Fisher, Spanish: 1,500 word lattices of a speech recogniser",
        FISHER, "CC-BY-SA-3.0",
        "lattices.plf.gz, lattice_oracle.txt",
    ),
    "forest": Source(
        "forests/cdec-json", "a forest of cdec, zh-en, four references",
        "redpony/cdec @ 2bb5f3f4c3c347a2474392993c17cc62653dd133, training/dpmert/test_data", "Apache-2.0",
        "zh-en.0.json.gz, zh-en.0.ref0.txt to ref3.txt",
    ),
    "moses": Source(
        "copyleft/moses-mert-it-en", "Moses' MERT test, it-en: 5 sentences, 7 runs of 200-best lists, three references",
        f"{MOSES}, scripts/regression-testing/tests/mert-moses-new", "LGPL-2.1",
        "run1.nbest.txt.gz to run7, ref0.txt to ref2.txt",
    ),
}  # fmt: skip


def missing(data: Path, names: Sequence[str]) -> str:
    """What is not there, and where it is published; empty if all is there."""
    lines = [
        f"  {one.folder}: {one.title} ({one.licence})\n    https://github.com/{one.published}"
        for one in (SOURCES[name] for name in names)
        if not (data / one.folder).is_dir()
    ]
    if not lines:
        return ""
    head = f"{data}: {len(lines)} of {len(names)} folders of data are missing; "
    head += "name the folder that has them: make reproduce DATA=FOLDER"
    return "\n".join([head, *lines, "docs/reproduction/README.md says what each has to contain."])


def lines(path: Path) -> list[str]:
    """The segments of a file."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@dataclass(frozen=True, eq=False)
class TextSet:
    """Outputs of systems and their references, possibly with human ratings."""

    name: str
    title: str  #: for tables
    systems: Mapping[str, Sequence[str]]
    references: Sequence[Sequence[str]]  #: one or more per segment
    rated: Mapping[str, Any]  #: arguments of `tri.correlate` that say where the ratings are; empty without any
    docs: Sequence[str] = ()  #: the document of each segment

    @cached_property
    def first(self) -> list[str]:
        """The first reference of each segment."""
        return [refs[0] for refs in self.references]

    def correlate(self, metrics: Sequence[str], refs: Any = None, **how: Any) -> tri.Correlation:
        """Agreement with the ratings; against the first reference, unless others are given."""
        return tri.correlate(self.systems, refs or self.first, metrics=metrics, **{**self.rated, **how})


#: Weights by which MQM errors of one kind only count: what annotators called adequacy, and fluency.
ADEQUACY = "any:fluency=0, minor:fluency/punctuation=0, any:style=0, any:terminology=0, any:other=0"
FLUENCY = "any:accuracy=0, any:terminology=0, any:other=0, any:non-translation=0"


def by_kind_of_error(data: Path, weights: str) -> dict[str, Any]:
    """The ratings of the TED talks, error by error, so that only some kinds of errors count."""
    ratings = data / SOURCES["ted"].folder / "ratings.tsv.gz"
    return {
        "human": ratings,
        "human_form": "mqm",
        "mqm_weights": weights,
        "human_column": None,
        "human_lower_is_better": False,
        "keep_repeats": True,
    }


#: The tables of MQM ratings, by set.
RATINGS = {"ted": "mqm_seg.tsv", "bio": "mqm_seg_by_annotator.tsv", "wmt23": "mqm_seg_by_rater.tsv"}


def mean_ratings(data: Path, name: str) -> dict[tuple[str, int], float]:
    """MQM scores by system and segment, the mean over annotators; lower is better."""
    header, *rows = (line.split("\t") for line in lines(data / SOURCES[name].folder / RATINGS[name]))
    found: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        one = dict(zip(header, row, strict=True))
        found.setdefault((one["system"], int(one["seg"])), []).append(float(one["mqm"]))
    return {key: sum(values) / len(values) for key, values in found.items()}


def mqm_set(data: Path, name: str) -> TextSet:
    """A set of several systems with MQM ratings: ted, bio or wmt23."""
    titles = {"ted": "TED talks", "bio": "biomedical", "wmt23": "WMT23"}
    folder = data / SOURCES[name].folder
    streams = [lines(path) for path in sorted((folder / "references").glob("*.txt"))]
    rated = {"human": folder / RATINGS[name], "human_column": "mqm", "human_lower_is_better": True}
    return TextSet(
        name,
        titles[name],
        {path.stem: lines(path) for path in sorted((folder / "systems").glob("*.txt"))},
        [*zip(*streams, strict=True)],
        {**rated, "ignore_unknown": True},
        [line.split("\t")[0] for line in lines(folder / "docs.txt")],
    )


def mqm_sets(data: Path) -> list[TextSet]:
    """The three sets of several systems with MQM ratings."""
    return [mqm_set(data, name) for name in ("ted", "bio", "wmt23")]


def single_systems(data: Path) -> list[TextSet]:
    """Sets whose ratings are of one system, or of systems that translated different texts."""
    et, de = (data / SOURCES[name].folder for name in ("mlqe-et", "mlqe-de"))
    estonian = [*zip(lines(et / "ref1.txt"), lines(et / "ref2.txt"), strict=True)]
    direct = {"human": {"MT": [float(one) for one in lines(et / "da_z.txt")]}}
    scored = [line.split("\t") for line in lines(de / "scores.tsv")]
    means = [float(row[scored[0].index("da_z_mean")]) for row in scored[1:]]
    edited = [(text,) for text in lines(de / "post_edit.txt")]
    return [
        TextSet("mlqe-et", "MLQE-PE et-en", {"MT": lines(et / "mt.txt")}, estonian, direct),
        TextSet("mlqe-de", "MLQE-PE en-de", {"MT": lines(de / "mt.txt")}, edited, {"human": {"MT": means}}),
        _diabla(data),
    ]


def _diabla(data: Path) -> TextSet:
    """French-English chat: perfect, medium or poor; the outputs of both systems as one list."""
    header, *rows = (line.split("\t") for line in lines(data / SOURCES["diabla"].folder / "segments.tsv"))
    found = [dict(zip(header, row, strict=True)) for row in rows]
    found = [one for one in found if one["direction"] == "fr-en" and one["judgment"] in ("poor", "medium", "perfect")]
    ratings = [("poor", "medium", "perfect").index(one["judgment"]) for one in found]
    refs = [(one["reference"],) for one in found]
    return TextSet("diabla", "DiaBLa fr-en", {"MT": [one["mt"] for one in found]}, refs, {"human": {"MT": ratings}})


def finnish_set(data: Path) -> TextSet:
    """Finnish outputs of six systems, without ratings."""
    folder = data / SOURCES["finnish"].folder
    both = [*zip(lines(folder / "refA.txt"), lines(folder / "refB.txt"), strict=True)]
    systems = {path.stem: lines(path) for path in sorted((folder / "systems").glob("*.txt"))}
    return TextSet("finnish", "WMT16 en-fi", systems, both, {})


def unrated_sets(data: Path) -> list[TextSet]:
    """Sets without ratings: Finnish and Russian, and English beside them."""
    found = [finnish_set(data)]
    for name, title in (("webnlg-ru", "WebNLG Russian"), ("webnlg-en", "WebNLG English")):
        folder = data / SOURCES[name].folder
        streams = [lines(path) for path in sorted(folder.glob("ref?.txt"))]
        refs = [tuple(one for one in some if one) for some in zip(*streams, strict=True)]
        found.append(TextSet(name, title, {"MT": lines(folder / "hyp.txt")}, refs, {}))
    return found


@dataclass(frozen=True, eq=False)
class Lists:
    """N-best lists with several references."""

    name: str
    title: str
    nbest: Any  #: a file, files to merge, or lists of texts
    references: Sequence[Sequence[str]]
    start: Path | None = None  #: weights of the decoder
    texts: Sequence[Sequence[str]] = ()  #: the candidates of each source


def candidate_texts(files: Sequence[Path]) -> list[list[str]]:
    """The texts of n-best lists in Moses' format, those of several files one after the other."""
    import gzip

    found: dict[int, list[str]] = {}
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            for line in stream:
                source, text, *_ = line.split(" ||| ")
                found.setdefault(int(source), []).append(" ".join(text.split()))
    return [found[i] for i in sorted(found)]


def fisher(data: Path) -> Lists:
    """200 lists of up to 100 candidates."""
    folder = data / SOURCES["fisher"].folder
    refs = [*zip(*(lines(folder / f"ref{i}.txt") for i in range(4)), strict=True)]
    nbest = folder / "nbest.txt.gz"
    return Lists("fisher", "Fisher", nbest, refs, folder / "weights.txt", candidate_texts([nbest]))


def moses(data: Path) -> Lists:
    """Five lists: the runs of Moses' MERT, merged."""
    folder = data / SOURCES["moses"].folder
    refs = [*zip(*(lines(folder / f"ref{i}.txt") for i in range(3)), strict=True)]
    files = sorted(folder.glob("run?.nbest.txt.gz"))
    return Lists("moses", "Moses it-en", files, refs, None, candidate_texts(files))
