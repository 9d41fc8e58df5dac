#!/usr/bin/env python3
"""Checks that the arrows between a crate's modules run one way: between its rooms, and between siblings within a room.

    scripts/check_imports.py [FOLDER ...]      by default the sources of all crates and of the trainer

An import is followed through re-exports to the file that defines the name. Of siblings, the files and folders of one
folder, none may use another that uses it, directly or by others between them. Tests are left out, and what one crate uses
of another is for cargo to check. Prints the rooms of each crate from those that use others to those that are used; the
exit status is 1 if there is a circle that is not among the known ones.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

# The numbers of circles that are known, by folder; there are none.
KNOWN = {}

PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")


def without_tests(text):
    """The code without comments and without what is compiled for tests only."""
    text = re.sub(r"//[^\n]*", "", text)
    match = re.search(r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?mod \w+ \{", text)
    return text[: match.start()] if match else text


def expanded(tree):
    """`a::{b, c::{d, e}}` as a::b, a::c::d, a::c::e."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        return [tree]
    prefix, inner = tree[:brace], tree[brace + 1 : tree.rindex("}")]
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(inner):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(inner[start:index])
            start = index + 1
    parts.append(inner[start:])
    return [prefix + path for part in parts if part.strip() for path in expanded(part)]


class Modules:
    def __init__(self, folder):
        self.texts = {}
        for file in sorted(folder.rglob("*.rs")):
            parts = list(file.relative_to(folder).with_suffix("").parts)
            if parts[-1] in ("mod", "lib", "main"):
                parts.pop()
            if parts and parts[-1] == "tests":
                continue
            self.texts[tuple(parts)] = self.texts.get(tuple(parts), "") + without_tests(file.read_text())
        self.exports = {module: self.uses(module, r"pub(?:\([^)]*\))? use") for module in self.texts}

    def uses(self, module, keyword):
        """Names that are brought in, each with the path that it stands for."""
        names = {}
        for tree in re.findall(rf"(?m)^\s*{keyword} ([^;]+);", self.texts[module]):
            for path in expanded(" ".join(tree.split())):
                path, _, alias = path.partition(" as ")
                parts = path.strip().split("::")
                if parts[-1] == "self":
                    parts.pop()
                names[alias or parts[-1]] = parts
        return names

    def resolve(self, module, parts, seen=()):
        """The module that defines what a path names, seen from another one; None if it is not ours."""
        parts = list(parts)
        if parts[0] == "crate":
            at = ()
        elif parts[0] == "self":
            at = module
        elif parts[0] == "super":
            at = module[:-1]
        elif (*module, parts[0]) in self.texts:
            at, parts = module, ["self", *parts]
        else:
            return None
        parts.pop(0)
        while parts and parts[0] == "super":
            at = at[:-1]
            parts.pop(0)
        while parts and (*at, parts[0]) in self.texts:
            at = (*at, parts.pop(0))
        if parts and parts[0] in self.exports.get(at, {}) and (at, parts[0]) not in seen:
            return self.resolve(at, self.exports[at][parts[0]], (*seen, (at, parts[0]))) or at
        return at

    def edges(self):
        for module, text in self.texts.items():
            paths = list(self.uses(module, r"(?:pub(?:\([^)]*\))? )?use").values())
            paths += [path.split("::") for path in PATH.findall(text)]
            for path in paths:
                target = self.resolve(module, path)
                if target is not None and target != module and target in self.texts:
                    yield module, target


def circles(graph):
    """Strongly connected parts of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while True:
                part.append(stack.pop())
                if part[-1] == node:
                    break
            found.append(part)

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def check(folder):
    """Prints what there is to say of one crate's sources; true if that is as it should be."""
    modules = Modules(folder)
    siblings, examples = defaultdict(lambda: defaultdict(set)), {}
    for module, target in modules.edges():
        common = 0
        while common < min(len(module), len(target)) and module[common] == target[common]:
            common += 1
        if common == len(module) or common == len(target):
            continue
        parent, one, other = module[:common], module[common], target[common]
        siblings[parent][one].add(other)
        examples.setdefault((parent, one, other), (module, target))
    found = [(parent, part) for parent, graph in sorted(siblings.items()) for part in circles(graph) if len(part) > 1]
    known = KNOWN.get(folder.as_posix(), 0)
    if not found:
        rooms = [part[0] for part in circles(siblings[()])]
        print(f"{folder}: no circles; rooms, each using only those behind it: " + " ".join(reversed(rooms)))
    elif len(found) == known:
        print(f"{folder}: {known} circles, all known")
    else:
        print(f"{folder}: {len(found)} circles" + (f", and {known} are known" if known else ""))
    for parent, part in found:
        print(f"circle in {'/'.join(parent) or 'the rooms'}: {', '.join(sorted(part))}")
        for (where, one, other), (module, target) in sorted(examples.items()):
            if len(found) != known and where == parent and one in part and other in part:
                print(f"    {'::'.join(module)} uses {'::'.join(target)}")
    return len(found) == known


def main():
    folders = [Path(folder) for folder in sys.argv[1:]] or [*sorted(Path("crates").glob("*/src")), Path("trainer/src")]
    sys.exit(not all([check(folder) for folder in folders]))


if __name__ == "__main__":
    main()
