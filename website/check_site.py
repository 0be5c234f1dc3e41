"""Check the built site: every link and anchor leads somewhere within it, and no page loads anything from elsewhere.

python website/check_site.py [FOLDER]
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
#: Elements that a browser loads by itself; other links are followed by readers only.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
#: Links of these kinds say something, and load nothing.
SAID = {"canonical", "prev", "next", "alternate"}


#: The folder of reports, which have links to places that their own scripts make.
REPORTS = "reports"


class Links(HTMLParser):
    """The links, the anchors and what is loaded of one page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what an element names and links to."""
        found = dict(attrs)
        self.anchors |= {name for key in ("id", "name") if (name := found.get(key))}
        if tag == "a" and (target := found.get("href")):
            self.links.append(target)
        if tag in LOADED and (target := found.get(LOADED[tag])) and found.get("rel") not in SAID:
            self.loaded.append(target)


def problems(folder: Path) -> list[str]:
    """What is wrong with the links of a site, page by page."""
    paths = (path for path in sorted(folder.rglob("*.html")) if path.parent != folder / REPORTS)
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in paths}
    found = [] if pages else [f"{folder}: there is no page; run 'make docs'"]
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin where the site is published
            continue
        for target in [*page.links, *page.loaded]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loaded and parts.scheme != "data":
                    found.append(f"{path.relative_to(folder)}: loads {target}")
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if there.is_dir():
                there /= "index.html"
            if not there.is_file():
                found.append(f"{path.relative_to(folder)}: {target} leads nowhere")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
                found.append(f"{path.relative_to(folder)}: {target} names no place of that page")
    return found


def main(folder: str = str(ROOT / "build" / "site")) -> int:
    """Print the problems."""
    found = problems(Path(folder).resolve())
    for one in found:
        print(one, file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
