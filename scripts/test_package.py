"""An archive holds what the program writes and the documents, and the same files give the same archive."""

import io
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import package

SCRIPT = Path(package.__file__)

# A program that answers like entente.
PROGRAM = f"""#!{sys.executable}
import pathlib, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("entente 1.2.3")
elif words[0] == "completions":
    print("# for", words[1])
elif words[:2] == ["man", "--output"]:
    for name in ["entente", "entente-uci"]:
        pathlib.Path(words[2], name + ".1").write_text(".TH " + name)
else:
    sys.exit("not understood")
"""


def pack(folder, target, text=PROGRAM):
    """Runs the script on a program with this text; the result of the process."""
    program = Path(folder, "entente")
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    command = [sys.executable, SCRIPT, "--program", program, "--target", target, "--output", Path(folder, "dist")]
    return subprocess.run(command, capture_output=True, text=True)


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def made(self, target):
        run = pack(self.folder, target)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return Path(run.stdout.strip())

    def test_an_archive_has_the_program_the_documents_completions_and_manual_pages(self):
        archive = self.made("x86_64-unknown-linux-gnu")
        self.assertEqual(archive.name, "entente-1.2.3-x86_64-unknown-linux-gnu.tar.gz")
        with tarfile.open(archive) as files:
            entries = {Path(entry.name).relative_to(archive.name[: -len(".tar.gz")]).as_posix(): entry for entry in files}
            fish = files.extractfile(entries["completions/entente.fish"]).read()
        expected = {"entente", *package.DOCUMENTS, "man/man1/entente.1", "man/man1/entente-uci.1"}
        self.assertEqual(set(entries), expected | {f"completions/{name}" for name in package.COMPLETIONS.values()})
        self.assertEqual(fish, b"# for fish\n")
        self.assertIn("LICENSE-font", entries)
        self.assertEqual({name for name, entry in entries.items() if entry.mode & 0o111}, {"entente"})

    def test_windows_gets_a_zip_with_the_same_files(self):
        archive = self.made("x86_64-pc-windows-msvc")
        self.assertEqual(archive.suffix, ".zip")
        with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as files:
            self.assertIsNone(files.testzip())
            self.assertIn("entente-1.2.3-x86_64-pc-windows-msvc/man/man1/entente.1", files.namelist())

    def test_a_build_for_this_machine_writes_the_pages_of_a_program_that_does_not_run_here(self):
        foreign = Path(self.folder, "entente.exe")
        foreign.write_bytes(b"MZ")
        Path(self.folder, "native").write_text(PROGRAM)
        Path(self.folder, "native").chmod(0o755)
        command = [sys.executable, SCRIPT, "--program", foreign, "--native", Path(self.folder, "native")]
        command += ["--target", "x86_64-pc-windows-gnu", "--output", Path(self.folder, "dist")]
        archive = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
        with zipfile.ZipFile(archive) as files:
            self.assertEqual(files.read("entente-1.2.3-x86_64-pc-windows-gnu/entente.exe"), b"MZ")
            self.assertIn("entente-1.2.3-x86_64-pc-windows-gnu/man/man1/entente.1", files.namelist())

    def test_the_same_program_gives_the_same_archive(self):
        for target in ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc"]:
            first = self.made(target).read_bytes()
            self.assertEqual(first, self.made(target).read_bytes())

    def test_a_program_that_fails_makes_no_archive(self):
        run = pack(self.folder, "any", PROGRAM.replace('"completions"', '"other"'))
        self.assertEqual(run.returncode, 1)
        self.assertIn("completions bash: exit status 1: not understood", run.stderr)
        self.assertFalse(Path(self.folder, "dist").exists())

    def test_a_wheel_gets_pages_and_completions_where_an_installation_has_them(self):
        pack(self.folder, "any")
        data = Path(self.folder, "data")
        command = [sys.executable, SCRIPT, "--program", Path(self.folder, "entente"), "--wheel-data", data]
        subprocess.run(command, capture_output=True, check=True)
        self.assertEqual((data / "share/man/man1/entente.1").read_text(), ".TH entente")
        self.assertEqual((data / "share/fish/vendor_completions.d/entente.fish").read_text().strip(), "# for fish")


if __name__ == "__main__":
    unittest.main()
