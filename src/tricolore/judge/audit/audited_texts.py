"""The texts of an audit: outputs of systems, references, sources; and their rows by every metric."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from ...segments import References
from ...tokenizers import are_spaced
from ...types import Progress
from ..score_table import Floats
from .audited_metrics import AuditedMetric, Counter, texts_of_entry

#: Words of text without spaces between them: runs of ASCII, or single characters, and the space that follows.
UNSPACED = re.compile(r"(?:[!-~]+|\S)\s*")


@dataclass(frozen=True, eq=False)
class AuditedTexts:
    """Systems, references, and what every metric counts of them."""

    systems: Mapping[str, Sequence[str]]
    references: References
    counter: Counter
    rows: Sequence[Floats]  #: of every metric: systems x segments x statistics

    @classmethod
    def counted(
        cls, systems: Mapping[str, Sequence[str]], references: References, counter: Counter, progress: Progress | None
    ) -> AuditedTexts:
        """Count the outputs of all systems."""
        found: list[list[Floats]] = []
        for number, output in enumerate(systems.values(), 1):
            found.append(counter.rows(output, range(len(references))))
            if progress is not None:
                progress(number, len(systems))
        return cls(systems, references, counter, [np.stack(of_metric) for of_metric in zip(*found, strict=True)])

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [*self.systems]

    @property
    def metrics(self) -> Sequence[AuditedMetric]:
        """The metrics, in the order given."""
        return self.counter.metrics

    def __len__(self) -> int:
        return len(self.references)

    @cached_property
    def scores(self) -> list[Floats]:
        """Of every metric: the scores of the systems, higher is better."""
        return [one.score(rows.sum(axis=1)) for one, rows in zip(self.metrics, self.rows, strict=True)]

    @cached_property
    def alone(self) -> list[Floats]:
        """Of every metric: the scores of single segments (systems x segments), higher is better."""
        return [one.alone(rows) for one, rows in zip(self.metrics, self.rows, strict=True)]

    @property
    def sources(self) -> Sequence[str] | None:
        """The source texts, if they were given."""
        return self.counter.sources

    def damaged(self, name: str | None) -> int:
        """The number of the system whose outputs are damaged: by its name, or the best by the first metric."""
        return self.names.index(name) if name is not None else int(np.argmax(self.scores[0]))

    def sampled(self, most: int, seed: int) -> list[int]:
        """Segments drawn at random, in their order; all if there are not more than asked for."""
        return sorted(Random(seed).sample(range(len(self)), min(most, len(self))))

    def output(self, system: int) -> Sequence[str]:
        """The output of a system by its number."""
        return self.systems[self.names[system]]

    @cached_property
    def spaced(self) -> bool:
        """Whether words of the references are separated by spaces; other text is split into characters."""
        return are_spaced(text for entry in self.references.entries[:200] for text in texts_of_entry(entry))

    def words(self, text: str) -> list[str]:
        """The words of a text; where they are not separated by spaces, characters, and what is in ASCII as a whole.

        There, spaces belong to the word before them, so that nothing but the damage changes.
        """
        return text.split() if self.spaced else UNSPACED.findall(text.strip())

    def joined(self, words: Sequence[str]) -> str:
        """The text of words."""
        return " ".join(words) if self.spaced else "".join(words).strip()
