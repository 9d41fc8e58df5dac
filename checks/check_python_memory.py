#!/usr/bin/env python3
"""Whether the Python package keeps memory: many calls, and the resident memory after each tenth of them.

    checks/check_python_memory.py [--holds 1000000] [--policy 10000] [--generate 1000]

Linux only. The exit status is 1 if the memory after the last tenth is more than a twentieth above that after the third.
"""

import argparse
import gc
import sys

import entente

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3"
ALLOWED = 1.05


def resident():
    """The resident memory of this process, in MiB."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def measured(name, count, call):
    """Calls `call` that often, and says whether the memory stays flat."""
    tenths = []
    for _ in range(10):
        for place in range(count // 10):
            call(place)
        gc.collect()
        tenths.append(resident())
    print(f"{count} {name}: {' '.join(f'{mebibytes:.0f}' for mebibytes in tenths)} MiB", flush=True)
    return tenths[-1] <= ALLOWED * tenths[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--holds", type=int, default=1_000_000)
    parser.add_argument("--policy", type=int, default=10_000)
    parser.add_argument("--generate", type=int, default=1_000)
    arguments = parser.parse_args()
    constraint = entente.Constraint("Q=1 q=1 [BN]>=2")
    flat = [
        measured("holds", arguments.holds, lambda _: constraint.holds(FEN)),
        measured("policy", arguments.policy, lambda _: entente.policy([FEN], elo=1500).probabilities),
        measured(
            "generate",
            arguments.generate,
            lambda place: list(entente.generate("Q=0", 2, seed=place + 1, method="negamax", evaluator="men")),
        ),
    ]
    return 0 if all(flat) else 1


if __name__ == "__main__":
    sys.exit(main())
