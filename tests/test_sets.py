"""Test sets by name, from sacreBLEU's cache and from a server on this machine; the numbers are sacreBLEU's own."""

import functools
import hashlib
import http.server
import io
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from interrupting import interrupt
from sacrebleu.dataset import DATASETS, SUBSETS
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

import tricolore as tri
from tricolore import set_download
from tricolore.cli import run
from tricolore.readers.sacrebleu_cache import LABELS, LABELS_OF_PAIRS, cached_set
from tricolore.tokenizers import MODELS

# What the server has: raw files as they are published, made up -----------------------------------------------------

RNG = random.Random(22)
SENTENCE = "the a cat dog house rains & falls in on Paris 3.5 costs, maybe «oui» naïve Straße . ! today we go"
WORDS = SENTENCE.split()
HAN = "今天天气很好我们去公园玩吧明天也许下雨"


def sentence(words=WORDS):
    return " ".join(RNG.choice(words) for _ in range(RNG.randint(3, 9)))


def chinese():
    return "".join(RNG.choice(HAN) for _ in range(RNG.randint(4, 12)))


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def xml(documents, translators, systems, target=sentence):
    """WMT's XML; a document has an id, an original language, a domain or None, and the number of its segments."""
    parts = ["<?xml version='1.0' encoding='utf-8'?>", '<dataset id="made-up">']
    for name, language, domain, number in documents:
        extra = f' domain="{domain}"' if domain else ""
        parts.append(f'<doc id="{name}" origlang="{language}"{extra}>')
        texts = {'src lang="en"': sentence}
        texts |= {f'ref lang="de"{label}': target for label in translators}
        texts |= {f'hyp system="{system}" language="de"': target for system in systems}
        for tag, make in texts.items():
            segments = "".join(f'<seg id="{i}">{escaped(make())}</seg>\n' for i in range(1, number + 1))
            parts.append(f"<{tag}>\n<p>\n{segments}</p>\n</{tag.split()[0]}>")
        parts.append("</doc>")
    return "\n".join([*parts, "</dataset>", ""])


def label(name):
    return f' translator="{name}"' if name else ""


def sgm(kind, documents, make=sentence):
    """WMT's SGML; a document has an id, an original language, and the number of its segments."""
    parts = [f'<{kind} setid="made-up" srclang="any">']
    for name, language, number in documents:
        parts.append(f'<doc sysid="x" docid="{name}" genre="news" origlang="{language}">\n<p>')
        parts += [f'<seg id="{i}">{escaped(make())}</seg>' for i in range(1, number + 1)]
        parts.append("</p>\n</doc>")
    return "\n".join([*parts, f"</{kind}>", ""])


DOCUMENTS = [("d1", "en", None, 5), ("d2", "de", None, 4), ("d3", "en", None, 6)]
DOMAINS = [("n1", "en", "news", 5), ("s1", "en", "social", 4), ("s2", "de", "social", 3)]
NEWS = [("bbc.381790", "en", 4), ("rt.com.91337", "de", 5), ("unknown.1", "en", 3)]
XML22, XML24 = "wmt22-news-systems-1.1/xml/wmttest2022.{}.all.xml", "xml/wmttest2024.{}.all.xml"


def raw_files():
    """The raw files of every set, by name of the set and path."""
    both = [label("A"), label("B")]
    return {
        "wmt22": {
            XML22.format("en-de"): xml(DOCUMENTS, both, ["Online-A", "GPT-4.1"]),
            XML22.format("en-cs"): xml(DOCUMENTS, both, []),
            XML22.format("liv-en"): xml(DOCUMENTS, [""], []),
            XML22.format("en-zh"): xml(DOCUMENTS, both, [], chinese),
        },
        "wmt21/AB": {"test/newstest2021.en-de.xml": xml(DOCUMENTS, [*both, label("C")], [])},
        "wmt24": {XML24.format("en-de"): xml(DOMAINS, [label("refA")], [])},
        "wmt19": {
            "sgm/newstest2019-ende-src.en.sgm": sgm("srcset", NEWS),
            "sgm/newstest2019-ende-ref.de.sgm": sgm("refset", NEWS),
        },
        "wmt20/tworefs": {
            "sgm/newstest2020-deen-src.de.sgm": sgm("srcset", NEWS),
            "sgm/newstest2020-deen-ref.en.sgm": sgm("refset", NEWS),
            "sgm/newstestB2020-deen-ref.en.sgm": sgm("refset", NEWS),
        },
        "multi30k/2016": {
            "test_2016_flickr.en": "".join(f"{sentence()}\n" for _ in range(9)),
            "test_2016_flickr.de": "".join(f"{sentence()}  \n" for _ in range(9)),
        },
        "mtnt1.1/test": {
            "MTNT/test/test.en-fr.tsv": "".join(f"{i}\t{sentence()}\t{sentence()}\n" for i in range(7)),
        },
    }


