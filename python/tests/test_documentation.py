"""The examples in docstrings, and the notebook."""

import doctest
import inspect
import sys
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import entente

NOTEBOOK = Path(__file__).parents[2] / "examples" / "positions.ipynb"


def documented():
    """All public items and their members that have a docstring, by name."""
    yield "entente", inspect.getdoc(entente)
    for name in entente.__all__:
        item = getattr(entente, name)
        yield name, inspect.getdoc(item)
        if inspect.isclass(item):
            for member, value in vars(item).items():
                yield f"{name}.{member}", inspect.getdoc(value)


class Documentation(unittest.TestCase):
    def test_examples_in_docstrings_are_right(self):
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
        for name, text in documented():
            examples = parser.get_doctest(text or "", {}, name, None, None)
            with self.subTest(name):
                self.assertEqual(runner.run(examples).failed, 0)
        self.assertGreater(runner.summarize(verbose=False).attempted, 20)

    def test_help_is_what_editors_show(self):
        self.assertIn("never had more than 16", entente.prove.__doc__)
        self.assertIn("as PGN, with tags", entente.Position.pgn.__doc__)
        for name, text in documented():
            if "._" not in name and not name.startswith("_"):
                self.assertTrue(text, name)

    def test_the_notebook_runs(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        client = NotebookClient(notebook, timeout=600, kernel_name="python3")
        client.create_kernel_manager()
        client.km.kernel_spec.argv[0] = sys.executable
        client.execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        kinds = {kind for output in outputs for kind in output.get("data", {})}
        self.assertLessEqual({"image/svg+xml", "image/png", "text/html"}, kinds)


if __name__ == "__main__":
    unittest.main()
