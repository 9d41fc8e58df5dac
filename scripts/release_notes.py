#!/usr/bin/env python3
"""Prints the part of CHANGELOG.md that is about one version, for the page of its release.

    scripts/release_notes.py 0.1.0
    scripts/release_notes.py 0.1.0 --links https://github.com/OWNER/NAME/blob/v0.1.0

With --links, links to files of this repository begin with that address: a page elsewhere does not resolve them. The
exit status is 1, with the reason, if the version is not the one of Cargo.toml, or if CHANGELOG.md has no section for it,
an empty one, or one that is still marked "(unreleased)".
"""

import argparse
import re
import sys
from pathlib import Path

# A link to a file of the repository: neither an address nor a place on the same page.
LOCAL_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def section(changelog, version):
    """The text below the heading of this version, and what follows the version in the heading."""
    for part in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        found, _, rest = heading.strip().partition(" ")
        if found == version:
            return text.strip(), rest
    raise ValueError(f'CHANGELOG.md has no section for {version}: expected a line "## {version} (date)"')


def notes(changelog, manifest, version, links=None):
    """The notes of this version, as Markdown."""
    declared = re.search(r'^\[workspace\.package\]\n(?:[^\[].*\n)*?version = "([^"]+)"', manifest, re.MULTILINE)
    if not declared or declared[1] != version:
        raise ValueError(f"Cargo.toml has the version {declared[1] if declared else '(none)'}, expected {version}")
    text, rest = section(changelog, version)
    if "unreleased" in rest:
        raise ValueError(f"CHANGELOG.md marks {version} as unreleased: expected the date of the release")
    if not text:
        raise ValueError(f"CHANGELOG.md says nothing about {version}")
    if links:
        text = LOCAL_LINK.sub(lambda link: f"]({links.rstrip('/')}/{link[1]})", text)
    return text + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help='such as 0.1.0, without a "v"')
    parser.add_argument("--links", metavar="ADDRESS", help="the address of the repository's files")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    read = lambda name: (root / name).read_text(encoding="utf-8")
    try:
        text = notes(read("CHANGELOG.md"), read("Cargo.toml"), arguments.version, arguments.links)
    except ValueError as error:
        sys.exit(f"release_notes: {error}")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
