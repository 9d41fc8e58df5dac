#!/usr/bin/env python3
"""Packs the program into an archive for people who do not build it, as a release does.

    scripts/package.py --program target/release/entente --target x86_64-unknown-linux-gnu --output dist
    scripts/package.py --program target/release/entente --wheel-data python/entente.data/data

The archive holds the program, its licence and that of its font, the README, the change log, the completions of all shells
and the manual pages. It is a .zip file if the name of the target contains "windows", and otherwise a .tar.gz file. The same
files give the same archive: times and owners are left out. Prints the path of the archive. The program writes the
completions and the pages itself; if it does not run on this machine, a build of it that does must be named (--native).

With --wheel-data it writes only the completions and the pages, to the places under a prefix where shells and man look for
them; maturin puts that folder into a wheel.
"""

import argparse
import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = {
    "README.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "LICENSE": "LICENSE",
    "LICENSE-font": "crates/render/fonts/LICENSE",
}
COMPLETIONS = {
    "bash": "entente.bash",
    "zsh": "_entente",
    "fish": "entente.fish",
    "powershell": "_entente.ps1",
    "elvish": "entente.elv",
}
# Where shells look for completions under the prefix of an installation.
INSTALLED = {
    "bash": "share/bash-completion/completions/entente",
    "zsh": "share/zsh/site-functions/_entente",
    "fish": "share/fish/vendor_completions.d/entente.fish",
}
# The earliest time that a .zip file can hold.
TIME = (1980, 1, 1, 0, 0, 0)


def output(program, *arguments):
    """What the program prints."""
    done = subprocess.run([program, *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip()
        sys.exit(f"package: {program} {' '.join(arguments)}: exit status {done.returncode}: {reason}")
    return done.stdout


def contents(program, native, scratch):
    """The files of the archive: pairs of a name and its bytes, in order."""
    files = {program.name: program.read_bytes()}
    files |= {name: (ROOT / path).read_bytes() for name, path in DOCUMENTS.items()}
    files |= {f"completions/{name}": output(native, "completions", shell) for shell, name in COMPLETIONS.items()}
    output(native, "man", "--output", str(scratch))
    files |= {f"man/man1/{page.name}": page.read_bytes() for page in scratch.glob("*.1")}
    return sorted(files.items())


def write_wheel_data(program, folder):
    """Writes the completions and the pages to their places in an installation."""
    pages = folder / "share" / "man" / "man1"
    pages.mkdir(parents=True, exist_ok=True)
    output(program, "man", "--output", str(pages))
    for shell, place in INSTALLED.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(output(program, "completions", shell))


def packed_tar(folder, files, program):
    """The bytes of a .tar.gz file with these files in a folder."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in files:
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mode = len(data), 0o755 if name == program else 0o644
                archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def packed_zip(folder, files):
    """The bytes of a .zip file with these files in a folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", TIME), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True, help="the program")
    parser.add_argument("--native", type=Path, help="the same program for this machine (default: the program)")
    parser.add_argument("--target", help="the system it runs on, such as aarch64-apple-darwin")
    parser.add_argument("--output", type=Path, help="the folder for the archive")
    parser.add_argument("--wheel-data", type=Path, metavar="FOLDER", help="the folder for completions and pages alone")
    arguments = parser.parse_args()
    if arguments.wheel_data is None and (arguments.target is None or arguments.output is None):
        parser.error("expected --target and --output, or --wheel-data")
    program = arguments.program.resolve()
    native = (arguments.native or arguments.program).resolve()
    for option, path in [("--program", program), ("--native", native)]:
        if not path.is_file():
            sys.exit(f"package: {option} {path}: expected a file")
    if arguments.wheel_data is not None:
        write_wheel_data(native, arguments.wheel_data)
        print(arguments.wheel_data)
        return
    version = output(native, "--version").decode().split()[-1]
    folder = f"entente-{version}-{arguments.target}"
    with tempfile.TemporaryDirectory() as scratch:
        files = contents(program, native, Path(scratch))
    if "windows" in arguments.target:
        archive, data = arguments.output / f"{folder}.zip", packed_zip(folder, files)
    else:
        archive, data = arguments.output / f"{folder}.tar.gz", packed_tar(folder, files, program.name)
    arguments.output.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(data)
    print(archive)


if __name__ == "__main__":
    main()
