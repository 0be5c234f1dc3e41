# %% [markdown]
# # Does a metric agree with annotators?
#
# Two annotators rated every output from 0 to 100. A table with the columns system, segment, rater and score is all that is needed.

# %%
import io

import pandas as pd

import tricolore as tri
from tricolore.examples import RATINGS, REFERENCES, SYSTEMS, lines, text_of

systems = {name: lines(name) for name in SYSTEMS}
references = tri.References.from_streams([lines(name) for name in REFERENCES])
ratings = pd.read_csv(io.StringIO(text_of(RATINGS)), sep="\t")
ratings.groupby("system")["score"].mean().sort_values(ascending=False).round(1)

# %%
found = tri.correlate(systems, references, human=ratings, metrics=["bleu", "chrf", "ter", "rouge-l"])
found

# %% [markdown]
# Every cell has a 95 % confidence interval. With four systems, system-level agreement says little; at segment level the intervals overlap.

# %%
one = found["chrf", "segment kendall-b by segment"]
print(f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]")

# %% [markdown]
# ## Is the difference between two metrics real?

# %%
tested = tri.correlate(
    systems,
    references,
    human=ratings,
    metrics=["bleu", "chrf", "rouge-l"],
    statistics=["segment accuracy-ties by segment"],
    intervals=False,
    test="permutation",
)
tested

# %% [markdown]
# ## Do the annotators agree with each other?

# %%
wide = ratings.pivot(index=["system", "segment"], columns="rater", values="score")
print(f"Pearson {wide['anna'].corr(wide['ben']):.3f}, mean difference {(wide['anna'] - wide['ben']).mean():+.1f}")

# %% [markdown]
# They agree better with each other than any metric agrees with them, and *ben* is the stricter one. Ratings of different annotators should
# therefore cover the same outputs, or be standardised (`human_form="da-z"`).
