"""Write docs/cli.md and docs/metrics.md from the code; with --check, only say whether they are up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from tricolore.cli.metrics import explanation, overview
from tricolore.cli.parser import COMMANDS, Formatter, make_parser
from tricolore.metrics import NAMES

HERE = Path(__file__).parent


def command_page() -> str:
    """The help of every command."""
    Formatter.columns = 100
    parser = make_parser()
    subparsers = next(action for action in parser._actions if action.dest == "command").choices
    parts = [
        "# The command line",
        "",
        "Made by `make docs` from the code.",
        "",
        "```",
        parser.format_help().rstrip(),
        "```",
    ]
    for name in COMMANDS:
        parts += ["", f"## tricolore {name}", "", "```", subparsers[name].format_help().rstrip(), "```"]
    return "\n".join(parts) + "\n"


def metric_page() -> str:
    """Every metric as `tricolore metrics NAME` explains it."""
    parts = ["# The metrics", "", "Made by `make docs` from the code.", "", "```", overview(), "```"]
    for name in NAMES:
        parts += ["", f"## {name}", "", "```", explanation(name), "```"]
    return "\n".join(parts) + "\n"


PAGES = {"cli.md": command_page, "metrics.md": metric_page}


def main() -> int:
    """Write or check the pages."""
    stale = []
    for name, make in PAGES.items():
        path = HERE / name
        text = make()
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print(f"docs: {', '.join(stale)} no longer say what the code does; run 'make docs'", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