def tarball(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in files.items():
            data = text.encode()
            about = tarfile.TarInfo(name)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))
    return packed.getvalue()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server on this machine, its folder, and a folder of a module that sends sacreBLEU there."""
    folder, hook = tmp_path_factory.mktemp("server"), tmp_path_factory.mktemp("hook")
    files = {name: tarball(found) for name, found in raw_files().items()}
    for name, data in files.items():
        (folder / f"{name.replace('/', '_')}.tar.gz").write_bytes(data)
    handler = functools.partial(Quiet, directory=str(folder))
    found = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{found.server_port}"
    sums = {name: hashlib.md5(data, usedforsecurity=False).hexdigest() for name, data in files.items()}
    (hook / "sitecustomize.py").write_text(
        "from sacrebleu.dataset import DATASETS\n"
        "for one in DATASETS.values():\n"
        f"    one.data = [{address!r} + '/' + one.name.replace('/', '_') + '.tar.gz']\n"
        f"    one.md5 = [{sums!r}.get(one.name)]\n"
    )
    yield hook
    found.shutdown()
    thread.join()
    found.server_close()


@pytest.fixture
def reachable(server, tmp_path, monkeypatch):
    """An empty cache, and a sacreBLEU that asks the server on this machine only."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("SACREBLEU", str(cache))
    monkeypatch.setenv("PYTHONPATH", str(server))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    return cache


FETCHED = [
    ("wmt22", "en-de"),
    ("wmt22", "en-cs"),
    ("wmt22", "liv-en"),
    ("wmt22", "en-zh"),
    ("wmt21/AB", "en-de"),
    ("wmt24", "en-de"),
    ("wmt19", "en-de"),
    ("wmt20/tworefs", "de-en"),
    ("multi30k/2016", "en-de"),
    ("mtnt1.1/test", "en-fr"),
]


