"""Circles of imports are found, also through re-exports, and what only tests import makes none."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("check_imports.py")


def check(files):
    """What the script says of a folder with these files, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        run = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
        return run.stdout, run.returncode


class CheckImports(unittest.TestCase):
    ONE_WAY = {
        "lib.rs": "pub mod upper;\npub mod lower;\n",
        "upper/mod.rs": "mod a;\nmod b;\npub use a::A;\npub use b::B;\n",
        "upper/a.rs": "use super::B;\nuse crate::lower::L;\n",
        "upper/b.rs": "use crate::lower::{self, L};\n",
        "lower.rs": "pub struct L;\n#[cfg(test)]\nmod tests {\n    use crate::upper::A;\n}\n",
    }

    def test_arrows_that_run_one_way_are_no_circle(self):
        text, status = check(self.ONE_WAY)
        self.assertEqual((text.split(": ")[-1].split(), status), (["upper", "lower"], 0))

    def test_a_circle_of_siblings_is_found_through_a_re_export(self):
        text, status = check(self.ONE_WAY | {"upper/b.rs": "use super::A;\n"})
        self.assertIn("circle in upper: a, b", text)
        self.assertEqual(status, 1)

    def test_a_circle_of_rooms_is_found_in_nested_braces(self):
        text, status = check(self.ONE_WAY | {"lower.rs": "use crate::{upper::{A, B}};\n"})
        self.assertIn("circle in the rooms: lower, upper", text)
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
