"""The notes of a release are its section of the change log, and only a release that was made ready has notes."""

import subprocess
import sys
import unittest
from pathlib import Path

import release_notes

SCRIPT = Path(release_notes.__file__)
CHANGELOG = """# Changelog

## 0.2.0 (2026-12-01)

Changed

- `draw` frames squares; see [the page](docs/a.md#b) and [a site](https://example.org/c.md), [above](#top).

### A part

- More.

## 0.1.0 (unreleased)

- The first.

## 0.0.1 (2025-01-01)
"""


def manifest(version):
    return f'[workspace]\nmembers = ["a"]\n\n[workspace.package]\nedition = "2024"\nversion = "{version}"\n\n[x]\nversion = "9"\n'


def notes(version, declared=None, links=None):
    return release_notes.notes(CHANGELOG, manifest(declared or version), version, links)


class ReleaseNotes(unittest.TestCase):
    def test_the_notes_are_the_section_without_its_heading_and_end_before_the_next(self):
        text = notes("0.2.0")
        self.assertTrue(text.startswith("Changed\n\n- `draw`"), text)
        self.assertTrue(text.endswith("### A part\n\n- More.\n"), text)

    def test_only_links_to_files_get_the_address(self):
        text = notes("0.2.0", links="https://host/blob/v0.2.0/")
        self.assertIn("[the page](https://host/blob/v0.2.0/docs/a.md#b)", text)
        self.assertIn("[a site](https://example.org/c.md), [above](#top)", text)

    def test_a_version_that_is_not_ready_is_refused(self):
        for version, declared, expected in [
            ("0.1.0", None, "expected the date"),
            ("0.0.1", None, "says nothing about 0.0.1"),
            ("0.3.0", None, "no section for 0.3.0"),
            ("0.2", None, "no section for 0.2:"),
            ("0.2.0", "0.1.0", "Cargo.toml has the version 0.1.0, expected 0.2.0"),
        ]:
            with self.subTest(version=version, declared=declared), self.assertRaisesRegex(ValueError, expected):
                notes(version, declared)

    def test_the_program_reads_the_files_of_the_repository(self):
        run = subprocess.run([sys.executable, SCRIPT, "99.0.0"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"^release_notes: Cargo.toml has the version \d+\.\d+\.\d+, expected 99.0.0\n$")


if __name__ == "__main__":
    unittest.main()
