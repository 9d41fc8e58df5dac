#!/usr/bin/env python3
"""Draws the diagrams of docs/constraints.md from tests/set_squares.txt, with the squares of each set framed.

    scripts/draw_sets.py

Writes docs/images/sets-pawns.svg, sets-places.svg and sets-attacks.svg. The boards are drawn by `entente draw`; each kind
of man is written once in a picture. Needs `cargo build --release`.
"""

import html
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"
COLUMNS, BOARD, GAP, CAPTION = 4, 360, 60, 60


def pictures():
    """The rows of the file, by picture."""
    found = {}
    for line in (ROOT / "tests" / "set_squares.txt").read_text().splitlines():
        if line.startswith("[") and ";" not in line:
            rows = found.setdefault(line.strip("[]"), [])
        elif ";" in line and not line.startswith("#"):
            rows.append([part.strip() for part in line.split(";")])
    return found


def board(text, fen):
    """The elements of the drawing of a board on which the set is framed."""
    command = [ENGINE, "draw", f"{fen} 0 1", "--constraint", text, "--output", "-", "--no-coordinates"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"draw_sets: {text}: {run.stderr.strip()}")
    # The text of the title would be shown once more for each board.
    return re.sub(r"<title>.*?</title>|^<svg[^>]*>|</svg>\s*$", "", run.stdout, flags=re.DOTALL)


def picture(rows):
    men, boards = {}, []

    def once(match):
        """A man as a reference to its only drawing."""
        name = men.setdefault(match[2], f"m{len(men)}")
        return f'<use href="#{name}" transform="{match[1]}"/>'

    squares = None
    for index, (text, fen, _) in enumerate(rows):
        drawing = re.sub(r'<g transform="([^"]*)">(<g .*?</g>)</g>', once, board(text, fen), flags=re.DOTALL)
        ground, path = re.match(r'(\s*<rect.*?)(<path fill="[^"]*" d="[^"]*"/>)', drawing, re.DOTALL).groups()
        squares = squares or f'<g id="board">{ground.strip()}{path}</g>'
        drawing = '<use href="#board"/>' + drawing[len(ground) + len(path) :].strip()
        x, y = index % COLUMNS * (BOARD + GAP), index // COLUMNS * (BOARD + CAPTION + GAP)
        caption = f'<text x="{BOARD // 2}" y="{BOARD + 42}">{html.escape(text)}</text>'
        boards.append(f'<g transform="translate({x} {y})">{drawing}{caption}</g>')
    lines = -(-len(rows) // COLUMNS)
    width, height = COLUMNS * (BOARD + GAP) - GAP, lines * (BOARD + CAPTION + GAP) - GAP
    symbols = "".join(drawing.replace("<g ", f'<g id="{name}" ', 1) for drawing, name in men.items())
    edge = GAP // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="840" viewBox="{-edge} {-edge} {width + 2 * edge} {height + edge}">\n'
        f'<rect x="{-edge}" y="{-edge}" width="{width + 2 * edge}" height="{height + edge}" fill="#faf9f5"/>\n'
        f"<defs>{squares}{symbols}</defs>\n"
        '<g font-family="monospace" font-size="30" text-anchor="middle" fill="#222">\n' + "\n".join(boards) + "\n</g>\n</svg>\n"
    )


def main():
    for name, rows in pictures().items():
        (ROOT / "docs" / "images" / f"sets-{name}.svg").write_text(picture(rows))


if __name__ == "__main__":
    main()
