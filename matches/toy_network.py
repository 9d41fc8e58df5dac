#!/usr/bin/env python3
"""Writes two toy networks that Entente can use: a start for a network of your own.

    matches/toy_network.py --output toys            writes toys/policy.onnx and toys/satisfaction.onnx
    matches/toy_network.py --output toys --check    does so, and has entente load and run both

Their weights are random, so they know nothing of chess. But they have the inputs and outputs that docs/own-network.md
asks for. Put your own layers between these, or export from the library that you train with. The same seed gives the
same networks. `--check` needs `cargo build --release`. The exit status is 0 if both files were written and, with
`--check`, the engine did all that it was asked.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys

try:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ModuleNotFoundError as error:
    sys.exit(f"toy_network: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"

# As the shipped networks have them.
OPSET, IR_VERSION = 17, 8
# The input goal-policy.
PLANES, FEATURES = 51, 110
# The moves that may leave a square, and all that a policy knows.
MOVE_PLANES = 73
MOVES = 64 * MOVE_PLANES
# The input thesis.
THESIS_PLANES = 17
# Channels, or numbers, of the toys' hidden layers.
WIDTH = 16


class Graph:
    """A graph that is being built: its nodes and their weights."""

    def __init__(self, seed):
        self.nodes, self.weights = [], []
        self.random = numpy.random.default_rng(seed)

    def node(self, operator, inputs, output, **attributes):
        """Adds a node, and returns the name of its output, which is its own name, too."""
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name, numbers):
        """Adds numbers that the file brings along."""
        self.weights.append(numpy_helper.from_array(numbers, name))
        return name

    def parameters(self, name, *shape):
        """The weights of a layer, random and the smaller the more inputs are added up, and its biases, all zero."""
        weights = self.random.standard_normal(shape) / numpy.prod(shape[1:]) ** 0.5
        biases = numpy.zeros(shape[0], numpy.float32)
        return [
            self.constant(f"{name}.weight", weights.astype(numpy.float32)),
            self.constant(f"{name}.bias", biases),
        ]

    def conv(self, flow, output, planes, channels, size):
        """A convolution that leaves the board at 8×8."""
        parameters = self.parameters(output, channels, planes, size, size)
        return self.node("Conv", [flow, *parameters], output, kernel_shape=[size] * 2, pads=[size // 2] * 4)

    def linear(self, flow, output, numbers, outputs):
        """A fully connected layer."""
        return self.node("Gemm", [flow, *self.parameters(output, outputs, numbers)], output, transB=1)

    def relu(self, flow):
        """Sets what is negative to 0."""
        return self.node("Relu", [flow], f"{flow}.relu")

    def model(self, name, input_kind, inputs, outputs):
        """The whole model. Inputs and outputs are names with the sizes of one position, in their order.

        The first axis of each is the batch. It has a name and no size, so that any number of positions fits.
        """

        def value(name, sizes):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *sizes])

        graph = helper.make_graph(
            self.nodes,
            name,
            [value(*each) for each in inputs.items()],
            [value(*each) for each in outputs.items()],
            self.weights,
        )
        opset = helper.make_opsetid("", OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION, producer_name="toy_network")
        helper.set_model_props(model, {"input": input_kind, "name": name})
        onnx.checker.check_model(model, full_check=True)
        return model


def policy(seed):
    """A toy policy network: a layer that sees the planes and the numbers, and a layer for each output."""
    graph = Graph(seed)
    board = graph.conv("planes", "board", PLANES, WIDTH, 3)
    # What belongs to no square is added on every square; the 0 keeps the size of the batch.
    numbers = graph.linear("features", "numbers", FEATURES, WIDTH)
    sizes = graph.constant("sizes", numpy.array([0, WIDTH, 1, 1], numpy.int64))
    everywhere = graph.node("Reshape", [numbers, sizes], "everywhere")
    flow = graph.relu(graph.node("Add", [board, everywhere], "hidden"))
    # A move's number is 584·row + 73·column + plane, so the planes must be the last axis when all is made flat.
    for name in ["policy", "action_value"]:
        planes = graph.conv(flow, f"{name}.planes", WIDTH, MOVE_PLANES, 1)
        turned = graph.node("Transpose", [planes], f"{name}.turned", perm=[0, 2, 3, 1])
        graph.node("Flatten", [turned], name, axis=1)
    whole = graph.node("Flatten", [graph.node("GlobalAveragePool", [flow], "average")], "whole", axis=1)
    graph.linear(whole, "value", WIDTH, 1)
    graph.linear(whole, "result", WIDTH, 3)
    inputs = {"planes": [PLANES, 8, 8], "features": [FEATURES]}
    outputs = {"policy": [MOVES], "action_value": [MOVES], "value": [1], "result": [3]}
    return graph.model("toy-policy", "goal-policy", inputs, outputs)


def satisfaction(seed):
    """A toy satisfaction network: two fully connected layers."""
    graph = Graph(seed)
    flat = graph.node("Flatten", ["planes"], "flat", axis=1)
    hidden = graph.relu(graph.linear(flat, "hidden", 64 * THESIS_PLANES, WIDTH))
    logit = graph.linear(hidden, "logit", WIDTH, 1)
    graph.node("Sigmoid", [logit], "satisfaction")
    return graph.model("toy-satisfaction", "thesis", {"planes": [THESIS_PLANES, 8, 8]}, {"satisfaction": [1]})


def write(folder, seed):
    """Writes both networks to the folder, and returns the paths of the policy and the satisfaction network."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, model in [("policy", policy(seed)), ("satisfaction", satisfaction(seed))]:
        paths.append(folder / f"{name}.onnx")
        onnx.save(model, paths[-1])
    return paths


def commands(policy_path, satisfaction_path):
    """What the engine is to do with the networks, as arguments of `entente`."""
    one = ["--count", "1", "--seed", "1", "--format", "epd"]
    return [
        ["policy", "startpos", "--network", policy_path, "--constraint", "Q=0 q=0", "--moves", "3"],
        ["generate", "Q=0 q=0", "--network", policy_path, *one],
        # Without a criterion every difference counts; those of random weights are small.
        ["generate", "(1,2,2,2,7)", "--network", satisfaction_path, "--criterion", "0", *one],
    ]


def check(engine, paths):
    """Has the engine run both networks; true if it did all that it was asked."""
    all_done = True
    for arguments in commands(*paths):
        arguments = [str(argument) for argument in arguments]
        try:
            done = subprocess.run([engine, *arguments], capture_output=True, encoding="utf-8", timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"toy_network: {error}", file=sys.stderr)
            return False
        verdict = "ok" if done.returncode == 0 else f"FAILED with exit status {done.returncode}"
        print(f"{verdict}: entente {shlex.join(arguments)}")
        if done.returncode != 0:
            print(done.stderr.strip(), file=sys.stderr)
            all_done = False
    return all_done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER", help="where the files go")
    parser.add_argument("--seed", type=int, default=1, help="of the random weights, default 1")
    parser.add_argument("--check", action="store_true", help="have the engine load and run both")
    parser.add_argument("--engine", type=pathlib.Path, default=ENGINE, metavar="PROGRAM", help="default %(default)s")
    arguments = parser.parse_args()
    if arguments.seed < 0:
        parser.error(f"--seed: expected a number from 0, found {arguments.seed}")
    try:
        paths = write(arguments.output, arguments.seed)
    except OSError as error:
        sys.exit(f"toy_network: {error}")
    for path in paths:
        print(f"wrote {path}, {path.stat().st_size} bytes")
    return 0 if not arguments.check or check(arguments.engine, paths) else 1


if __name__ == "__main__":
    sys.exit(main())
