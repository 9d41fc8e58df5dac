"""Legal chess positions for a constraint, each with a game that leads to it, as people might have played it.

>>> import entente
>>> position = next(entente.generate("Q=0 q=0 R-r=1", seed=7, method="negamax", evaluator="men"))
>>> position.fen
'rn2k3/1p3n1N/p2p1pp1/1Pp1p2p/P5bP/B1PPP3/4BPK1/RN4R1 b q - 0 19'

`generate` makes positions and `Constraint` describes them; `policy` says which moves people play; `prove` finds proof
games of diagrams; `Engine` plays and analyses. The README of this package has an example of each.
"""

from ._data import Match, check, dataset, filter, matches
from ._entente import (
    Constraint,
    Dataset,
    Explanation,
    Position,
    Predictions,
    Proof,
    Run,
    Table,
    __version__,
    policy,
    prove,
)
from ._errors import ConstraintError, EntenteError, Impossible, PositionError, SettingError, Undetermined
from ._generate import Positions, book, generate, generate_async, generate_many
from ._play import Engine, Evaluation, evaluate

__all__ = [
    "Constraint",
    "ConstraintError",
    "Dataset",
    "Engine",
    "EntenteError",
    "Evaluation",
    "Explanation",
    "Impossible",
    "Match",
    "Position",
    "PositionError",
    "Positions",
    "Predictions",
    "Proof",
    "Run",
    "SettingError",
    "Table",
    "Undetermined",
    "__version__",
    "book",
    "check",
    "dataset",
    "evaluate",
    "filter",
    "generate",
    "generate_async",
    "generate_many",
    "matches",
    "policy",
    "prove",
]


def _refuse_shared_locks() -> None:
    """Let a child process after a fork load its own networks."""
    import os  # noqa: PLC0415

    from . import _entente  # noqa: PLC0415

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_entente._after_fork)


_refuse_shared_locks()
