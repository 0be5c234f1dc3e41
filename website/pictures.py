"""Take the pictures of docs/reference/report.md: every view of the report of the demo, in the system's Chromium.

python website/pictures.py
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tricolore.cli import run

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
VIEWS = {
    "overview": "#/overview",
    "pairs": "#/pairs?a=careful&b=hasty",
    "segments": "#/segments?a=careful&b=fluent&sort=gain",
    "segment": "#/segments?a=fluent&b=hasty&seg=3",
    "buckets": "#/buckets?m=chrf",
    "words": "#/words?a=careful&b=hasty",
    "metrics": "#/metrics",
}


def main() -> None:
    """Write a report, open it, and take a picture of each view, wide and narrow."""
    chromium = shutil.which("chromium") or sys.exit("there is no Chromium; install the system's package 'chromium'")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        run(["demo", "--report", str(path)])
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, width, height in [*((name, 1120, 760) for name in VIEWS), ("overview", 390, 760)]:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(path.as_uri() + VIEWS[name])
            page.wait_for_selector("html[data-ready]")
            page.wait_for_timeout(2000)
            page.screenshot(path=FOLDER / f"report-{name}{'-narrow' * (width < 500)}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
