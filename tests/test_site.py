"""The documentation site, built and opened in a real browser: equations, search, colours, narrow screens, no network.

Pages are asked for as a reader's browser asks for them, from a server on this computer; any other address is refused.
"""

import importlib.util
import shutil
import sys
import threading
import urllib.parse
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NEEDED = ("zensical", "mkdocstrings", "markdown_exec")

if not (ROOT / "mkdocs.yml").exists():
    pytest.skip("the documentation is not part of this tree", allow_module_level=True)
for package in NEEDED:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed (make .venv/documenting)", allow_module_level=True)
if not (ROOT / "docs" / "assets" / "katex").is_dir():
    pytest.skip("KaTeX has not been fetched (make .venv/documenting)", allow_module_level=True)

sys.path.insert(0, str(ROOT / "website"))
import build_site  # noqa: E402
from check_site import problems  # noqa: E402

from tricolore import public_names  # noqa: E402
from tricolore.cli.parser import COMMANDS  # noqa: E402
from tricolore.metrics import NAMES  # noqa: E402

pytestmark = pytest.mark.site


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    """The site, built as `make docs` builds it."""
    folder = ROOT / "build" / "site-of-tests"  # the generator wants it within the project
    assert build_site.build(folder) == []
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def address(site):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium; install the system's package 'chromium'")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@pytest.fixture
def opened(browser, address):
    """Open a page of a width; afterwards nothing may have gone wrong, and nothing left this computer."""
    pages, wrong = [], []

    def open_page(name, width=1280, scheme="light", base=address):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        page.on("console", lambda one: wrong.append(one.text) if one.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda one: None if one.url.startswith((base, "data:", "blob:")) else wrong.append(one.url))
        page.goto(f"{base}/{name}")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert wrong == []


def names(folder, site):
    return {path.stem for path in (site / folder).glob("*.html")} - {"index"}


def test_every_command_metric_and_public_name_has_its_place(site):
    assert names("reference/commands", site) == set(COMMANDS)
    assert names("reference/metrics", site) == set(NAMES)
    python = "".join(path.read_text(encoding="utf-8") for path in (site / "reference" / "python").glob("*.html"))
    for name, module in public_names().items():
        assert f'id="tricolore.{module}.{name}"' in python, name


def test_every_metric_page_answers_the_same_questions(site):
    parts = ["equation", "parameters", "columns", "edge-cases", "where-others-disagree", "speed", "citation"]
    for name in NAMES:
        text = (site / "reference" / "metrics" / f"{name}.html").read_text(encoding="utf-8")
        assert [part for part in parts if f'id="{part}"' not in text] == []


def test_equations_are_set(opened):
    for name in NAMES:
        page = opened(f"reference/metrics/{name}.html")
        assert page.locator(".arithmatex").count() == page.locator(".arithmatex .katex-display").count() == 1
        assert page.locator(".katex-error").count() == 0
        page.close()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("sentence BLEU", "bleu"),
        ("p-value", "significance"),
        ("WER", "wer"),
        ("flores", "sets"),
        ("smooth:exp", "bleu"),
    ],
)
def test_search_finds(opened, words, wanted):
    page = opened("index.html")
    find(page, words)
    found = page.locator("a[href*='?h=']").evaluate_all("links => links.map(one => one.href)")
    assert any(f"/{wanted}.html" in one for one in found[:8]), found


def find(page, words):
    page.get_by_role("button", name="Search").first.click()
    page.locator("input[placeholder]:visible").first.fill(words)
    last = urllib.parse.quote_plus(words.split()[-1])
    page.locator(f"a[href*='{last}'][href*='?h=']").first.wait_for(timeout=20_000)


def test_search_works_in_pages_opened_as_files(opened, site):
    page = opened("index.html", base=site.as_uri())
    find(page, "chrF")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(opened, site, width):
    page = opened("index.html", width)
    base = page.url.removesuffix("/index.html")
    wide = []
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":
            page.goto(f"{base}/{path.relative_to(site).as_posix()}")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(path.name)
    assert wide == []


def test_dark_and_light(opened):
    def background(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = opened("index.html"), opened("index.html", scheme="dark")
    assert background(light) != background(dark)
    for _ in range(2):  # from the system's to light to dark
        light.locator("label[for^='__palette']:visible").first.click()
        light.wait_for_timeout(300)
    assert background(light) == background(dark)


def test_code_can_be_copied(opened):
    page = opened("index.html")
    assert page.locator(".md-code__button, .md-clipboard").count() >= 3


def test_broken_links_and_anchors_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<h1 id="here">A</h1><a href="b.html">b</a><a href="a.html#there">a</a>')
    (tmp_path / "c.html").write_text('<a href="a.html#here">a</a><script src="https://example.org/x.js"></script>')
    assert problems(tmp_path) == [
        "a.html: b.html leads nowhere",
        "a.html: a.html#there names no place of that page",
        "c.html: loads https://example.org/x.js",
    ]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("A page.", ""),
        ("[nothing](nothing.md)", "page does not exist"),
        ("[nothing](#nothing)", "anchor does not exist"),
        ('```python exec="true"\n1 / 0\n```', "ZeroDivisionError"),
    ],
)
def test_a_warning_of_the_generator_is_an_error(tmp_path, page, said):
    (tmp_path / "docs").mkdir()
    extensions = "markdown_extensions:\n  - pymdownx.superfences\n"
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"site_name: x\nplugins:\n  - markdown-exec\n{extensions}", encoding="utf-8")
    (tmp_path / "docs" / "index.md").write_text(f"# X\n\n{page}\n", encoding="utf-8")
    found = build_site.generate(config)
    assert said in found
    assert bool(found) == bool(said), found