@pytest.fixture(scope="module")
def filled(server, tmp_path_factory):
    """A cache that sacreBLEU's own code has written, once for all tests."""
    cache = tmp_path_factory.mktemp("filled") / "cache"
    environment = {"SACREBLEU": str(cache), "PYTHONPATH": str(server), "no_proxy": "127.0.0.1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        for name, pair in FETCHED:
            tri.test_set(name, pair)
    return cache


@pytest.fixture
def cache(filled, server, tmp_path, monkeypatch):
    """A copy of that cache, without any way for us to fetch more."""
    folder = tmp_path / "cache"
    shutil.copytree(filled, folder)
    monkeypatch.setenv("SACREBLEU", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(server))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(set_download, "_downloaded", lambda *_: "no network in this test")
    monkeypatch.chdir(tmp_path)
    return folder


def typed(*words):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run([*words])
    return status, out.getvalue(), err.getvalue()


def theirs(*words):
    """What sacreBLEU's own command prints; it finds all it needs in the cache."""
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *words],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def output(name, pair, file="hyp.txt"):
    """An output: the first reference with some words left out."""
    rng = random.Random(1)
    texts = tri.test_set(name, pair).field("ref")
    lines = [" ".join(word for word in text.split() if rng.random() < 0.8) or "x" for text in texts]
    if pair.endswith("zh"):
        lines = ["".join(letter for letter in text if rng.random() < 0.8) or "x" for text in texts]
    Path(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return lines


# Fetching ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "pair"), FETCHED)
def test_the_texts_are_those_that_sacrebleu_echoes(cache, name, pair):
    found = tri.test_set(name, pair)
    fields = theirs("--list", "-t", name, "-l", pair).split(": ")[1].strip().split(", ")
    assert {*found.fields} == {*fields}
    for field in fields:
        assert found.field(field) == [
            line.rstrip() for line in theirs("-t", name, "-l", pair, "--echo", field).split("\n")[:-1]
        ]
    status, out, err = typed("sets", "-t", name, "-l", pair, "--echo", "src", "ref", "-q")
    assert (status, out, err) == (0, theirs("-t", name, "-l", pair, "--echo", "src", "ref"), "")


@pytest.mark.parametrize(("name", "pair"), FETCHED)
def test_scores_are_those_of_sacrebleu(cache, name, pair):
    output(name, pair)
    status, out, _ = typed(
        "score", "-t", name, "-l", pair, "-i", "hyp.txt", "-m", "bleu", "chrf", "ter", "-f", "json", "-q"
    )
    ours, peers = (
        json.loads(out),
        json.loads(theirs("-t", name, "-l", pair, "-i", "hyp.txt", "-m", "bleu", "chrf", "ter", "-w", "6")),
    )
    assert status == 0 and len(ours) == len(peers) == 3
    for one, other in zip(ours, peers, strict=True):
        assert one["score"] == pytest.approx(other["score"], abs=1e-6)
        assert str(one["nrefs"]) == other["nrefs"] and one.get("tok") == other.get("tok")
        assert (one["test"], one["lang"]) == (name, pair)
        assert f"|test:{name}|lang:{pair}|" in one["signature"]
    assert ours[0]["tok"] == ("zh" if pair == "en-zh" else "13a")


@pytest.mark.parametrize(
    ("name", "pair", "flags"),
    [
        ("wmt22", "en-de", "-ol en"),
        ("wmt22", "en-de", "-ol non-en"),
        ("wmt24", "en-de", "--subset soc"),
        ("wmt24", "en-de", "-ol en --subset social|news"),
        ("wmt19", "en-de", "-ol de"),
        ("wmt19", "en-de", "--origlang non-de"),
        ("wmt19", "en-de", "--subset politics"),
        ("wmt19", "en-de", "--subset country:GB"),
        ("wmt20/tworefs", "de-en", "-ol en"),
        ("wmt22,wmt24", "en-de", ""),
        ("wmt24,wmt19", "en-de", "-ol en"),
    ],
)
def test_parts_of_sets_are_those_of_sacrebleu(cache, name, pair, flags):
    lines = [line for one in name.split(",") for line in output(one, pair)]
    Path("hyp.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    words = ["-t", name, "-l", pair, "-i", "hyp.txt", *flags.split()]
    status, out, _ = typed("score", *words, "-f", "json", "-q")
    ours, other = json.loads(out), json.loads(theirs(*words, "-w", "6"))
    assert status == 0 and ours["verbose_score"] == other["verbose_score"]
    assert ours["score"] == pytest.approx(other["score"], abs=1e-6)
    for key, flag in (("origlang", "-ol"), ("subset", "--subset")):
        value = (
            flags.replace("--origlang", "-ol").split(f"{flag} ")[1].split()[0]
            if flag in flags.replace("--origlang", "-ol")
            else None
        )
        assert ours.get(key) == value and (value is None or f"|{key}:{value}|" in ours["signature"])


def test_parts_that_sacrebleu_cannot_choose(cache):
    """It stops at language pairs with references of their own."""
    found = tri.test_set("wmt22", "en-cs", origlang="de")
    assert found.documents == ["d2"] * 4 and len(found.references) == 4
    assert tri.test_set("wmt22", "en-cs").references.entries[5:9] == found.references.entries


def test_compare_and_correlate_take_test_sets(cache):
    for file in ("a.txt", "b.txt"):
        output("wmt22", "en-de", file)
    Path("b.txt").write_text(Path("b.txt").read_text(encoding="utf-8").replace("the", "teh"), encoding="utf-8")
    words = ["-t", "wmt22", "-l", "en-de", "-i", "a.txt", "b.txt", "-q", "-f", "json"]
    status, out, err = typed("compare", *words, "--trials", "20", "--resamples", "20")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["segments"] == 15 and "|test:wmt22|lang:en-de|" in found["metrics"][0]["signature"]
    ratings = "".join(f"{name}\t{i}\t{i % 4}\n" for name in "ab" for i in range(1, 16))
    Path("human.tsv").write_text(f"system\tsegment\thuman\n{ratings}")
    status, out, err = typed("correlate", *words, "--human", "human.tsv", "--no-intervals")
    assert (status, err) == (0, "") and "test:wmt22" in json.loads(out)["metrics"][0]["signature"]


def test_a_missing_set_is_fetched_and_is_whole(reachable):
    status, out, err = typed("sets", "-t", "wmt22", "-l", "en-de", "--download", "-f", "json", "-q")
    assert (status, err) == (0, "")
    (one,) = json.loads(out)["sets"]
    assert (one["cached"], one["segments"]) == (True, 15)
    assert one["fields"] == ["src", "ref:A", "ref:B", "docid", "origlang", "GPT-4.1", "Online-A"]
    assert not [path for path in reachable.iterdir() if path.name.startswith(".fetching")]
    assert not [*reachable.rglob("*.lock")]
    found = tri.test_set("wmt22", "en-de")
    assert [*found.outputs] == ["GPT-4.1", "Online-A"] and len(found.outputs["GPT-4.1"]) == 15
    assert found.documents == ["d1"] * 5 + ["d2"] * 4 + ["d3"] * 6
    assert found.references.path == str(reachable / "wmt22" / "wmt22.en-de.ref-A")


def test_scoring_fetches_what_is_missing(reachable):
    Path("hyp.txt").write_text("x\n" * 9, encoding="utf-8")
    status, out, err = typed("score", "-t", "multi30k/2016", "-l", "en-de", "-i", "hyp.txt", "-b", "-q")
    assert (status, out, err) == (0, "0.0\n", "")


def test_a_file_that_is_not_what_sacrebleu_expects(reachable, server, monkeypatch, tmp_path):
    hook = tmp_path / "hook"
    shutil.copytree(server, hook)
    with (hook / "sitecustomize.py").open("a") as file:
        file.write("DATASETS['wmt19'].md5 = ['0' * 32]\n")
    monkeypatch.setenv("PYTHONPATH", str(hook))
    status, out, err = typed("sets", "-t", "wmt19", "-l", "en-de", "--download", "-q")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "sacreBLEU could not fetch it (Fatal: MD5 sum of downloaded file was incorrect" in err
    assert [*reachable.iterdir()] == []  # not even half of it


def test_a_server_that_has_no_such_file(reachable):
    status, out, err = typed("score", "-t", "wmt18", "-l", "en-de", "-i", "hyp.txt", "-q")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert (
        f"wmt18 en-de is not in {reachable}, and sacreBLEU could not fetch it (urllib.error.HTTPError: HTTP Error 404"
        in err
    )
    assert "; run 'sacrebleu --download wmt18 -l en-de' where there is a network, and copy its folder" in err
    assert [*reachable.iterdir()] == []


def test_without_a_network(reachable, server, monkeypatch, tmp_path):
    hook = tmp_path / "hook"
    hook.mkdir()
    text = (server / "sitecustomize.py").read_text().replace("http://127.0.0.1:", "http://127.0.0.1:1/")
    (hook / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(hook))
    for command in (
        ["score", "-t", "wmt22", "-l", "en-de", "-i", "x"],
        ["sets", "-t", "wmt22", "-l", "en-de", "--download"],
    ):
        status, out, err = typed(*command, "-q")
        assert (status, out, err.count("\n")) == (1, "", 1) and "Connection refused" in err and "Traceback" not in err


def test_ctrl_c_while_fetching_leaves_nothing(reachable, tmp_path, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
        hook = tmp_path / "hook"
        hook.mkdir()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/x.tar.gz"
        text = f"from sacrebleu.dataset import DATASETS\nDATASETS['wmt22'].data = [{address!r}]\n"
        (hook / "sitecustomize.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(hook))
        command = [sys.executable, "-m", "tricolore", "score", "-t", "wmt22", "-l", "en-de", "-i", "x", "-q"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as child:
            connection, _ = silent.accept()
            assert interrupt(child) == 130
            connection.close()
            assert child.stderr.read() == b"tricolore: interrupted\n"
    assert [*reachable.iterdir()] == []


def test_listing_fetches_nothing(reachable, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    status, out, err = typed("sets", "-f", "json")
    found = json.loads(out)
    assert (status, err, found["installed"]) == (0, "", True)
    expected = {(name, pair) for name, one in DATASETS.items() for pair in one.langpairs}
    assert {(one["test_set"], one["language_pair"]) for one in found["sets"]} == expected
    assert not reachable.exists()


def test_a_cache_that_cannot_be_written(reachable, monkeypatch):
    reachable.write_text("a file, not a folder")
    status, _, err = typed("score", "-t", "wmt22", "-l", "en-de", "-i", "x", "-q")
    assert status == 1 and err == f"tricolore: {reachable}: cannot be written (File exists)\n"


# Without the package -----------------------------------------------------------------------------------------------


@pytest.fixture
def alone(monkeypatch):
    """As if the sacrebleu package were not installed."""
    monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)


def test_the_cache_is_read_without_the_package(cache, alone):
    output("wmt22", "en-de")
    status, out, err = typed("score", "-t", "wmt22", "-l", "en-de", "-i", "hyp.txt", "-b", "-q")
    assert (status, err) == (0, "") and float(out) > 10
    status, out, err = typed("sets", "-f", "tsv")
    assert (status, err, len(out.splitlines())) == (0, "", 1 + len(FETCHED))
    status, out, err = typed("sets", "-l", "en-de")
    assert "wmt22      en-de" in " ".join(out.split("\n")) or "wmt22" in out
    assert "pip install 'tricolore[sets]'" in out


def test_what_is_missing_is_told_without_the_package(cache, alone):
    for command in (
        ["score", "-t", "wmt23", "-l", "en-de", "-i", "x"],
        ["sets", "-t", "wmt23", "-l", "en-de", "--download"],
    ):
        status, out, err = typed(*command, "-q")
        assert (status, out) == (1, "")
        assert err == (
            f"tricolore: wmt23 en-de is not in {cache}; to fetch it, pip install 'tricolore[sets]', or run "
            "'sacrebleu --download wmt23 -l en-de' where there is a network, and copy its folder\n"
        )
    status, _, err = typed("score", "-t", "wmt19", "-l", "en-de", "--subset", "sport", "-i", "x", "-q")
    assert status == 1 and "those of wmt18 and wmt19 are in sacreBLEU: pip install 'tricolore[sets]'" in err


def test_a_cache_written_by_hand(tmp_path, monkeypatch, alone):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    for field, text in {"src": "a\nb\n", "ref-0": "c\nd\n", "ref-1": "e\n\n", "ref-10": "g\nh\n"}.items():
        path = tmp_path / "mine" / "dev" / f"mine_dev.en-de.{field}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "mine" / "dev" / "raw").mkdir()
    (tmp_path / "mine" / "dev" / "raw" / "mine_dev.en-xx.src").write_text("x\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "models.en-de.src").write_text("x\n")
    found = tri.test_set("mine/dev", "en-de")
    assert (found.sources, found.documents, found.outputs) == (["a", "b"], None, {})
    assert found.references.entries == (("c", "e", "g"), ("d", "", "h"))
    assert found.fields == ("src", "ref:0", "ref:1", "ref:10")
    assert repr(found) == "TestSet mine/dev en-de: 2 segments (src, ref:0, ref:1, ref:10)"
    assert tri.test_sets().records() == [
        {
            "test_set": "mine/dev",
            "language_pair": "en-de",
            "cached": True,
            "segments": 2,
            "description": "",
            "fields": "src ref:0 ref:1 ref:10",
        }
    ]
    (tmp_path / "mine" / "dev" / "mine_dev.en-de.ref-1").write_text("e\n")
    with pytest.raises(tri.InputError, match=r"ref-1: ends at line 1, but .*mine_dev\.en-de\.src goes on to line 2"):
        _ = found.field("ref:1")
    (tmp_path / "mine" / "dev" / "mine_dev.en-de.ref-B").write_text("e\nf\n")
    with pytest.raises(
        tri.InputError, match=r"has the references .*B, .*, and which are meant is not known; name files"
    ):
        tri.test_set("mine/dev", "en-de")


def test_the_home_folder_is_the_default(tmp_path, monkeypatch):
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".sacrebleu" / "own").mkdir(parents=True)
    for field in ("src", "ref"):
        (tmp_path / ".sacrebleu" / "own" / f"own.en-de.{field}").write_text("a\n")
    assert tri.test_set("own", "en-de").sources == ["a"]
    assert os.path.expanduser("~") == str(tmp_path)


# What is known of sacreBLEU's sets ---------------------------------------------------------------------------------


def test_references_are_chosen_as_in_sacrebleu():
    """The table of labels is that of the package, for every set in WMT's XML."""
    for name, one in DATASETS.items():
        if not isinstance(one, WMTXMLDataset):
            assert name not in LABELS
            continue
        assert LABELS[name] == tuple(one.kwargs["refs"])
        for pair, about in one.langpairs.items():
            own = about.get("refs") if isinstance(about, dict) else None
            assert LABELS_OF_PAIRS.get((name, pair)) == (tuple(own) if own else None)
    assert {*LABELS} <= {*DATASETS} and {name for name, _ in LABELS_OF_PAIRS} <= {*LABELS}
    assert {*SUBSETS} == {"wmt18", "wmt19"}


def test_every_name_of_sacrebleu_is_a_name_here(cache):
    assert [cached_set(name, pair).name for name, one in DATASETS.items() for pair in one.langpairs]
    with pytest.raises(tri.InputError, match="is not the name of a test set"):
        cached_set("../secrets", "en-de")


# Mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("score -t wmt22 -i x", 2, "-t wmt22 needs a language pair, such as -l en-de (see 'tricolore sets -t wmt22')"),
        ("score ref.txt -t wmt22 -l en-de -i x", 2, "-t wmt22 and references exclude each other; got the file ref.txt"),
        ("score -t wmt22 -l ende -i x", 2, "--language-pair: expected SRC-TRG, such as en-zh; got 'ende'"),
        ("score -t wmt22 -l en-de -nr 2 -i x", 2, "--num-refs is about reference files; a test set has its own"),
        ("score -t wmt2 -l en-de -i x", 2, "no test set 'wmt2'; did you mean 'wmt2"),
        ("score -t wmt22 -l en-xx -i x", 2, "wmt22 has no language pair 'en-xx'; it has cs-en, cs-uk"),
        ("score -t wmt22 -l de-en -i x", 1, "and sacreBLEU could not fetch it (no network in this test)"),
        ("score ref.txt -ol de -i x", 2, "--origlang needs a test set (-t) and a language pair (-l)"),
        ("score ref.txt --subset x -i x", 2, "--subset needs a test set (-t) and a language pair (-l)"),
        ("score -t wmt22 -l en-de -ol fr -i x", 1, "wmt22 en-de: no segment has origlang 'fr' (found de, en)"),
        ("score -t wmt24 -l en-de --subset ( -i x", 2, "--subset: '(' is not a regular expression"),
        ("score -t wmt22 -l en-de --subset news -i x", 1, "wmt22 en-de: has no domains"),
        ("score -t multi30k/2016 -l en-de -ol de -i x", 1, "multi30k/2016 en-de: has no original languages (origlang)"),
        ("score -t wmt22,wmt20/tworefs -l en-de -i x", 1, "wmt20/tworefs en-de is not in"),
        ("score -t wmt22 -l en-de -i short.txt", 1, "short.txt: ends at line 2, but "),
        ("score -t wmt22 -l en-de -ol de -i short.txt", 1, "wmt22.en-de.src goes on to line 15; expected one line per"),
        ("score -t ../x -l en-de -i x", 1, "'../x' is not the name of a test set; expected one such as wmt22"),
        ("sets --echo src -t wmt22", 2, "--echo needs a test set (-t) and a language pair (-l)"),
        ("sets --download -l en-de", 2, "--download needs a test set (-t) and a language pair (-l)"),
        ("sets -t wmt22 -l en-de -ol de", 2, "--origlang needs --echo"),
        ("sets -t wmt22 -l en-de --echo all src", 2, "'all' is all fields; expected no others beside it"),
        ("sets -t wmt22 -l en-de --echo ref:C", 1, "no field 'ref:C'; did you mean 'ref:B'? (there are src, ref:A"),
        ("sets -t wmt99", 2, "no test set 'wmt99'; did you mean"),
        ("sets -l xx-yy", 2, "no language pair 'xx-yy'"),
        ("compare -t wmt22 -l en-de --scores x.tsv", 2, "references are given, but no outputs"),
        ("correlate -t wmt22 -l en-de", 2, "-t names references, but no outputs are given; name them with -i"),
    ],
)
def test_mistakes_get_one_clear_line(cache, words, status, message):
    Path("ref.txt").write_text("a\n")
    Path("short.txt").write_text("a\nb\n")
    found, out, err = typed(*words.split(), "-q")
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert message in err


def test_sets_of_different_references_are_not_joined(cache):
    shutil.copytree(cache / "wmt20" / "tworefs", cache / "two")
    for path in [*(cache / "two").glob("wmt20_tworefs.de-en.*")]:
        path.rename(path.with_name(path.name.replace("wmt20_tworefs.de-en", "two.en-de")))
    with pytest.raises(tri.InputError, match="wmt22 has 1 references and two 2; expected as many"):
        _ = tri.test_set("wmt22,two", "en-de").references


def test_a_damaged_cache_is_told_by_file(cache):
    path = cache / "wmt22" / "wmt22.en-de.ref-A"
    output("wmt22", "en-de")
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:7]), encoding="utf-8")
    status, out, err = typed("score", "-t", "wmt22", "-l", "en-de", "-i", "hyp.txt", "-q")
    assert (status, out) == (1, "") and f"{path}: ends at line 7, but" in err
    path.write_bytes(b"\xff\xfe\xfd\n" * 15)
    status, out, err = typed("score", "-t", "wmt22", "-l", "en-de", "-i", "hyp.txt", "-q")
    assert (status, out, err.count("\n")) == (1, "", 1) and str(path) in err


