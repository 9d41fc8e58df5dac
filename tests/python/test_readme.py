"""The examples of the README's section "From a script" run as they stand there."""

import re
import subprocess
import sys
import unittest

from engine import PROGRAM, ROOT


class Examples(unittest.TestCase):
    def examples(self, language):
        section = (ROOT / "README.md").read_text(encoding="utf-8").split("## From a script")[1].split("\n## ")[0]
        found = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
        self.assertTrue(found, language)
        # The one thing that is changed: where the program was built.
        return [example.replace("target/release/entente", str(PROGRAM)) for example in found]

    def run_example(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_bash(self):
        for example in self.examples("bash"):
            fens = self.run_example("bash", "-c", example).splitlines()
            self.assertEqual(len(fens), 3)
            for fen in fens:
                self.assertNotIn("Q", fen.split(" ")[0])

    def test_python(self):
        for example in self.examples("python"):
            self.assertRegex(self.run_example(sys.executable, "-c", example), r"^1\. \S+ \S+")


if __name__ == "__main__":
    unittest.main()
