"""A small phrase-based decoder: beam search over a phrase table and a bigram model, nothing but the standard library.

python toy_decoder.py WEIGHTS NBEST [SIZE]
"""

import math
import sys
from collections import Counter
from itertools import pairwise

#: source phrase: target phrases with their probabilities, p(target | source) and p(source | target)
PHRASES = {
    "la": {"the": (0.7, 0.4), "it": (0.3, 0.2)},
    "el": {"the": (0.8, 0.4), "he": (0.2, 0.3)},
    "una": {"a": (0.6, 0.5), "one": (0.4, 0.6)},
    "un": {"a": (0.6, 0.5), "one": (0.4, 0.4)},
    "casa": {"house": (0.4, 0.9), "home": (0.6, 0.7)},
    "gata": {"cat": (0.9, 0.8), "she cat": (0.1, 0.9)},
    "perro": {"dog": (0.8, 0.9), "hound": (0.2, 0.9)},
    "coche": {"car": (0.5, 0.9), "coach": (0.5, 0.4)},
    "verde": {"green": (0.8, 0.9), "unripe": (0.2, 0.8)},
    "roja": {"red": (0.9, 0.5)},
    "rojo": {"red": (0.9, 0.5)},
    "negra": {"black": (0.9, 0.5), "dark": (0.1, 0.2)},
    "negro": {"black": (0.8, 0.5), "dark": (0.2, 0.2)},
    "grande": {"big": (0.4, 0.8), "large": (0.35, 0.9), "great": (0.25, 0.5)},
    "duerme": {"sleeps": (0.5, 0.9), "is sleeping": (0.5, 0.9)},
    "come": {"eats": (0.6, 0.8), "is eating": (0.4, 0.9)},
    "ve": {"sees": (0.6, 0.8), "is seeing": (0.1, 0.9), "watches": (0.3, 0.4)},
    "es": {"is": (0.9, 0.7), "it is": (0.1, 0.5)},
    "en": {"in": (0.6, 0.7), "on": (0.4, 0.5)},
    "en la": {"in the": (0.5, 0.7), "on the": (0.5, 0.5)},
    "casa grande": {"big house": (0.3, 0.8), "home big": (0.7, 0.1)},
}

MONOLINGUAL = """
the green house is big
the black dog sleeps in the house
a black cat eats in the house
the red car is big
the dog sees the cat
a big dog sleeps
the cat sees a red car
the big house is green
a green car
the black cat sleeps
"""

SOURCES = """
la casa verde es grande
el perro negro duerme en la casa
una gata negra come en la casa grande
el coche rojo es grande
el perro ve la gata negra
un perro grande duerme
la gata ve un coche rojo
la casa grande es verde
""".strip().split("\n")

REFERENCES = """
the green house is big
the black dog sleeps in the house
a black cat eats in the big house
the red car is big
the dog sees the black cat
a big dog sleeps
the cat sees a red car
the big house is green
""".strip().split("\n")

#: features and how many values they have
FEATURES = {"lm": 1, "tm": 2, "word": 1, "phrase": 1, "jump": 1}
#: weights that leave much to be desired
START = "lm= 0.1\ntm= 0.3 0.1\nword= 0.2\nphrase= -0.2\njump= 0.9\nunused= 0.5\n"

BEAM = 40
REACH = 2  # words that may be jumped over


def bigrams():
    """log p(word | word before), smoothed."""
    counts, befores = Counter(), Counter()
    for line in MONOLINGUAL.strip().split("\n"):
        words = ["<s>", *line.split(), "</s>"]
        counts.update(pairwise(words))
        befores.update(words[:-1])
    return lambda a, b: math.log((counts[a, b] + 0.05) / (befores[a] + 2.0))


def expansions(source, done, last):
    """Phrases that can be translated next: begin, end, target words and probabilities."""
    first = done.index(False)
    for begin in range(first, min(first + REACH + 1, len(source))):
        for end in range(begin + 1, min(begin + 3, len(source) + 1)):
            if any(done[begin:end]):
                break
            for target, scores in PHRASES.get(" ".join(source[begin:end]), {}).items():
                yield begin, end, target.split(), scores, abs(begin - last)


def decode(line, weights, size):
    """The best translations of a line, each with its features."""
    source, lm = line.split(), bigrams()
    stacks = [[] for _ in range(len(source) + 1)]
    stacks[0].append((0.0, (), (0.0,) * 6, (False,) * len(source), 0))

    def score(features):
        return sum(w * f for w, f in zip(weights, features, strict=True))

    for covered in range(len(source)):
        for _, words, features, done, last in best(stacks[covered], BEAM):
            for begin, end, target, (direct, inverse), jump in expansions(source, list(done), last):
                whole = [words[-1] if words else "<s>", *target]
                whole += ["</s>"] if covered + end - begin == len(source) else []
                added = (
                    sum(lm(a, b) for a, b in pairwise(whole)),
                    math.log(direct),
                    math.log(inverse),
                    -float(len(target)),
                    -1.0,
                    -float(jump),
                )
                now = tuple(a + b for a, b in zip(features, added, strict=True))
                marked = tuple(d or begin <= i < end for i, d in enumerate(done))
                stacks[sum(marked)].append((score(now), (*words, *target), now, marked, end))
    return best(stacks[-1], size)


def best(stack, size):
    """The best of a stack, in an order that is always the same."""
    return sorted(stack, key=lambda one: (-one[0], one[1], one[2]))[:size]


def read_weights(path):
    """The weights in the order of the features."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, *values = line.split()
            found[name.rstrip("=")] = [float(value) for value in values]
    return [value for name, width in FEATURES.items() for value in found[name][:width]]


def main(weights_path, nbest_path, size="10"):
    """Decode all sources."""
    weights = read_weights(weights_path)
    with open(nbest_path, "w", encoding="utf-8") as file:
        for i, line in enumerate(SOURCES):
            for total, words, features, _, _ in decode(line, weights, int(size)):
                lm, direct, inverse, word, phrase, jump = (f"{value:.6f}" for value in features)
                named = f"lm= {lm} tm= {direct} {inverse} word= {word} phrase= {phrase} jump= {jump}"
                file.write(f"{i} ||| {' '.join(words)} ||| {named} ||| {total:.6f}\n")
    print(f"decoded {len(SOURCES)} lines", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
