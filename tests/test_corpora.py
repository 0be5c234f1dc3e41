"""Test sets in SGML, XML and TMX are tables."""

import pytest

import tricolore as tri
from tricolore.readers.corpora import read_sgm, read_tmx, read_wmt_xml

pytest.importorskip("pyarrow")

SGM = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "mteval-xml.dtd">
<tstset setid="news" srclang="any" trglang="en">
<doc sysid="A" docid="d1" genre="news" origlang="de">
<p><seg id="1"> A cat &amp; a dog </seg>
<seg id="2">he said &quot;no&quot;</seg></p>
</doc>
<DOC docid='d2' sysid=A>
<seg id=3>
two
lines</seg>
</DOC>
</tstset>
"""


def test_sgml(tmp_path):
    output, reference, other = tmp_path / "A.sgm", tmp_path / "ref.sgm", tmp_path / "B.sgm"
    output.write_text(SGM, encoding="utf-8")
    assert read_sgm(str(output)) == {
        "system": ["A"] * 3,
        "doc": ["d1", "d1", "d2"],
        "segment": ["1", "2", "3"],
        "set": ["news"] * 3,
        "genre": ["news", "news", None],
        "hyp": ["A cat & a dog", 'he said "no"', "two lines"],
    }
    texts = {"1": "A cat and a dog", "2": 'he said "no"', "3": "two"}
    segments = [f"<doc docid=d{1 + (i == '3')}><seg id={i}>{text}</seg></doc>" for i, text in texts.items()]
    reference.write_text(f"<refset>{''.join(reversed(segments))}</refset>", encoding="utf-8")
    other.write_text(SGM.replace("sysid=", "system="), encoding="utf-8")  # named after its file
    scores = tri.score_table([reference, output, other], hyp="hyp", refs="ref", by="system", metrics="wer")
    assert [cell.group for cell in scores.cells] == [("A",), ("B",)]
    assert float(scores["B", "wer"]) == 2 / 9
    (tmp_path / "two.sgm").write_bytes(reference.read_bytes())
    found = read_sgm(str(reference), str(tmp_path / "two.sgm"))
    assert [*found] == ["doc", "segment", "ref.ref", "ref.two"]


XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest2023">
  <doc origlang="en" id="one" domain="news">
    <src lang="en"><p><seg id="1">The cat.</seg><seg id="2">It &lt;sat&gt;.</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Die Katze.</seg><seg id="2">Sie saß.</seg></p></ref>
    <hyp lang="de" system="Lan-Bridge"><p><seg id="1">Eine Katze.</seg><seg id="2">Sie saß.</seg></p></hyp>
  </doc>
  <doc origlang="en" id="two">
    <src lang="en"><p><seg id="1">Bye.</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Tschüs.</seg></p></ref>
    <hyp lang="de" system="Lan-Bridge"><p><seg id="1">Tschüs.</seg></p></hyp>
  </doc>
</dataset>
"""


def test_xml_of_wmt(tmp_path):
    path = tmp_path / "set.xml"
    path.write_text(XML, encoding="utf-8")
    found = read_wmt_xml(str(path))
    assert found["doc"] == ["one", "one", "two"]
    assert found["domain"] == ["news", "news", None]
    assert found["src"][1] == "It <sat>."
    assert found["hyp.Lan-Bridge"] == ["Eine Katze.", "Sie saß.", "Tschüs."]
    scores = tri.score_table(path, hyp="hyp.Lan-Bridge", refs="ref.A", by="doc", metrics="wer")
    assert scores["one", "wer"].points == 25
    assert scores["two", "wer"].points == 0


TMX = """<?xml version="1.0"?>
<tmx version="1.4"><header/><body>
<tu tuid="7"><tuv xml:lang="EN-gb"><seg>colour <bpt i="1"/>me</seg></tuv><tuv xml:lang="de"><seg>Farbe</seg></tuv></tu>
<tu><tuv lang="de"><seg>nur deutsch</seg></tuv></tu>
</body></tmx>
"""


def test_tmx(tmp_path):
    path = tmp_path / "memory.tmx"
    path.write_text(TMX, encoding="utf-8")
    assert read_tmx(str(path)) == {
        "id": ["7", None],
        "en-gb": ["colour me", None],
        "de": ["Farbe", "nur deutsch"],
    }


SEG = "<hyp system='A'><seg id='1'>x</seg></hyp>"
TWICE = f"<dataset><doc id='1'>{SEG}{SEG}</doc></dataset>"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.sgm", "<refset>nothing</refset>", "found no segments"),
        ("a.sgm", "<refset><doc docid=1><seg>a</seg></doc></refset>", "one has no id"),
        ("a.sgm", "<refset><doc docid=1><seg id=1>a</seg><seg id=1>a</seg></doc></refset>", "segment 1 is there twice"),
        ("a.xml", "<dataset><doc id='1'><src><seg>x</seg></src></doc></dataset>", "a <seg> has no id"),
        ("a.xml", "<dataset><doc>", "invalid XML"),
        ("a.xml", "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><dataset>&a;</dataset>", "defines entities"),
        ("a.xml", TWICE, "has hyp.A twice"),
        ("a.tmx", "<tmx><body/></tmx>", "found no segments"),
        ("a.tmx", "<tmx><tu><tuv><seg>x</seg></tuv></tu></tmx>", "unit 1: expected <tuv> with xml:lang"),
    ],
)  # fmt: skip
def test_mark_up_that_is_no_test_set(name, text, message, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tri.InputError, match=rf"{name}: .*{message}"):
        tri.score_table(path, hyp="a", refs="b")
