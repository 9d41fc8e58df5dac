#!/usr/bin/env python3
"""What the program does in a console: it says what it is, and Ctrl-C keeps what was found.

    checks/check_console.py target/release/entente
    checks/check_console.py --file /target/found.fen --seen-at target/debian/target/found.fen checks/windows run

The words are the command that starts the program, here or under an emulator. Positions go to FILE; SEEN_AT is the same file
for this script, if the program sees other paths. Needs Unix, for the terminal.
"""

import argparse
import os
import pathlib
import pty
import re
import select
import sys
import tempfile
import time

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07)")
# Emulators start slowly.
PATIENCE = 120


class Console:
    """A program in a terminal of its own."""

    def __init__(self, command):
        self.bytes = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvp(command[0], command)

    def text(self):
        """What the screen was told, without colours and movements of the cursor."""
        return ESCAPES.sub("", self.bytes.decode(errors="replace")).replace("\r", "")

    def until(self, pattern):
        """Reads until the text has the pattern; the match, or None once the program is over."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = re.search(pattern, self.text())
            if found:
                return found
            if select.select([self.terminal], [], [], 0.05)[0]:
                try:
                    more = os.read(self.terminal, 65536)
                except OSError:
                    more = b""
                if not more:
                    return None
                self.bytes += more
        sys.exit(f"check_console: waited {PATIENCE} s for {pattern!r}; the screen has:\n{self.text()[-2000:]}")

    def types(self, keys):
        os.write(self.terminal, keys)

    def ended(self):
        """Waits for the end, and returns the exit status."""
        self.until(r"(?!)")
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def expect(is_right, what, console):
    if not is_right:
        sys.exit(f"check_console: {what}; the screen has:\n{console.text()[-2000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default=os.path.join(tempfile.gettempdir(), "check-console.fen"))
    parser.add_argument("--seen-at", type=pathlib.Path, help="for a program under Wine")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("expected the command that starts the program")
    file = arguments.seen_at or pathlib.Path(arguments.file)
    file.unlink(missing_ok=True)

    console = Console(arguments.command)
    expect(console.until("a UCI chess engine"), "the program does not say what it is", console)
    # Wine's console takes an Enter only once the program reads.
    time.sleep(2)
    console.types(b"help\r")
    expect(console.until("commands: uci"), "`help` lists no commands", console)
    console.types(b"quit\r")
    expect(console.ended() == 0, "`quit` fails", console)

    words = ["generate", "Q=0 q=0", "--count", "1000000", "--realism", "fast", "--format", "fen", "--output", arguments.file]
    console = Console([*arguments.command, *words])
    expect(console.until(r"\b[1-9]\d*/1000000"), "no progress is shown", console)
    console.types(b"\x03")
    pressed = time.monotonic()
    found = console.until(r"(\d+) of 1000000 found")
    expect(found, "Ctrl-C ends the program without a summary", console)
    taken = time.monotonic() - pressed
    status = console.ended()
    lines = len(file.read_text().splitlines())
    expect(lines == int(found[1]) > 0, f"the file has {lines} positions", console)
    # Wine gives 0 for a program that Ctrl-C ended.
    expect(status == 130 or (status == 0 and arguments.seen_at), f"the exit status is {status}", console)
    file.unlink()
    print(f"greeted; Ctrl-C ended the program after {taken:.2f} s and kept {lines} positions")


if __name__ == "__main__":
    main()
