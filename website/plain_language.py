"""Check that pages use plain words, and those of the field: `make lint` runs this, and prints what to write instead.

    python website/plain_language.py [PAGE ...]

Only prose counts: code, commands and the text of links' targets may have any word.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: What is hard to read or says nothing, and what to write.
BETTER = {
    r"what people say|people's judg\w+": "human ratings",
    r"texts? to be judged": "hypothesis, system output",
    r"lists? that do so": "name the lists",
    r"what random draws begin with": "random seed",
    r"a metric says in brackets": "parameters in parentheses",
    r"how far (it|they) can be trusted": "confidence interval",
    r"words? that says? nothing": "epsilon",
    r"turned round": "higher is better, lower is better",
    r"cannot be meant": "invalid, not supported",
    r"left out aloud": "dropped with a note",
    r"(no|not a) sound \w+ file": "corrupt file",
    r"squares are not numbers": "values overflow when squared",
    r"utili[sz](e|es|ed|ing)": "use",
    r"leverag(es|ed|ing)": "use",
    r"in order to": "to",
    r"due to the fact that": "because",
    r"at this point in time": "now",
    r"a large number of": "many",
    r"it should be noted that|please note that|keep in mind that": "say it",
    r"state[- ]of[- ]the[- ]art|cutting[- ]edge|world[- ]class|blazing(ly)?|seamless(ly)?|effortless(ly)?": "a number",
    r"obviously|of course|trivially": "leave it out",
    r"e\.g\.|i\.e\.|viz\.": "such as, that is",
}
HARD = [
    (re.compile(rf"\b(?:{pattern})\b" if pattern[-1] != "." else rf"\b(?:{pattern})", re.IGNORECASE), better)
    for pattern, better in BETTER.items()
]


#: A link whose text is the name of a file.
FILE_NAME = re.compile(r"\[[^]\s]+\.md\]")


def prose(text: str) -> str:
    """A page with as many lines, without its code and the targets of its links."""
    text = re.sub(r"^(```+).*?^\1", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "", text)
    return re.sub(r"\]\([^)\n]*\)", "]", text)


def problems(path: Path) -> list[str]:
    """The lines of a page that are hard to read."""
    found = []
    for number, line in enumerate(prose(path.read_text(encoding="utf-8")).split("\n"), 1):
        for pattern, better in HARD:
            if one := pattern.search(line):
                found.append(f"{path}:{number}: '{one[0]}' is hard to read; write: {better}")
        if one := FILE_NAME.search(line):
            found.append(f"{path}:{number}: '{one[0]}' is a file name; write what the page is about")
    return found


def main(*names: str) -> int:
    """Check the pages named, or all."""
    pages = [Path(name) for name in names] or [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    found = [one for page in pages for one in problems(page)]
    print("\n".join(found), end="\n" * bool(found), file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
