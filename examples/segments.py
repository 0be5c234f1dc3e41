# %% [markdown]
# # Look at segments with pandas
#
# A corpus score hides which sentences it comes from. Segment scores are a data frame away.

# %%
import pandas as pd

import tricolore as tri
from tricolore.examples import REFERENCES, SYSTEMS, lines

systems = {name: lines(name) for name in SYSTEMS}
references = tri.References.from_streams([lines(name) for name in REFERENCES])
scores = tri.score(systems, references, ["chrf", "ter"], segments=True)
segments = scores.segments.to_pandas()
segments.head(3)[["system", "segment", "metric", "score"]].round(2)

# %% [markdown]
# ## One column per system

# %%
chrf = segments[segments["metric"] == "chrf"].pivot(index="segment", columns="system", values="score")
chrf.describe().round(1)

# %% [markdown]
# ## Where is *literal* better than *fluent*, and why?

# %%
difference = (chrf["literal"] - chrf["fluent"]).sort_values(ascending=False)
for segment in difference.index[:2]:
    print(f"segment {segment}: {difference[segment]:+.1f} chrF")
    print(tri.align(systems["fluent"][segment - 1], lines(REFERENCES[0])[segment - 1]))
    print()

# %% [markdown]
# *fluent* says the same in other words. That costs chrF, and no annotator would mind.
#
# ## By length

# %%
words = pd.Series([len(text.split()) for text in lines(REFERENCES[0])], index=chrf.index)
chrf.groupby(pd.cut(words, [0, 11, 12, 20]), observed=True).mean().round(1)

# %% [markdown]
# Means of segment scores are not the corpus score. For that, score the groups:

# %%
groups = ["short" if count <= 11 else "long" for count in words]
tri.score_by(systems["fluent"], references, ["chrf"], by={"length": groups})

# %% [markdown]
# ## Statistics that add
#
# A metric counts a segment into a row of numbers, and scores any sum of rows. So the score without one segment needs no counting:

# %%
metric = tri.BLEU()
rows = metric.stats(systems["fluent"], references)
score = metric.result(rows.sum()).points
without = [metric.result(rows[:i].sum() + rows[i + 1 :].sum()).points for i in range(len(rows))]
influence = pd.Series([score - one for one in without], index=chrf.index, name="BLEU by this segment")
influence.sort_values().round(2).head(3)
