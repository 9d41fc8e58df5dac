#!/usr/bin/env python3
"""Compares the speed of the engine's networks with ONNX Runtime: evaluations per second, with the same number of threads
and the same batch size. Run it on an idle machine.

    checks/compare_runtimes.py [--entente target/release/entente] [--threads 2] [MODEL.onnx ...]

Without models: all shipped ones. ONNX Runtime gets inputs that are written already; the engine also writes its own, and
reads the outputs. Prints a Markdown table; a ratio above 1 says that the engine is faster.
"""

import argparse
import subprocess
import sys
import threading
import time
from pathlib import Path

try:
    import numpy
    import onnx
    import onnxruntime
except ModuleNotFoundError as error:
    sys.exit(f"compare_runtimes: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = Path(__file__).resolve().parent.parent
EMBEDDED = ["goal-policy", "thesis-1", "thesis-2"]
SECONDS = 1.0


def engine_rates(entente, threads, files):
    """Evaluations a second by (network, backend, batch, threads), as `entente bench --speed` prints them."""
    words = [entente, "bench", "--speed", "--threads", str(threads)]
    for file in files:
        words += ["--network", str(file)]
    print("running", *words, file=sys.stderr)
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    rates = {}
    for line in lines:
        name, rate, unit = line.rsplit(maxsplit=2)
        if unit == "evaluations/s":
            network, backend, batch, workers = name.rsplit("/", 3)
            key = network, backend, int(batch.removeprefix("batch-")), int(workers.removeprefix("threads-"))
            rates[key] = float(rate)
    return rates


def onnx_rate(file, batch, threads):
    """Evaluations per second of `threads` sessions of ONNX Runtime with one thread each."""
    model = onnx.load(file)
    # The files say one position at a time; their nodes work for any number.
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    numbers = numpy.random.default_rng(1)

    def session():
        made = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        inputs = {}
        for wanted in made.get_inputs():
            shape = [batch, *wanted.shape[1:]]
            inputs[wanted.name] = (numbers.random(shape) < 0.1).astype(numpy.float32)
        made.run(None, inputs)
        return made, inputs

    rates = []

    def work(made, inputs):
        start, answered = time.perf_counter(), 0
        while time.perf_counter() - start < SECONDS:
            made.run(None, inputs)
            answered += batch
        rates.append(answered / (time.perf_counter() - start))

    workers = [threading.Thread(target=work, args=session()) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entente", default=str(ROOT / "target/release/entente"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    arguments = parser.parse_args()
    models = {name: ROOT / f"crates/network/models/{name}.onnx" for name in EMBEDDED}
    if arguments.models:
        models = {}
    others = arguments.models or [ROOT / "models/reference-policy.onnx"]
    for model in others:
        if not model.is_file():
            parser.error(f"no such file: {model}")
    rates = engine_rates(arguments.entente, arguments.threads, others)
    models |= {str(model): model for model in others}
    print(f"ONNX Runtime {onnxruntime.__version__}, evaluations a second:\n")
    print("| network | at once | threads | ONNX Runtime | backend | engine | ratio |")
    print("|---|---|---|---|---|---|---|")
    for (network, backend, batch, threads), rate in rates.items():
        if network in models:
            other = onnx_rate(models[network], batch, threads)
            ratio = f"{rate / other:.2f}"
            print(f"| {Path(network).stem} | {batch} | {threads} | {other:,.0f} | {backend} | {rate:,.0f} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
