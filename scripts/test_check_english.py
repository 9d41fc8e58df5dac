"""Words of the table are found in pages, other texts and code, at their places, and nowhere else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("check_english.py")
TABLE = """# Contributing

| `outside` | not part of the section |

## Plain English

| Avoid | Write | Instead of | Better |
|---|---|---|---|
| `zork*` | do | he zorks | he does |
| `flim flam`, `quux` | well | a flim flam | a well |

## Commits

| `after` | not part of it either |
"""


def check(files, *arguments, standard_input=""):
    """The lines that the script prints for a checkout with these files, without the advice, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ({"CONTRIBUTING.md": TABLE} | files).items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        subprocess.run(["git", "-C", folder, "add", "."], check=True)
        command = [sys.executable, SCRIPT, "--root", folder, *arguments]
        run = subprocess.run(command, input=standard_input, capture_output=True, text=True, check=False)
        return [line.split(" (write")[0] for line in run.stdout.splitlines()], run.returncode


class CheckEnglish(unittest.TestCase):
    def test_a_word_is_found_in_any_case_with_its_line_and_column(self):
        lines, status = check({"README.md": "Plain.\nHere he Zorked, and quux.\n", "docs/a.md": "zork"})
        self.assertEqual(lines, ["README.md:2:9: Zorked", "README.md:2:21: quux", "docs/a.md:1:1: zork"])
        self.assertEqual(status, 1)

    def test_the_advice_is_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CONTRIBUTING.md").write_text(TABLE)
            command = [sys.executable, SCRIPT, "--root", folder, "-"]
            run = subprocess.run(command, input="quux", capture_output=True, text=True, check=False)
        self.assertEqual(run.stdout, "standard input:1:1: quux (write: well)\n")

    def test_parts_of_words_and_options_are_not_found(self):
        self.assertEqual(check({"README.md": "quuxes --quux azork flim, flam outside after\n"}), ([], 0))

    def test_a_phrase_is_found_across_lines(self):
        lines, _ = check({"distribute/a/README.md": "a flim\nflam\n"})
        self.assertEqual(lines, ["distribute/a/README.md:1:3: flim flam"])

    def test_only_the_unreleased_part_of_the_change_log_is_searched(self):
        log = "# quux\n\n## 0.2 (unreleased)\n\n- quux\n\n## 0.1\n\n- quux\n"
        self.assertEqual(check({"CHANGELOG.md": log}), (["CHANGELOG.md:5:3: quux"], 1))
        self.assertEqual(check({"CHANGELOG.md": "## 0.1\n\nquux\n"}), ([], 0))

    def test_the_help_of_a_program_and_its_subcommands_is_searched(self):
        program = """#!/bin/sh
case "$*" in
    --help) printf 'quux\\n\\nCommands:\\n  one   Do\\n  help  Help\\n\\nOptions:\\n  -h  Help\\n';;
    "one --help") printf 'Commands:\\n  two\\n          zork\\n';;
    "one two --help") echo flim flam;;
    "") read -r line; echo "$line zork";;
    *) exit 1;;
esac
"""
        with tempfile.TemporaryDirectory() as folder:
            for name, uci in [("entente", [": uci:1:5: zork"]), ("other", [])]:
                file = Path(folder, name)
                file.write_text(program)
                file.chmod(0o755)
                lines, status = check({}, "--program", str(file))
                expected = [" --help:1:1: quux", " one --help:3:11: zork", " one two --help:1:1: flim flam", *uci]
                self.assertEqual(lines, [f"{file}{line}" for line in expected])
                self.assertEqual(status, 1)

    def test_a_program_that_fails_is_refused(self):
        self.assertNotEqual(check({}, "--program", "/bin/false")[1], 0)

    def test_standard_input_is_searched_when_asked_for(self):
        self.assertEqual(check({}, standard_input="quux"), ([], 0))
        self.assertEqual(check({}, "-", standard_input="quux"), (["standard input:1:1: quux"], 1))

    def test_only_comments_and_strings_of_code_are_searched(self):
        rust = (
            "//! A flim\n//! flam.\nfn quux<'a>(x: &'a str) -> char {\n    '\"'; quux(); // quux\n"
            '    let s = "\\nquux \\"zork\\" \\\n        flim\\\n        flam"; r#"" quux"#; quux;\n}\n'
        )
        lines, status = check({"src/a.rs": rust}, "--code")
        self.assertEqual(
            lines,
            [
                "src/a.rs:1:7: flim flam",
                "src/a.rs:4:21: quux",
                "src/a.rs:5:16: quux",
                "src/a.rs:5:23: zork",
                "src/a.rs:6:9: flim flam",
                "src/a.rs:7:21: quux",
                "     1 zork*",
                "     2 flim flam",
                "     3 quux",
                "     6 in all",
            ],
        )
        self.assertEqual(status, 1)

    def test_python_toml_and_shell_are_searched(self):
        files = {
            "a.py": 'quux = """it\'s\nquux"""  # zork\n',
            "a.toml": 'quux = "quux" # zork\n',
            "run": "#!/usr/bin/env bash\nquux ${x#quux} \\' # quux\ncat <<END\nit's quux\nEND\nzork 'zork'\n",
            "notes": "quux\n",
        }
        lines, _ = check(files, "--code")
        self.assertEqual(
            lines[:7],
            ["a.py:2:1: quux", "a.py:2:12: zork", "a.toml:1:9: quux", "a.toml:1:17: zork"]
            + ["run:2:21: quux", "run:4:6: quux", "run:6:7: zork"],
        )
        self.assertEqual(lines[-1], "     7 in all")

    def test_a_page_without_the_table_is_refused(self):
        _, status = check({"CONTRIBUTING.md": "# Contributing\n"})
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
