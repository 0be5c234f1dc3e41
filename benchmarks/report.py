"""Reports of many systems: writing beside the scoring, the size of the file, how soon a browser shows it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import table
from measure import timed
from table import Options, Row
from texts import english_like

import tricolore as tri

SYSTEMS, SEGMENTS = 15, 2_000
METRICS = ("bleu", "chrf", "ter", "rouge-l", "lebleu", "gleu")

#: What is done in the page, to the table of segments: the least milliseconds of several times, until it is drawn.
ACTIONS = """async () => {
  const taken = {};
  const frame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume, 0)));
  const time = async (name, act) => {
    await frame();
    const start = performance.now();
    act();
    await frame();  // it is on the screen then
    taken[name] = Math.min(taken[name] || Infinity, performance.now() - start);
  };
  for (let i = 0; i < 6; i++) await time("sorting", () => document.querySelector('[data-sort="gain"]').click());
  for (const text of ["a", "th", "the", "that"]) {
    await time("searching", () => {
      const search = document.getElementById("search");
      search.value = text;
      search.dispatchEvent(new Event("input"));
    });
  }
  return taken;
}"""


def measure(options: Options) -> Iterator[Row]:
    """Write a report of 15 systems x 2,000 segments x 6 metrics, and open it."""
    question = f"report of {SYSTEMS} systems × {SEGMENTS:,} segments × {len(METRICS)} metrics"
    corpus = english_like(SEGMENTS, references=SYSTEMS)  # references but the first stand for systems
    refs, *others = corpus.streams
    systems = {f"system {k}": output for k, output in enumerate([corpus.hyps, *others], 1)}
    metrics = tri.expand(*METRICS)
    scoring, _ = timed(lambda: [one.stats(output, refs) for one in metrics for output in systems.values()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        whole, _ = timed(lambda: tri.report(systems, refs, metrics, path=path))
        yield Row(f"{question}, beside scoring", max(0.0, whole - scoring), None, "s", 10, 5, limit=True)
        yield Row("the size of the file", path.stat().st_size / 1e6, None, "MB", 8, 4, limit=True)
        yield from opened(path)


def opened(path: Path) -> Iterator[Row]:
    """Open the report in the system's Chromium, sort and search; wall-clock time."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise RuntimeError("there is no Chromium to open reports in")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        times = []
        for _ in range(3):
            page.goto("about:blank")
            start = perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            times.append(perf_counter() - start)
        yield Row("open it in Chromium, until complete", min(times), None, "s", 1, 0.5, limit=True, repeats=3)
        page.locator('nav [data-view="segments"]').click()
        page.wait_for_selector(".grid-row")
        for what, milliseconds in page.evaluate(ACTIONS).items():
            yield Row(f"{what} its segments, until drawn", milliseconds / 1000, None, "s", 0.1, 0.05, limit=True)
        browser.close()


if __name__ == "__main__":
    table.main(measure, __doc__)
