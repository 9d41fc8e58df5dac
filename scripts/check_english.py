#!/usr/bin/env python3
"""Finds the words that CONTRIBUTING.md advises against, in its section "Plain English".

    scripts/check_english.py                                    the pages: READMEs, docs/, distribute/, model cards,
                                                                and the unreleased part of CHANGELOG.md
    scripts/check_english.py FILE...                            these files, too, as plain text
    some-program | scripts/check_english.py -                   standard input, too
    scripts/check_english.py --program target/release/entente   the help of this program and of all its subcommands, too,
                                                                and what it answers to the UCI command uci
    scripts/check_english.py --code                             comments and string literals of the code, too

Prints file:line:column and the word for each place, ignoring case. A phrase is also found where a line break divides
it. With --code, the code is every Rust, Python, TOML and shell file that git tracks, and the number of places follows
for each word of the table. The exit status is 1 if a word was found.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ESCAPED = r"(?:\\.|[^{0}\\])*"
DOUBLE, SINGLE = '"' + ESCAPED.format('"') + '"', "'" + ESCAPED.format("'") + "'"
TRIPLE = r'"""(?:\\.|.)*?"""' + r"|'''(?:\\.|.)*?'''"
QUOTED = rf'{TRIPLE}|"{ESCAPED.format(chr(34) + chr(10))}"|' + rf"'{ESCAPED.format(chr(39) + chr(10))}'"

# What counts in each language. A group named `code` is skipped: text that would otherwise look like a quote.
PROSE = {
    "rust": r"//[^\n]*|/\*.*?\*/|r(?P<hashes>#+)\".*?\"(?P=hashes)|r\"[^\"]*\"|"
    + DOUBLE
    + r"|(?P<code>'(?:\\[^\n]{1,9}?|[^'\\\n])')",
    "python": r"#[^\n]*|" + QUOTED,
    "toml": r"#[^\n]*|" + QUOTED,
    "shell": r"(?:^|(?<=[\s;(]))#[^\n]*|(?<!<)<<-?[ ]*['\"]?(?P<end>\w+)['\"]?.*?\n[ \t]*(?P=end)\b|"
    + DOUBLE
    + r"|'[^']*'|(?P<code>\\.)",
}
PROSE = {language: re.compile(pattern, re.DOTALL | re.MULTILINE) for language, pattern in PROSE.items()}
SUFFIXES = {".rs": "rust", ".py": "python", ".toml": "toml", ".sh": "shell"}

# An escape such as \n, or the backslash that joins two lines of a string.
ESCAPE = re.compile(r"\\[^\n]|\\(?=\n)")

# The pages that users read.
PAGES = ["README.md", "*/README.md", "crates/*/README.md", "docs/*.md", "distribute/**/*.md"]
PAGES += ["models/*.md", "crates/*/models/*.md"]

# Between the words of a phrase: white space, with the signs that begin the next line of a comment.
GAP = r"(?:\n[ \t]*(?://[/!]?|#|>|\*)|\s)+"


def words_of(page):
    """The words of the table, each with its advice, as patterns in the order of the table."""
    section = re.search(r"^## Plain English$(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    if not section:
        sys.exit("check_english: CONTRIBUTING.md has no section 'Plain English'")
    words = {}
    for row in re.findall(r"^\| (`.*)$", section[1], re.MULTILINE):
        avoided, advice = [cell.strip() for cell in row.split("|")][:2]
        for word in re.findall(r"`([^`]+)`", avoided):
            pattern = GAP.join(re.escape(part).replace(r"\*", r"\w*") for part in word.split())
            words[word] = (re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE), advice)
    if not words:
        sys.exit("check_english: the section 'Plain English' of CONTRIBUTING.md has no table of words")
    return words


def blank(text):
    """The text with only its white space left."""
    return re.sub(r"\S", "\0", text)


def prose_of(text, language):
    """The text with only comments and string literals left, each character in its place."""
    kept, at = [], 0
    for match in PROSE[language].finditer(text):
        kept.append(blank(text[at : match.start()]))
        is_code = match.groupdict().get("code") is not None
        kept.append(blank(match[0]) if is_code else ESCAPE.sub(lambda escape: " " * len(escape[0]), match[0]))
        at = match.end()
    return "".join(kept) + blank(text[at:])


def language_of(file):
    """The language of a file, by its ending or else by its first line; None if it is another."""
    if file.suffix:
        return SUFFIXES.get(file.suffix)
    try:
        first = file.open("rb").readline()
    except OSError:
        return None
    found = re.match(rb"#!.*\b(bash|sh|python3?)\b", first)
    return {b"bash": "shell", b"sh": "shell"}.get(found[1], "python") if found else None


def unreleased(changelog):
    """The change log with only its unreleased sections left, each line in its place."""
    sections = re.split(r"^(?=## )", changelog, flags=re.MULTILINE)
    return "".join(text if "(unreleased)" in text.split("\n", 1)[0] else blank(text) for text in sections)


def output(command, standard_input=""):
    """What the program prints."""
    try:
        done = subprocess.run(command, input=standard_input, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"check_english: {' '.join(command)}: {error}")
    return done.stdout


def helps(command):
    """The long help of a program and of its subcommands: pairs of a command and a text."""
    text = output([*command, "--help"])
    yield " ".join([*command, "--help"]), text
    section = re.search(r"^Commands:\n(.*?)(?=^\S|\Z)", text, re.DOTALL | re.MULTILINE)
    for name in re.findall(r"^  (\S+)", section[1] if section else "", re.MULTILINE):
        if name != "help":
            yield from helps([*command, name])


def texts(root, arguments):
    """What is searched: pairs of a name and a text."""
    pages = sorted({page for pattern in PAGES for page in root.glob(pattern)})
    for page in pages:
        yield page.relative_to(root), page.read_text(encoding="utf-8")
    if (changelog := root / "CHANGELOG.md").exists():
        yield changelog.name, unreleased(changelog.read_text(encoding="utf-8"))
    for program in arguments.program:
        yield from helps([program])
        if Path(program).stem == "entente":
            yield f"{program}: uci", output([program], "uci\nquit\n")
    for file in arguments.files:
        if file == "-":
            yield "standard input", sys.stdin.read()
        else:
            yield file, Path(file).read_text(encoding="utf-8")
    if arguments.code:
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
        for name in tracked.split("\0"):
            file = root / name
            if name and file.is_file() and (language := language_of(file)):
                yield name, prose_of(file.read_text(encoding="utf-8"), language)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="more texts to search; - is standard input")
    parser.add_argument("--program", action="append", default=[], help="search the help of this program, too")
    parser.add_argument("--code", action="store_true", help="search the code, too, and print totals")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the checkout")
    arguments = parser.parse_args()

    words = words_of((arguments.root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    totals = Counter()
    for name, text in texts(arguments.root, arguments):
        found = [(match, word) for word, (pattern, _) in words.items() for match in pattern.finditer(text)]
        for match, word in sorted(found, key=lambda pair: pair[0].start()):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            matched = " ".join(re.split(GAP, match[0]))
            print(f"{name}:{line}:{column}: {matched} (write: {words[word][1]})")
            totals[word] += 1
    if arguments.code:
        for word in words:
            print(f"{totals[word]:6} {word}")
        print(f"{sum(totals.values()):6} in all")
    sys.exit(1 if totals else 0)


if __name__ == "__main__":
    main()
