# %% [markdown]
# # Choose among candidates
#
# Six candidates for each of twelve sentences, with features, as a decoder writes them. Four ways to choose one: the order of the list, weights,
# minimum Bayes risk, and the oracle, which knows the references.

# %%
from pathlib import Path

import tricolore as tri
from tricolore.examples import REFERENCES, lines, write_example

if not Path("texts").exists():
    write_example("texts")
nbest = Path("texts") / "nbest.txt"
references = tri.References.from_streams([lines(name) for name in REFERENCES])
print(*nbest.read_text(encoding="utf-8").splitlines()[:3], sep="\n")

# %%
tuned = tri.tune(nbest, references, "mert", "bleu", start={"LM0": 1, "TM0": 1, "WordPenalty0": 1}, restarts=20)
reranked = tri.rerank(nbest, tuned.weights)
risk = tri.mbr(nbest=nbest, metric="chrf", scale=0.1)
oracle = tri.oracle(nbest, references, "bleu", corpus=True)
first = [line.split(" ||| ")[1] for line in nbest.read_text(encoding="utf-8").splitlines()][::6]
chosen = {"first": first, "weights": reranked.texts, "minimum risk": risk.texts, "oracle": oracle.texts}
tri.score(chosen, references, ["bleu", "chrf", "ter"])

# %% [markdown]
# Weights were tuned on these very sentences, so that their score is optimistic. `folds=3` chooses for each third by weights tuned on the others:

# %%
start = {"LM0": 1, "TM0": 1, "WordPenalty0": 1}
tri.tune(nbest, references, "mira", "bleu", start=start, folds=3, repeats=3)

# %% [markdown]
# ## Samples of a model
#
# A lattice can be sampled like a neural model. The choice is the sample that agrees best with all the others.

# %%
lattices = list(tri.read_graphs("texts/lattices.plf"))
lattices[7]

# %%
samples = [[one.text for one in lattice.sample(64, seed=i)] for i, lattice in enumerate(lattices)]
risk = tri.mbr(samples=samples, metric="chrf")
best = [lattice.best().text for lattice in lattices]
tri.compare({"best path": best, "minimum risk": risk.texts}, references, ["chrf"])
