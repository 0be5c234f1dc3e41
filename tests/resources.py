"""Small files that some metrics read: a WordNet of a few words, a table of paraphrases, function words."""

LICENCE = "  1 This is a tiny WordNet, made for tests.  \n"

#: By part of speech: words with their synsets, and exceptions with their base forms.
WORDS = {
    "noun": {"car": [1, 2], "automobile": [1], "child": [3], "kid": [3, 4], "box": [5], "boxful": [6], "man": [7]},
    "verb": {"buy": [1], "purchase": [1], "go": [2], "travel": [2]},
    "adj": {"big": [1], "large": [1], "good": [2]},
    "adv": {"well": [1]},
}
EXCEPTIONS = {"noun": {"children": ["child"]}, "verb": {"went": ["go"]}, "adj": {"better": ["good"]}, "adv": {}}


def write_wordnet(folder):
    """Write a WordNet folder and return its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, words in WORDS.items():
        lines = [
            f"{word} {part[0]} {len(synsets)} 2 @ ~ {len(synsets)} 0 {' '.join(f'{one:08}' for one in synsets)}  \n"
            for word, synsets in sorted(words.items())
        ]
        (folder / f"index.{part}").write_text(LICENCE + "".join(lines), encoding="utf-8")
        exceptions = "".join(f"{word} {' '.join(forms)}\n" for word, forms in EXCEPTIONS[part].items())
        (folder / f"{part}.exc").write_text(exceptions, encoding="utf-8")
    return str(folder)


def write_paraphrases(file, lines=("short one\ta brief thing\t0.5", "again\tonce more")):
    """Write a table of paraphrases and return its name."""
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(file)


def write_function_words(file, words=("the", "on", "a")):
    """Write a list of function words and return its name."""
    file.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return str(file)
