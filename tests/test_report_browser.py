"""Reports in a real browser: the system's Chromium, driven by Playwright."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from report_data import corpus

import tricolore as tri
from tricolore.examples import RATINGS, REFERENCES, SYSTEMS, lines, text_of
from tricolore.reporting.verdict import sentences
from tricolore.results import decimal

pytest.importorskip("jinja2", reason="Jinja2 is not installed")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    '" onmouseover="window.hacked = 1',
    "abc \u202egnirts a ton\u202c \u200b\ufeff\x00\x1b[31m end",
    "הטקסט הזה נכתב מימין לשמאל (abc), 12.5",
    "猫が好きです。今日は、2.5時間歩いた！",
    " ".join(["word"] * 5000),
    "\ud800 lone",
]


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium; install the system's package 'chromium'")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def made(folder):
    """A report with everything in it."""
    outputs, refs = corpus(80, systems=("good", "fair", "poor", "hasty"))
    source = [f"source {i}" for i in range(80)]
    human = {name: [90 - 4 * k - i * (k + 1) % 17 for i in range(80)] for k, name in enumerate(outputs)}
    comet = {name: [0.9 - k / 50 + i * (k + 1) % 11 / 100 for i in range(80)] for k, name in enumerate(outputs)}
    by = {"domain": ["news", "chat"] * 40}
    how = {"docs": [f"d{i // 20}" for i in range(80)], "by": by, "trials": 400, "resamples": 200}
    return tri.report(
        outputs, refs, ["bleu", "chrf", "ter"], path=folder / "all.html", source=source, human=human,
        scores={"COMET": comet}, **how,
    )  # fmt: skip


class Opened:
    """A page of a report, and what went wrong on it."""

    def __init__(self, browser, path, fragment="", **context):
        self.path, self.wrong, self.requests = Path(path), [], []
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.goto(fragment)

    def goto(self, fragment):
        self.page.goto("about:blank")
        self.page.goto(self.path.as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]")
        self.settle()

    def settle(self):
        """Wait until nothing is being computed any more."""
        busy = "[...document.querySelectorAll('.busy')].some((one) => one.textContent.includes('…'))"
        for _ in range(600):  # not wait_for_function, which the page's policy forbids
            self.page.wait_for_timeout(50)
            if not self.page.evaluate(busy):
                return
        pytest.fail("the page is still busy")

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()

    def rows(self):
        """The segments of the table that are in sight, in their order."""
        return self.page.eval_on_selector_all(
            ".grid-row", "rows => rows.sort((a, b) => a.offsetTop - b.offsetTop).map((row) => row.dataset.segment)"
        )

    def close(self):
        outside = [url for url in self.requests if not url.startswith(("file:", "blob:", "about:", "data:"))]
        self.context.close()
        assert self.wrong == [] and outside == []


@pytest.fixture
def visit(browser):
    """Open reports; in the end, nothing may have gone wrong on them, and nothing may have been asked of the network."""
    pages = []

    def opening(path, fragment="", **context):
        pages.append(Opened(browser, path, fragment, **context))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


# Every view --------------------------------------------------------------------------------------------------------

VIEWS = ("overview", "pairs", "segments", "buckets", "words", "metrics")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_drawn(visit, made, width, scheme):
    opened = visit(made.path, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for view in VIEWS:
        opened.page.locator(f'nav [data-view="{view}"]').click()
        opened.settle()
        section = opened.page.locator(f'[data-section="{view}"]')
        assert section.is_visible() and len(section.inner_text()) > 100
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    background = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(251, 250, 247)" if scheme == "light" else "rgb(20, 24, 30)")


def test_numbers_of_the_overview_are_those_of_compare(visit, made):
    opened = visit(made.path)
    for k, judgement in enumerate(made.comparison.judgements):
        for system in judgement.systems:
            row = opened.page.locator("#scores tbody tr").filter(
                has=opened.page.get_by_role("rowheader", name=system.name)
            )
            cell = row.locator("td.number").nth(k)
            assert cell.inner_text() == f"{judgement.shown(system.score)}{system.cluster}"
            assert ("best" in cell.get_attribute("class")) == (system.cluster == 1)
            assert row.locator("td.interval").nth(k).get_attribute("title").endswith(judgement.span(system.interval))
    assert opened.page.locator(".sentences li").all_inner_texts() == made.sentences
    assert made.comparison["bleu"].signature in opened.text("#signatures")


def test_a_theme_is_chosen_by_hand(visit, made):
    opened = visit(made.path, color_scheme="light")
    opened.page.locator("#theme").click()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 30)"
    opened.page.locator("#theme").click()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"


def test_the_worst_segments_of_the_best_system_are_on_the_first_page(visit, made):
    opened = visit(made.path)
    best, second = (one.name for one in made.comparison["bleu"].systems[:2])
    texts = dict(zip(made.comparison.names, made.evaluation.outputs, strict=True))
    scores = [tri.BLEU().segments(texts[name], made.evaluation.references) for name in (best, second)]
    order = np.argsort(scores[0] - scores[1], kind="stable")[:5]
    shown = opened.page.eval_on_selector_all("[data-loss]", "all => all.map((one) => one.dataset.loss)")
    assert shown == [str(i + 1) for i in order]
    opened.page.locator("[data-loss]").first.click()
    assert opened.text("#segment-title") == f"Segment {order[0] + 1}"


# Pairs -------------------------------------------------------------------------------------------------------------


def shown_pair(opened):
    return [opened.text(f"#pair-{what}") for what in ("difference", "effect", "p", "holm")]


def expected_pair(judgement, a, b):
    pair = judgement.pair(a, b)
    difference, effect = judgement.shown(pair.difference, sign="+"), decimal(pair.effect, 1, "+")
    return [difference, effect, f"{pair.p:.4f}", f"{pair.p_adjusted:.4f}"]


@pytest.mark.parametrize("metric", ["bleu", "ter", "COMET"])
def test_pairs_are_those_of_compare(visit, made, metric):
    opened = visit(made.path, f"#/pairs?m={metric}&a=good&b=poor")
    assert shown_pair(opened) == expected_pair(made.comparison[metric], "good", "poor")
    opened.page.locator('.matrix [data-pair="1 2"]').click()
    opened.settle()
    assert shown_pair(opened) == expected_pair(made.comparison[metric], "fair", "poor")
    assert opened.page.locator(".matrix button").count() == 12


@pytest.mark.parametrize("metric", ["bleu", "chrf", "human"])
def test_pairs_under_a_filter_are_those_of_compare_on_its_segments(visit, made, metric):
    opened = visit(made.path, f"#/pairs?m={metric}&a=good&b=fair&group=domain&value=chat")
    assert opened.text("#filtered") == "40 of 80 segments"
    some = range(1, 80, 2)
    column = made.evaluation.criteria[[one.column.name for one in made.evaluation.criteria].index(metric)].column
    how = {"trials": 400, "resamples": 200}
    if metric == "human":
        part = {name: column.segments[k, some] for k, name in enumerate(made.comparison.names)}
        expected = tri.compare_scores(part, name="human", **how)["human"]
        digits = 2
    else:
        outputs = zip(made.comparison.names, made.evaluation.outputs, strict=True)
        part = {name: [output[i] for i in some] for name, output in outputs}
        expected = tri.compare(part, [made.evaluation.references.entries[i] for i in some], metric, **how)[metric]
        digits = None
    difference = expected.shown(expected.pair("good", "fair").difference, digits, "+")
    assert shown_pair(opened) == [difference, *expected_pair(expected, "good", "fair")[1:]]
    for k, name in enumerate(made.comparison.names):
        shown = opened.text(f'[data-score="{k}"]').split()
        assert shown == [expected.shown(expected.system(name).score, digits), str(expected.system(name).cluster)]


def test_wins_ties_and_losses_are_counted(visit, made):
    opened = visit(made.path, "#/pairs?a=good&b=poor")
    outputs = dict(zip(made.comparison.names, made.evaluation.outputs, strict=True))
    good, poor = (tri.BLEU().segments(outputs[name], made.evaluation.references) for name in ("good", "poor"))
    expected = f"{(good > poor).sum()} better, {(good == poor).sum()} tied, {(good < poor).sum()} worse"
    assert opened.text("#wins") == expected
    opened.page.locator("#pair circle.pick").first.click()
    assert opened.text("#segment-title").startswith("Segment ")


# Segments ----------------------------------------------------------------------------------------------------------


def test_sorting(visit, made):
    opened = visit(made.path, "#/segments?a=good&b=poor")
    assert opened.rows()[:3] == ["1", "2", "3"]
    outputs = dict(zip(made.comparison.names, made.evaluation.outputs, strict=True))
    good, poor = (tri.BLEU().segments(outputs[name], made.evaluation.references) for name in ("good", "poor"))
    opened.page.locator('[data-sort="gain"]').click()
    assert opened.rows()[:5] == [str(i + 1) for i in np.argsort(good - poor, kind="stable")[:5]]
    opened.page.locator('[data-sort="gain"]').click()
    assert opened.rows()[:5] == [str(i + 1) for i in np.argsort(poor - good, kind="stable")[:5]]
    opened.page.locator('[data-sort="system poor"]').click()
    assert opened.rows()[:5] == [str(i + 1) for i in np.argsort(poor, kind="stable")[:5]]
    assert opened.page.locator("[aria-sort]").get_attribute("aria-sort") == "ascending"
    opened.page.locator("#sort").select_option("size")
    assert opened.rows()[:5] == [str(i + 1) for i in np.argsort(-np.abs(good - poor), kind="stable")[:5]]
    opened.page.locator("#turn").click()
    assert opened.rows()[0] == str(np.argmin(np.abs(good - poor)) + 1)
    for key in ("spread", "disagreement", "length", "group document"):
        opened.page.locator("#sort").select_option(key)
        assert len(opened.rows()) > 5
    first = opened.page.locator(".grid-row").first
    assert first.is_visible()


def test_scores_of_segments_are_those_of_the_library(visit, made):
    opened = visit(made.path, "#/segments?m=ter&a=good&b=fair")
    outputs = dict(zip(made.comparison.names, made.evaluation.outputs, strict=True))
    scores = {name: 100 * tri.TER().segments(outputs[name], made.evaluation.references) for name in outputs}
    for i in (0, 3, 7):
        cells = opened.page.locator(f'.grid-row[data-segment="{i + 1}"] .num').all_inner_texts()
        gain = scores["fair"][i] - scores["good"][i]
        assert cells[1] == decimal(gain, 1, "+")
        assert cells[2:4] == [f"{scores[name][i]:.1f}" for name in ("good", "fair")]


def test_searching_and_filtering(visit, made):
    opened = visit(made.path, "#/segments")
    refs, outputs = made.evaluation.references.entries, made.evaluation.outputs
    opened.page.locator("#search").fill("BIRD under")
    having = [str(i + 1) for i in range(80) if any("bird under" in t for t in (refs[i], *(o[i] for o in outputs)))]
    assert 0 < len(having) < 80 and opened.rows() == having[: len(opened.rows())]
    assert opened.text("#filtered") == f"{len(having)} of 80 segments"
    opened.page.locator("#regex").check()
    opened.page.locator("#search").fill("^the .*today$")
    assert opened.text("#filtered").endswith("of 80 segments")
    opened.page.locator("#search").fill("(")
    assert opened.page.locator("#search").get_attribute("aria-invalid") == "true"
    opened.page.locator("#clear").click()
    assert opened.page.locator("#filtered").count() == 0
    opened.page.locator("details summary", has_text="More filters").click()
    opened.page.locator("#group-document").select_option("d2")
    assert opened.rows()[:2] == ["41", "42"]
    opened.page.locator("#minLength").fill("20")
    opened.page.keyboard.press("Tab")
    lengths = [len(tri.tokenize(ref, "universal")) for ref in refs]
    assert opened.rows() == [str(i + 1) for i in range(40, 60) if lengths[i] >= 20]


#: The text of an output without the words that only the reference has.
WITHOUT_DELETIONS = """node => {
  const own = node.cloneNode(true);
  own.querySelectorAll("del").forEach((one) => one.remove());
  return own.textContent;
}"""


def test_a_segment_is_opened_and_closed(visit, made):
    opened = visit(made.path, "#/segments")
    opened.page.locator('.grid-row[data-segment="3"]').click()
    panel = opened.page.locator("#segment")
    assert panel.is_visible() and opened.text("#segment-title") == "Segment 3"
    for name, output in zip(made.comparison.names, made.evaluation.outputs, strict=True):
        article = panel.locator("article", has=opened.page.get_by_text(name, exact=True))
        assert article.locator(".said").first.evaluate(WITHOUT_DELETIONS).replace(" ", "") == output[2].replace(" ", "")
        ter = tri.TER().segment(output[2], made.evaluation.references.entries[2])
        assert f"TER {100 * ter.value:.1f}" in article.inner_text()
    for mode in ("characters", "ter", "grams", "plain"):
        opened.page.locator("#align").select_option(mode)
        assert f"align={mode}" in opened.page.url
    opened.page.locator("#next").click()
    assert opened.text("#segment-title") == "Segment 4"
    opened.page.keyboard.press("Escape")
    assert not panel.is_visible() and "seg=" not in opened.page.url


def test_the_selection_is_downloaded(visit, made):
    opened = visit(made.path, "#/segments?group=domain&value=news")
    with opened.page.expect_download() as waiting:
        opened.page.locator("#download").click()
    table = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
    header = table[0].split("\t")
    assert len(table) == 1 + 40 * 4 and header[:5] == ["segment", "system", "document", "domain", "bleu"]
    row = dict(zip(header, table[1].split("\t"), strict=True))
    assert row["output"] == made.evaluation.outputs[0][0] and row["source"] == "source 0"
    expected = 100 * tri.BLEU().segment(row["output"], made.evaluation.references.entries[0]).value
    assert float(row["bleu"]) == pytest.approx(expected, rel=1e-12)


def test_scrolling_shows_the_last_segment(visit, made):
    opened = visit(made.path, "#/segments")
    opened.page.locator(".grid-body").evaluate("body => { body.scrollTop = body.scrollHeight; }")
    opened.page.wait_for_selector('.grid-row[data-segment="80"]')
    assert len(opened.rows()) < 60


# Addresses and keys ------------------------------------------------------------------------------------------------


def test_an_address_leads_to_a_place(visit, made):
    opened = visit(made.path, "#/segments?m=chrf&a=poor&b=good&sort=gain&down=1&q=dog&seg=7")
    assert opened.text("#segment-title") == "Segment 7"
    opened.page.locator("#close").click()
    assert opened.page.locator("#metric").input_value() == "chrf"
    assert opened.page.locator("#a option:checked").inner_text() == "poor"
    assert opened.page.locator("#search").input_value() == "dog"
    opened.page.go_back()
    assert opened.text("#segment-title") == "Segment 7"
    opened.goto("#/nothing?m=unknown&a=nobody&seg=999999")
    assert opened.page.locator('[data-section="overview"]').is_visible()


def test_an_address_with_a_search_leads_to_its_pairs(visit, made):
    opened = visit(made.path, "#/pairs?q=dog")
    having = sum("dog" in ref or any("dog" in output[i] for output in made.evaluation.outputs)
                 for i, ref in enumerate(made.evaluation.references.entries))  # fmt: skip
    assert 2 < having < 80 and f"on {having} segments of 80" in opened.text("#pairs-about")


def test_keys(visit, made):
    opened = visit(made.path)
    press = opened.page.keyboard.press
    press("3")
    assert opened.page.locator('[data-section="segments"]').is_visible()
    press("/")
    assert opened.page.evaluate("document.activeElement.id") == "search"
    opened.page.keyboard.type("dog")
    assert opened.page.evaluate("document.activeElement.id") == "search"
    opened.page.locator(".grid-body").focus()
    expected = opened.rows()[:4]
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        press(key)
    assert opened.text("#segment-title") == f"Segment {expected[2]}"
    press("j")
    assert opened.text("#segment-title") == f"Segment {expected[3]}"
    press("k")
    press("Escape")
    assert not opened.page.locator("#segment").is_visible()
    press("Tab")
    assert opened.page.evaluate("document.activeElement !== document.body")


UNNAMED = """[...document.querySelectorAll("button, select, input, a")].filter((one) => one.offsetParent && !(
  one.textContent.trim() || one.getAttribute("aria-label") || one.title || one.closest("label")?.textContent.trim()
)).length"""
NAMELESS_PICTURES = """[...document.querySelectorAll("main svg[role=img]")].filter((one) =>
  !one.getAttribute("aria-label") && !one.querySelector("title")).length"""


def test_what_a_screen_reader_needs(visit, made):
    opened = visit(made.path)
    for view in VIEWS:
        opened.page.locator(f'nav [data-view="{view}"]').click()
        opened.settle()
        assert (opened.page.evaluate(UNNAMED), opened.page.evaluate(NAMELESS_PICTURES)) == (0, 0)
        assert opened.page.locator("nav [aria-current]").get_attribute("data-view") == view


def test_printing(visit, made):
    opened = visit(made.path, "#/segments")
    opened.page.emulate_media(media="print")
    assert opened.page.locator('[data-section="overview"]').is_visible()
    assert not opened.page.locator("nav").is_visible() and not opened.page.locator("#controls").is_visible()
    assert opened.page.pdf()[:4] == b"%PDF"


# Buckets, words, metrics -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "name", "some"), [("group domain", "chat", range(1, 80, 2)), ("group document", "d1", range(20, 40))]
)
def test_buckets_are_scored_as_the_library_scores_their_segments(visit, made, by, name, some):
    opened = visit(made.path, f"#/buckets?by={by}&m=chrf")
    outputs = zip(made.comparison.names, made.evaluation.outputs, strict=True)
    part = {system: [output[i] for i in some] for system, output in outputs}
    refs = [made.evaluation.references.entries[i] for i in some]
    expected = tri.compare(part, refs, "chrf", trials=9, resamples=200)["chrf"]
    header = opened.page.locator("#buckets thead th").all_inner_texts()[2:]
    cells = opened.page.locator(f'#buckets tr[data-bucket="{name}"] td.number')
    for k, system in enumerate(header):
        found = expected.system(system)
        assert cells.nth(k).inner_text() == expected.shown(found.score)
        assert cells.nth(k).get_attribute("title") == expected.span(found.interval)


@pytest.mark.parametrize("by", ["length", "frequency"])
def test_other_buckets(visit, made, by):
    opened = visit(made.path, f"#/buckets?by={by}")
    sizes = opened.page.locator("#buckets tbody tr td:nth-child(2)").all_inner_texts()
    words = sum(len(tri.tokenize(ref, "universal")) for ref in made.evaluation.references.entries)
    assert sum(map(int, sizes)) == (80 if by == "length" else words)
    assert opened.page.locator('[data-section="buckets"] svg').count() == 1


def test_words_lead_to_their_segments(visit, made):
    opened = visit(made.path, "#/words?a=good&b=poor")
    rows = opened.page.locator("#better tbody tr")
    assert rows.count() > 0
    outputs = dict(zip(made.comparison.names, made.evaluation.outputs, strict=True))
    own = sum(len(tri.tokenize(text, "universal")) for text in outputs["good"])
    words = sum(len(tri.tokenize(ref, "universal")) for ref in made.evaluation.references.entries)
    assert f"good {own / words:.3f}" in opened.text("#length-ratio")
    rows.first.locator("button").first.click()
    assert opened.page.locator("#segment").is_visible()
    for order in ("2", "compounds"):
        opened.goto(f"#/words?order={order}")
        assert len(opened.text("#words")) > 50


def test_metrics_have_pictures_and_the_table_of_correlate(visit, made):
    opened = visit(made.path, "#/metrics")
    section = opened.page.locator('[data-section="metrics"]')
    assert section.locator("figure:visible").count() == 3
    section.get_by_role("button", name="segment spearman pooled").click()
    assert section.locator("figure:visible svg").first.text_content().startswith("segment spearman pooled")
    value = made.evaluation.correlation["bleu", "system pearson"].value
    assert f"{value:.3f}" in section.locator("table").first.inner_text()


# Other reports -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(folder):
    """A report of texts that no page expects."""
    path = folder / "hostile.html"
    refs = [text if len(text) < 1000 else "word" for text in HOSTILE]
    outputs = {"<b>x</b>": HOSTILE, "</script>": HOSTILE[::-1]}
    tri.report(outputs, refs, ["bleu", "chrf", "ter"], path=path, title=HOSTILE[0], source=HOSTILE,
               docs=HOSTILE[:4] * 2, trials=50, resamples=20)  # fmt: skip
    return path


def test_hostile_texts_are_inert_and_shown(visit, hostile):
    opened = visit(hostile)
    for view in VIEWS:
        opened.goto(f"#/{view}")
    for k, text in enumerate(HOSTILE, 1):
        for mode in ("words", "characters", "ter", "grams", "plain"):
            opened.goto(f"#/segments?align={mode}&seg={k}")
            assert opened.page.locator("#segment").is_visible()
        shown = opened.page.locator("#segment .said").first.inner_text()
        if k not in (4, 8):
            assert shown.split() == text.split()
        else:
            assert "\u202e" not in shown and "\x00" not in shown
            assert ("202E" in shown and "0000" in shown) if k == 4 else "D800" in shown
    assert opened.page.evaluate("window.hacked") is None
    assert (
        opened.page.locator("#segment .said").first.evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate"
    )


def test_right_to_left_texts_are_set_so(visit, hostile):
    opened = visit(hostile, "#/segments?seg=5")
    assert opened.page.locator("#segment .said").first.evaluate("node => getComputedStyle(node).direction") == "rtl"


def test_a_report_of_one_system(visit, folder):
    refs = lines("reference-a")
    tri.report({"only": lines("careful")}, refs, path=folder / "one.html", resamples=50)
    opened = visit(folder / "one.html")
    for view in ("segments", "buckets", "words"):
        opened.page.locator(f'nav [data-view="{view}"]').click()
        opened.settle()
    assert opened.page.locator('nav [data-view="pairs"]').count() == 0
    opened.goto("#/segments?seg=2")
    assert opened.text("#segment-title") == "Segment 2"


def test_a_report_without_texts(visit, folder):
    scores = {name: [float((i * k) % 7) for i in range(30)] for k, name in enumerate("abc", 2)}
    tri.compare_scores(scores, trials=50, resamples=50).report(folder / "scores.html")
    opened = visit(folder / "scores.html", "#/pairs?minGain=1")
    assert opened.page.locator(".matrix button").count() == 6
    opened.goto("#/segments?seg=3")
    assert "There are no texts" in opened.text("#segment")


def test_a_report_with_few_texts_and_no_statistics(visit, folder):
    outputs, refs = corpus(20)
    tri.report(outputs, refs, "chrf", path=folder / "small.html", max_texts=5, no_rows=True, trials=50, resamples=50)
    opened = visit(folder / "small.html", "#/pairs?minLength=10")
    assert "not in this file" in opened.page.locator('[data-section="pairs"]').inner_text()
    opened.goto("#/segments?seg=9")
    assert "not in the file, as asked for" in opened.text("#segment")
    assert "of the first 5 of 20 segments only" in opened.page.content()


def test_ratings_of_the_demo_are_shown(visit, folder):
    (folder / "ratings.tsv").write_text(text_of(RATINGS), encoding="utf-8")
    references = tri.References.from_streams([lines(name) for name in REFERENCES])
    systems = {name: lines(name) for name in SYSTEMS}
    tri.report(systems, references, path=folder / "demo.html", human=folder / "ratings.tsv", trials=50, resamples=50)
    opened = visit(folder / "demo.html", "#/segments?seg=1")
    panel = opened.text("#segment")
    assert "Human" in panel and "Reference 2" in panel


def test_error_spans_are_marked(visit, folder):
    refs = ["the cat sat", "a dog", "it is old"]
    outputs = {"A": ["the \U0001f600 cut sat", "a dog", "it is old"], "B": ["cat", "a dog", "is old"]}
    table = folder / "mqm.tsv"
    table.write_text(
        "system\tseg\trater\tcategory\tseverity\ttarget\n"
        "A\t1\tr1\tAccuracy/Mistranslation\tMajor\tthe \U0001f600 <v>cut</v> sat\n"
        + "".join(f"{s}\t{k}\tr1\tNo-error\tNo-error\tx\n" for s in "AB" for k in (1, 2, 3) if (s, k) != ("A", 1)),
        encoding="utf-8",
    )
    tri.report(outputs, refs, "chrf", path=folder / "mqm.html", human=table, human_form="mqm", resamples=20)
    opened = visit(folder / "mqm.html", "#/segments?seg=1")
    assert opened.text("#segment .err") == "cut"
    assert "Accuracy/Mistranslation" in opened.text("#segment .errors")


def test_pages_of_other_results_need_no_script(browser, folder):
    human, outputs = {"A": [90, 70], "B": [80, 40]}, {"A": ["a cat sat", "he left"], "B": ["a cat", "left he"]}
    result = tri.correlate(outputs, ["a cat sat", "he left"], human=human, metrics=["chrf"], intervals=False)
    path = result.report(folder / "correlation.html")
    context = browser.new_context()
    page = context.new_page()
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(Path(path).as_uri())
    assert page.locator("svg").count() == 2 and page.locator("table").count() >= 1
    page.locator("#theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()
    assert wrong == []


# Real data ---------------------------------------------------------------------------------------------------------

SETS = {
    "mqm-ted-ende": {"human": "ratings.tsv.gz", "human_form": "mqm"},
    "mqm-bio-en2de": {"human": "mqm_seg_by_annotator.tsv", "human_column": "mqm", "human_lower_is_better": True},
    "mqm-wmt23-sxs-ende": {"human": "mqm_seg_by_rater.tsv", "human_lower_is_better": True},
}


@pytest.mark.parametrize("name", SETS)
def test_rated_sets(visit, folder, shared, name):
    there = shared / "data" / "human" / name
    how = {"source": there / "source.txt", "docs": there / "docs.txt", "ignore_unknown": True, "trials": 2000}
    systems, refs = (sorted((there / kind).iterdir()) for kind in ("systems", "references"))
    options = {**SETS[name], "human": there / SETS[name]["human"]}
    made = tri.report(systems, refs[:1], ["bleu", "chrf", "ter"], path=folder / f"{name}.html", **how, **options)
    compared = tri.compare(systems, refs[:1], ["bleu", "chrf", "ter"], trials=2000)
    assert made.sentences[:3] == sentences(compared)[:3]
    opened = visit(made.path)
    assert opened.page.locator(".sentences li").all_inner_texts() == made.sentences
    for judgement, column in zip(compared.judgements, range(3), strict=True):
        best = judgement.systems[0]
        header = opened.page.get_by_role("rowheader", name=best.name, exact=True)
        cell = opened.page.locator("#scores tbody tr").filter(has=header).locator("td.number").nth(column)
        assert cell.inner_text() == f"{judgement.shown(best.score)}1"
    for view in VIEWS:
        opened.page.locator(f'nav [data-view="{view}"]').click()
        opened.settle()
    opened.goto("#/segments?seg=1")
    assert opened.page.locator("#segment article").count() == len(systems)


@pytest.mark.parametrize(
    ("name", "hyp", "refs"),
    [("mlqe-pe-en-de", "mt.txt", ["post_edit.txt"]), ("mlqe-multiref-et-en", "mt.txt", ["ref1.txt", "ref2.txt"])],
)
def test_rated_sets_of_one_system(visit, folder, shared, name, hyp, refs):
    there = shared / "data" / "human" / name
    human = {"nmt": [i % 5 for i in range(1000)]}
    references = [there / ref for ref in refs]
    made = tri.report({"nmt": there / hyp}, references, path=folder / f"{name}.html", human=human, resamples=100)
    opened = visit(made.path, "#/segments?seg=7")
    expected = tri.metric("bleu").segment(made.evaluation.outputs[0][6], made.evaluation.references.entries[6])
    assert f"BLEU {100 * expected.value:.1f}" in opened.text("#segment")


def test_scores_without_texts(visit, folder, shared):
    path = shared / "data" / "human" / "mqm-score-tables" / "mqm_newstest2021_ende.avg_seg_scores.tsv.gz"
    found = tri.compare_scores(path, missing="drop", trials=500, resamples=100)
    made = found.report(folder / "tables.html")
    opened = visit(made.path, "#/pairs")
    assert opened.page.locator(".matrix tbody tr").count() == len(found.names)
