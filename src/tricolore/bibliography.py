"""The papers to cite, from `bibliography.toml`, and each as text and as BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from unicodedata import decomposition, lookup

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Types of BibTeX by that of an entry, and the field that says where it appeared.
TYPES = {"software": "misc"}
PLACES = {"inproceedings": "booktitle", "article": "journal"}
#: Accents as LaTeX writes them, by the names of Unicode's combining characters.
ACCENTS = {"ACUTE ACCENT": "'", "GRAVE ACCENT": "`", "CIRCUMFLEX ACCENT": "^", "DIAERESIS": '"', "TILDE": "~"}
ACCENTS |= {"CARON": "v ", "RING ABOVE": "r ", "CEDILLA": "c ", "OGONEK": "k "}
_BY_CODE = {f"{ord(lookup(f'COMBINING {name}')):04X}": written for name, written in ACCENTS.items()}


@dataclass(frozen=True)
class Entry:
    """A paper, a book or a program."""

    key: str
    type: str  #: inproceedings, article, book, misc or software
    title: str
    authors: tuple[str, ...]
    venue: str  #: in short, such as ACL
    year: int | None
    subjects: tuple[str, ...]  #: metrics and methods that it is cited for
    place: str = ""  #: the venue in full
    volume: int | None = None
    number: int | None = None
    pages: str = ""
    publisher: str = ""
    url: str = ""

    @property
    def text(self) -> str:
        """One line for people, in the form of the metrics' own citations."""
        names = [*self.authors]
        if names[-1] == "others":
            names[-2:] = [f"{names[-2]} et al."]
        who = ", ".join(names).replace("{", "").replace("}", "")
        year = f" ({self.year})" if self.year else ""
        where = f"{self.venue} {__version__}" if self.type == "software" else self.venue
        return f"{who}{year}: {self.title.rstrip('.')}. {where}." + (f" {self.url}" if self.url else "")

    @property
    def bibtex(self) -> str:
        r"""The entry of BibTeX, in ASCII, with braces around what must keep its capitals.

        >>> print(entries()["popovic-2017"].bibtex)
        @inproceedings{popovic-2017,
          author = {Maja Popovi{\'c}},
          title = {{chrF++}: words helping character n-grams},
          year = {2017},
          booktitle = {Proceedings of the Second Conference on Machine Translation},
          pages = {612--618},
          url = {https://aclanthology.org/W17-4770},
        }
        """
        fields: dict[str, Any] = {
            "author": latex(" and ".join(self._inverted(name) for name in self.authors)),
            "title": latex(keeping_capitals(self.title)),
            "year": self.year,
            PLACES.get(self.type, "howpublished"): latex(self.place) if self.type in PLACES else self._elsewhere,
            "volume": self.volume,
            "number": self.number,
            "pages": self.pages.replace("-", "--"),
            "publisher": latex(self.publisher),
            "note": f"Version {__version__}" if self.type == "software" else "",
            "url": self.url,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{TYPES.get(self.type, self.type)}{{{self.key},", *lines, "}"])

    @property
    def _elsewhere(self) -> str:
        return self.venue if self.type == "misc" else ""

    def _inverted(self, name: str) -> str:
        """A name for BibTeX; a group of people is one name."""
        return f"{{{name}}}" if name.startswith("The ") else name

    def to_dict(self) -> dict[str, Any]:
        """All that is known about it; what it does not have is None."""
        return {
            "key": self.key,
            "type": self.type,
            "authors": [*self.authors],
            "title": self.title,
            "year": self.year,
            "venue": self.venue,
            "place": self.place or None,
            "volume": self.volume,
            "number": self.number,
            "pages": self.pages or None,
            "publisher": self.publisher or None,
            "version": __version__ if self.type == "software" else None,
            "url": self.url or None,
            "text": self.text,
            "bibtex": self.bibtex,
        }


@cache
def entries() -> dict[str, Entry]:
    """All entries by key, in the order of the file."""
    import tomllib
    from importlib.resources import files

    found = tomllib.loads(files(__package__).joinpath("bibliography.toml").read_text(encoding="utf-8"))
    return {key: _entry(key, fields) for key, fields in found.items()}


def _entry(key: str, fields: dict[str, Any]) -> Entry:
    given = {name: fields[name] for name in ("volume", "number", "pages", "publisher", "url") if name in fields}
    return Entry(
        key,
        fields["type"],
        fields["title"],
        tuple(fields["author"]),
        fields["venue"],
        fields.get("year"),
        tuple(fields["for"]),
        fields.get("in", ""),
        **given,
    )


def latex(text: str) -> str:
    r"""Text in ASCII, as LaTeX writes it.

    >>> print(latex("Matouš Macháček, R&D"))
    Matou{\v s} Mach{\'a}{\v c}ek, R\&D
    """
    return "".join(_letter(one) for one in text)


def _letter(character: str) -> str:
    if character in "&%#_":
        return f"\\{character}"
    letter, _, accent = decomposition(character).partition(" ")
    return f"{{\\{_BY_CODE[accent]}{chr(int(letter, 16))}}}" if accent in _BY_CODE else character


def keeping_capitals(title: str) -> str:
    """A title with braces around words whose capitals BibTeX styles must not lower; the first letter needs none.

    >>> keeping_capitals("Re-evaluating the role of BLEU: Meteor 1.3 in WMT")
    'Re-evaluating the role of {BLEU}: {Meteor} 1.3 in {WMT}'
    """
    words = title.split(" ")
    return " ".join(
        re.sub(r"[^\s():?]*[A-Z][^\s():?]*", lambda found: f"{{{found[0]}}}", word)
        if re.search("[A-Z]", word[1:] if place == 0 else word)
        else word
        for place, word in enumerate(words)
    )