# Models of tokenisers ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small SentencePiece model."""
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("model")
    rng = random.Random(3)
    lines = [" ".join(rng.choice(WORDS) for _ in range(8)) for _ in range(400)]
    (folder / "text").write_text("\n".join(lines), encoding="utf-8")
    how = {"vocab_size": 60, "character_coverage": 1.0, "hard_vocab_limit": False, "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(input=str(folder / "text"), model_prefix=str(folder / "m"), **how)
    return (folder / "m.model").read_bytes()


@pytest.mark.parametrize("name", [*MODELS, "spm"])
def test_models_are_found_in_the_cache(cache, model, name):
    (cache / "models").mkdir()
    (cache / "models" / MODELS.get(name, MODELS["flores101"])).write_bytes(model)
    output("wmt22", "en-de")
    words = ["-t", "wmt22", "-l", "en-de", "-i", "hyp.txt", "-tok", name]
    status, out, err = typed("score", *words, "-f", "json", "-q")
    assert (status, err) == (0, "")
    ours, other = json.loads(out), json.loads(theirs(*words, "-w", "6"))
    assert ours["score"] == pytest.approx(other["score"], abs=1e-6)
    assert ours["verbose_score"] == other["verbose_score"]
    assert ours["tok"].startswith(f"{other['tok']}-{hashlib.sha256(model).hexdigest()[:12]}-sentencepiece")


def test_a_model_that_is_not_there(cache):
    output("wmt22", "en-de")
    for name, file in MODELS.items():
        status, out, err = typed("score", "-t", "wmt22", "-l", "en-de", "-i", "hyp.txt", "-tok", name, "-q")
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert f"tokenizer {name}: its model is not in sacreBLEU's cache ({cache / 'models' / file})" in err
        assert f"'sacrebleu -tok {name}' where there is a network" in err and "spm:FILE" in err
