# %% [markdown]
# # Score systems, and compare them
#
# Four made-up systems translated the same twelve sentences, which have two references. Put your own texts in their place: lists of strings,
# columns of a data frame, or files (`pathlib.Path("output.txt")`).

# %%
import tricolore as tri
from tricolore.examples import REFERENCES, SYSTEMS, lines

systems = {name: lines(name) for name in SYSTEMS}
references = tri.References.from_streams([lines(name) for name in REFERENCES])
scores = tri.score(systems, references, ["bleu", "chrf", "ter"])
scores

# %% [markdown]
# A score is a number on the metric's own scale; `points` is what papers print, and `signature` says how it was computed.

# %%
bleu = scores["fluent", "bleu"]
print(bleu)
print(bleu.points, bleu > 0.5)
print(bleu.signature)

# %% [markdown]
# ## How certain are they?

# %%
tri.confidence("chrf", systems["fluent"], references)

# %% [markdown]
# ## Which differences are real?
#
# All pairs are tested on the same segments. *p (Holm)* is corrected for the number of pairs; a star marks what is below 0.05.

# %%
found = tri.compare(systems, references, ["bleu", "chrf"])
found

# %%
pairs = found.to_pandas()
pairs[pairs["p_holm"] >= 0.05][["metric", "first", "second", "difference", "p", "p_holm"]].round(4)

# %% [markdown]
# ## Where do the two best differ?

# %%
print(found.examples(2, metric="chrf"))

# %% [markdown]
# ## A table for the paper

# %%
from tricolore.results import emit

emit(scores, "latex")
