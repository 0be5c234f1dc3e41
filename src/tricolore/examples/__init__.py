"""A small corpus that ships with the package: systems, n-best list, lattices, references and ratings, all made up."""

from importlib.resources import files

SYSTEMS = ("careful", "fluent", "literal", "hasty")
REFERENCES = ("reference-a", "reference-b")
RATINGS = "ratings.tsv"  #: ratings by two annotators, from 0 to 100
MQM = "mqm.tsv"  #: errors that the same annotators marked, with category and severity
NBEST = "nbest"  #: six candidates for each sentence
WEIGHTS = "weights"  #: weights for the features of the n-best list
LATTICES = "lattices.plf"  #: a lattice for each sentence; the first reference is in it
SET = "set.toml"  #: where references, systems and ratings are, for `tricolore search`


def lines(name: str) -> list[str]:
    """Return the lines of one of the texts.

    >>> len(lines("careful")) == len(lines("reference-b"))
    True
    """
    return text_of(f"{name}.txt").removesuffix("\n").split("\n")


def text_of(file: str) -> str:
    """Return one of the files as it is."""
    return files(__name__).joinpath(file).read_text(encoding="utf-8")


def write_example(folder: str) -> None:
    """Write all files of the example to a new folder."""
    import os

    from ..errors import InputError
    from ..writers import writing

    try:
        os.makedirs(folder)
    except FileExistsError:
        raise InputError(f"{folder}: exists already; name a new folder") from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be created ({error.strerror})") from None
    for name in (*(f"{text}.txt" for text in (*REFERENCES, *SYSTEMS, NBEST, WEIGHTS)), RATINGS, MQM, LATTICES, SET):
        with writing(os.path.join(folder, name)) as file:
            file.write(text_of(name))
