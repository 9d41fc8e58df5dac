"""Tests of check_realism.py."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import check_realism

FIELDS = "of,method,side,plies,rare,surprise_from_0,surprise_from_10,surprise_from_30,fen"
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REPORT = """| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ | rare | median plies | AUC |
|---|---|---|---|---|---|---|---|---|---|
| 1500 | people | 2 | 1.67 | 1.50 | 2.00 | – | 6.7% | 15 | – |
| 1500 | fast | 1 | 2.00 (1.20) | 2.00 (1.33) | – | – | 0.0% (0.00) | 4 (0.27) | – |
"""
ROWS = [
    f"1500,fast,people,10,1,15.0,0,0,{FEN}",
    f"1500,fast,people,20,1,15.0,20.0,0,{FEN}",
    f"1500,fast,generated,4,0,8.0,0,0,{FEN}",
]


class Check(unittest.TestCase):
    def check(self, report):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "realism.md").write_text(report, encoding="utf-8")
            (path / "positions.csv").write_text("\n".join([FIELDS, *ROWS, ""]), encoding="utf-8")
            output = io.StringIO()
            with mock.patch.object(sys, "argv", ["check_realism", folder]), contextlib.redirect_stdout(output):
                check_realism.main()
            return output.getvalue()

    def test_right_numbers_agree(self):
        self.assertEqual(self.check(REPORT), "14 cells agree\n")

    def test_a_wrong_number_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check(REPORT.replace("6.7%", "6.8%"))
        self.assertIn("1500, fast", str(raised.exception))

    def test_a_line_that_is_missing_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check("\n".join(REPORT.splitlines()[:2]))
        self.assertIn("no line for", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
