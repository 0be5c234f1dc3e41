"""Columns of text on a terminal, tables without and with bold, and the line of progress."""

import io
import os
import random
from unittest.mock import patch

import pytest
from rich.cells import cell_len

from tricolore.cli.progress import ProgressBar, progress_line
from tricolore.rendering import print_text, text
from tricolore.results import Page, Table
from tricolore.terminal import BOLD, GREEN, Paint, columns_of, padded, without_looks


@pytest.mark.parametrize(
    "written",
    [
        "",
        "plain",
        "naïve",
        "日本語",
        "한국어",
        "e\u0301",
        "👩\u200d👩\u200d👧",
        "❤\ufe0f",
        "🇩🇪",
        "👍🏽",
        "ﾊﾞ",
        "\u1100\u1161",
        "a\u200bb",
    ],
)
def test_columns_are_those_of_terminals(written):
    assert columns_of(written) == cell_len(written)


def test_columns_of_letters_of_all_scripts_are_those_of_rich():
    import unicodedata

    letters = [
        chr(code) for code in range(0x21, 0x2FA20) if unicodedata.category(chr(code)) in ("Ll", "Lu", "Lo", "Nd")
    ]
    for letter in random.Random(0).sample(letters, 5000):
        assert columns_of(letter) == cell_len(letter), ascii(letter)


def test_padding_goes_by_columns():
    assert (padded("日本", 6), padded("日本", 6, left=False), padded("ab", 1)) == ("日本  ", "  日本", "ab")


PAGE = Page([Table(["System", "BLEU", "日本"], [["a", "29.3", "x"], ["長い", "30.1", "yy"]], best={(1, 1)})])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_terminal(page, **environment):
    stream = Terminal()
    with patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": "", **environment}):
        print_text(page, stream)
    return stream.getvalue()


def test_tables():
    assert text(PAGE) == "System   BLEU   日本\n────────────────────\na        29.3      x\n長い     30.1     yy"
    assert text(Page([Table([], [])])) == ""
    assert text(Page([Table(["A", "B"], [])])) == "A   B\n─────"


def test_on_a_terminal_the_header_and_the_best_are_bold():
    shown = on_terminal(PAGE)
    assert "\x1b[1mSystem\x1b[0m" in shown and "\x1b[1;32m30.1\x1b[0m" in shown and "\x1b[1;32m29.3" not in shown
    assert without_looks(shown).rstrip("\n") == text(PAGE)


def test_without_colour_bold_stays_and_a_dumb_terminal_gets_neither():
    assert "\x1b[1m30.1\x1b[0m" in on_terminal(PAGE, NO_COLOR="1")
    assert on_terminal(PAGE, TERM="dumb").rstrip("\n") == text(PAGE)
    assert Paint(io.StringIO())("x", BOLD, GREEN) == "x"


def test_the_line_of_progress_fits():
    assert progress_line("resampling", 0, 10, 0.0, 80) == f"resampling {' ' * 30}   0 %"
    assert progress_line("resampling", 10, 10, 5.0, 80).startswith(f"resampling {'━' * 30} 100 %")
    assert progress_line("50% of it", 1, 2, 0.0, 80).startswith("50% of it ━")
    assert len(progress_line("x" * 200, 1, 2, 1.0, 40)) == 40
    assert progress_line("reading", 7_200, None, 3600.0, 80) == "reading   7,200   3,600/s"
    assert progress_line("slow", 1, 3601, 1.0, 80).endswith("1/s   1:00:00 left")


def test_progress_is_drawn_and_erased(monkeypatch):
    import time

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr("tricolore.cli.progress.PATIENCE", 0.0)
    monkeypatch.setattr("tricolore.cli.progress.PAUSE", 0.01)
    with ProgressBar(quiet=False) as bar:
        step = bar.begin("counting")
        step(1, 4)
        end = time.monotonic() + 10
        while "25 %" not in stream.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        bar.note("a note")
    shown = stream.getvalue()
    assert "counting" in shown and "25 %" in shown and "tricolore: a note\n" in shown
    assert not shown.rsplit("\n", 1)[1].rsplit("\r", 2)[-2 if "\r" in shown.rsplit("\n", 1)[1] else 0].strip()
    with ProgressBar(quiet=True) as bar:
        bar.step(1, 2)
    assert stream.getvalue() == shown
