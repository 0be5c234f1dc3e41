"""Thot, a statistical decoder from PyPI (sil-thot): trained in a second on a few pairs, run as a command.

python thot_decoder.py MODEL WEIGHTS NBEST
"""

import sys
from collections import Counter
from pathlib import Path

try:
    import thot.alignment as ta
    import thot.translation as tt
except ImportError:  # there is nothing to decode with, but texts and names
    ta = tt = None

PAIRS = """
la casa es verde ||| the house is green
la casa roja es grande ||| the red house is big
el perro come ||| the dog eats
el perro negro duerme en la casa ||| the black dog sleeps in the house
la gata negra duerme ||| the black cat sleeps
una gata come en la casa verde ||| a cat eats in the green house
el hombre ve la casa ||| the man sees the house
el hombre ve un perro grande ||| the man sees a big dog
la mujer come ||| the woman eats
la mujer ve una gata roja ||| the woman sees a red cat
un hombre duerme en el coche ||| a man sleeps in the car
el coche rojo es grande ||| the red car is big
la mujer duerme en la casa grande ||| the woman sleeps in the big house
un coche verde ||| a green car
el hombre grande come en el coche ||| the big man eats in the car
una mujer ve el coche negro ||| a woman sees the black car
la casa negra ||| the black house
el perro verde come en la casa ||| the green dog eats in the house
una casa grande ||| a big house
la gata ve el perro ||| the cat sees the dog
un perro rojo ||| a red dog
la gata grande es negra ||| the big cat is black
"""

SOURCES = """
la casa negra es grande
el hombre duerme en el coche verde
una gata roja come
la mujer ve un perro negro
el perro grande duerme en la casa roja
un hombre ve la gata verde
""".strip().split("\n")

REFERENCES = """
the black house is big
the man sleeps in the green car
a red cat eats
the woman sees a black dog
the big dog sleeps in the red house
a man sees the green cat
""".strip().split("\n")

#: Word penalty, language model, lengths of target phrases, jumps, lengths of source phrases, phrases both ways, length.
FEATURES = ("wpw", "lmw", "tseglenw", "sjumpw", "sseglenw", "ptsw", "pstw", "swlenliw")
START = "wpw= 1\nlmw= 0.1\ntseglenw= -0.5\nsjumpw= 0.2\nsseglenw= 0.1\nptsw= 0.2\npstw= 0.2\nswlenliw= 0.1\n"


def train(folder):
    """Train a translation model and a bigram model; return the prefixes of their files."""
    pairs = [tuple(side.split() for side in line.split(" ||| ")) for line in PAIRS.strip().split("\n")]
    translation, language = str(Path(folder, "tm")), str(Path(folder, "lm"))
    align(f"{translation}_invswm", pairs)
    align(f"{translation}_swm", [(target, source) for source, target in pairs])
    extractor = tt.AlignmentExtractor()
    assert extractor.open(f"{translation}_swm.bestal")
    assert extractor.symmetrize1(f"{translation}_invswm.bestal", f"{translation}.A3.final", transpose=True)
    extractor.close()
    phrases, parameters = tt.PhraseModel(), tt.PhraseExtractParameters()
    parameters.max_target_phrase_length = 3
    assert phrases.build(f"{translation}.A3.final", parameters, pseudo_ml=False)
    assert phrases.print_phrase_table(f"{translation}.ttable", n=20)
    phrases.clear()
    models = {
        "lambda": "0.7 0.7",
        "srcsegmlentable": "Uniform",
        "trgcutstable": "0.999",
        "trgsegmlentable": "Geometric",
    }
    for name, text in models.items():
        Path(f"{translation}.{name}").write_text(text)
    count_ngrams(language, [target for _, target in pairs])


def align(prefix, pairs):
    """Train a word alignment, and write it as Thot reads it: where each word of the other side comes from."""
    model = ta.FastAlignModel()
    for source, target in pairs:
        model.add_sentence_pair(source, target)
    model.start_training()
    for _ in range(5):
        model.train()
    model.end_training()
    assert model.print(prefix)
    with open(f"{prefix}.bestal", "w") as file:
        for source, target in pairs:
            _, links = model.get_best_alignment(source, target)
            of_word = [[j + 1 for j in range(len(target)) if links[i, j]] for i in range(len(source))]
            of_none = sorted({*range(1, len(target) + 1)}.difference(*of_word))
            words = zip(["NULL", *source], [of_none, *of_word], strict=True)
            line = " ".join(f"{word} ({{ {' '.join(map(str, places))} }})" for word, places in words)
            file.write(f"# 1\n{' '.join(target)}\n{line}\n")


def count_ngrams(prefix, lines, order=2):
    """Count n-grams, as Thot's language model reads them; the first time that a word is seen, it is unknown."""
    counts, known, total = Counter(), set(), 0
    for line in lines:
        words = ["<s>", *(word if word in known else "<unk>" for word in line), "</s>"]
        known.update(line)
        total += len(words)
        for n in range(1, order + 1):
            counts.update(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    with open(prefix, "w") as file:
        for ngram, count in sorted(counts.items(), key=lambda item: (len(item[0]), item[0])):
            before = counts[ngram[:-1]] if len(ngram) > 1 else total
            file.write(f"{' '.join(ngram)} {before} {count}\n")
    Path(f"{prefix}.weights").write_text(f"{order} 3 10 {' '.join(['0.5'] * (3 * order))}\n")
    Path(f"{prefix}.wp").write_text("".join(f"{' '.join(line)}\n" for line in lines))


def main(folder, weights_path, nbest_path):
    """Decode all sources."""
    model = tt.SmtModel(ta.AlignmentModelType.FAST_ALIGN)
    assert model.load_translation_model(str(Path(folder, "tm")))
    assert model.load_language_model(str(Path(folder, "lm")))
    model.non_monotonicity, model.w, model.a, model.e, model.heuristic = 2, 0.4, 10, 2, 4
    given = dict(line.split("=") for line in Path(weights_path).read_text().splitlines())
    model.weights = [float(given[name]) for name in FEATURES]
    decoder = tt.SmtDecoder(model)
    decoder.s, decoder.is_breadth_first = 10, True
    with open(nbest_path, "w") as file:
        for i, source in enumerate(SOURCES):
            for found in decoder.translate_n(source, 8):
                named = " ".join(f"{n}= {v:.6f}" for n, v in zip(FEATURES, found.score_components, strict=True))
                file.write(f"{i} ||| {' '.join(found.target)} ||| {named} ||| {found.score:.6f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
