# %% [markdown]
# # What does a metric reward?
#
# An audit tries to fool a metric on your own texts. No ratings are needed.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

from IPython.display import SVG, display

import tricolore as tri
from tricolore.examples import REFERENCES, SYSTEMS, lines

systems = {name: lines(name) for name in SYSTEMS}
references = tri.References.from_streams([lines(name) for name in REFERENCES])


def overlap(hypotheses, references):
    """A metric of one's own: the share of words that are in any reference."""
    scores = []
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        known = set(" ".join(refs).split())
        words = hypothesis.split()
        scores.append(sum(word in known for word in words) / max(len(words), 1))
    return scores


found = tri.audit(systems, references, ["bleu", "ter", overlap])
for verdict in found.verdicts:
    if verdict.holds is False:
        print(f"{verdict.metric:8} {verdict.property:20} {verdict.sentence}")

# %% [markdown]
# A verdict that does not hold is not the end of a metric: it names something that you must not rely on. The home-made metric does not see what is missing.

# %%
with TemporaryDirectory() as folder:
    pictures = {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in found.plot(f"{folder}/audit")}
display(SVG(pictures["damage"]))

# %% [markdown]
# The darker a cell, the more words must be damaged until a paired test notices; black: it does not; a question mark: too few segments are damaged to tell.
#
# ## How is BLEU gamed?

# %%
found.to_pandas("sacrifices").query("metric == 'bleu'")[["system", "score", "raised", "gain", "share"]].round(2)

# %%
display(SVG(pictures["sacrifices-bleu"]))
