# %% [markdown]
# # A metric as a reward
#
# A log-linear model chooses among six candidates of each sentence, and learns by policy gradients what chrF likes. A neural model
# differs in one line, the gradient; rewards and advantages are the same.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tricolore as tri
from tricolore.adapters.reward_groups import advantages
from tricolore.adapters.rewards import Reward
from tricolore.examples import NBEST, REFERENCES, lines

references = [list(refs) for refs in zip(*(lines(name) for name in REFERENCES), strict=True)]
texts, features = [[] for _ in references], [[] for _ in references]
for line in lines(NBEST):
    source, text, values, _ = line.split(" ||| ")
    texts[int(source)].append(text)
    features[int(source)].append([float(value) for value in values.split()[1::2]])
features = np.array(features)
features = (features - features.mean(axis=(0, 1))) / features.std(axis=(0, 1))
reward = Reward("chrf", reference="answer")
features.shape

# %% [markdown]
# ## Train

# %%
size = 8  # completions of each sentence


def train(steps, seed):
    """The weights, and the mean reward of every step."""
    random, theta, means = np.random.default_rng(seed), np.zeros(features.shape[-1]), []
    for _ in range(steps):
        p = np.exp(features @ theta)
        p /= p.sum(axis=1, keepdims=True)
        picks = np.array([random.choice(6, size=size, p=row) for row in p])
        completions = [texts[i][k] for i, row in enumerate(picks) for k in row]
        answers = [refs for refs in references for _ in range(size)]
        rewards = reward(completions=completions, answer=answers)
        means.append(float(np.mean(rewards)))
        weight = advantages(rewards, num_generations=size).reshape(picks.shape)
        chosen = np.take_along_axis(features, picks[..., None], axis=1)
        expected = np.einsum("ik,ikf->if", p, features)[:, None]
        theta = theta + 0.3 * (weight[..., None] * (chosen - expected)).mean(axis=(0, 1))
    return theta, means


runs = [train(60, seed) for seed in range(3)]
print("mean reward of the first and last ten steps:")
for _, means in runs:
    print(f"{np.mean(means[:10]):.3f}  {np.mean(means[-10:]):.3f}")

# %%
figure, axes = plt.subplots(figsize=(5, 2.6), dpi=80)
for seed, (_, means) in enumerate(runs):
    axes.plot(means, label=f"seed {seed}")
axes.set(xlabel="step", ylabel="mean reward (chrF)")
axes.legend()
figure.tight_layout()

# %% [markdown]
# ## Is it gamed?
#
# Look at metrics that were not the reward, and at the length.

# %%
theta = runs[0][0]
learnt = [group[k] for group, k in zip(texts, (features @ theta).argmax(axis=1), strict=True)]
random = [group[k] for group, k in zip(texts, np.random.default_rng(0).integers(6, size=12), strict=True)]
tri.score({"untrained": random, "trained": learnt}, references, ["chrf", "bleu", "ter", "length"])
