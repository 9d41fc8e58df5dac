"""The types of keyword arguments that are settings.

A test of the crate `entente` writes this file, from the table of settings:
`UPDATE_DOCS=1 cargo test --release -p entente --lib documentation`.
"""

from __future__ import annotations

import os
from typing import Literal, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]


class Settings(TypedDict, total=False):
    """The settings of generation."""

    elo: int | None
    """The rating of both players. [1 to 4000; default: unknown]"""

    seed: int | None
    """The seed of the random numbers. The same seed gives the same positions with any number of threads. In play at
    a limited strength it gives the same moves. [at least 0; default: a different one each time]"""

    threads: int | None
    """The number of threads. Generation works on that many positions at the same time; the results do not depend on
    this number. In play all searches use that many, except at a limited strength without a network. [1 to 256;
    default: all cores; 1 over UCI]"""

    max_plies: int | None
    """The maximum length of the proof game, in plies from the root position. By default, games may be longer than
    101 plies if many men must be captured first, as in endgames, or if the constraint requires it; but not with
    `faithful`. [1 to 1000; default: 101, or as many as the constraint needs]"""

    nodes: int | None
    """The maximum number of nodes (positions searched or evaluated) for each generated position. Without this limit,
    a method gives up after 20 games, `best-first` after 127 searches, and `faithful` after one game. [at least 1;
    default: no limit]"""

    movetime: int | None
    """The maximum time for each position, in milliseconds. With it, results depend on the speed of the machine. [at
    least 1; default: no limit]"""

    white_elo: int | None
    """White's rating. The policy networks know ratings from 600 to 3200; one outside that range counts as its nearer
    end. A rating in the constraint overrides this one. In play, the default is `UCI_Elo` if strength is limited,
    otherwise the highest rating. [1 to 4000; default: unknown]"""

    black_elo: int | None
    """Black's rating; see `white-elo`. [1 to 4000; default: unknown]"""

    rating_scale: Literal["online", "fide", "chess.com"] | None
    """The scale of these ratings. [default: online]"""

    skill: bool | None
    """Whether players look ahead. A short search of each likely move corrects the policy network's probabilities;
    stronger players look further. Without it, moves are drawn from the network alone, which blunders pieces at any
    rating. It needs a policy file with a fitted skill; other policies play without it. [default: true]"""

    judge: Path | None
    """The path of a UCI engine that has the final say on conditions about evaluations and best moves, such as
    `eval=-30..30`, `quiet` or `only`. Without it, Entente's own search decides. [default: none]"""

    judge_nodes: int | None
    """The number of nodes of each search that decides a condition about evaluations or best moves, both for
    Entente's own search and for the judge's. A search with four times as many confirms evaluations and single good
    moves. [1000 to 1000000000; default: 200000]"""

    realism: Literal["auto", "natural", "fast"] | None
    """How closely games of the method `goal-policy` follow human play; following it more closely takes more time.
    With `natural` and `auto`, games to a whole diagram are searched for among those that humans are most likely to
    have played. [default: auto]"""

    strict: bool | None
    """Refuse games that were not produced the way `realism` asks for. With `natural`, all games must come from
    populations, or from beam search for a whole diagram. With `fast`, each must be played on its own. With `auto`,
    both kinds are accepted. Without `strict`, other methods finish what these two cannot, with search as the last
    resort, and the results say so. [default: false]"""

    method: Literal["auto", "goal-policy", "puct", "negamax", "rollout", "best-first"] | None
    """How generation chooses moves; in play, only `rollout` has an effect. `auto` takes the first of these methods
    that uses every setting you gave: `goal-policy`, then `negamax` for numbers of men or `best-first` for other
    constraints, then `puct`. A constraint that gives the squares of eight or more men, such as a whole diagram,
    takes `best-first` before `goal-policy`. [default: auto]"""

    network: Path | None
    """The network: the name of an embedded one or an ONNX file. `goal-policy` and `puct` need a policy network such
    as `goal-policy`; `negamax` needs a satisfaction network such as `thesis-1` or `thesis-2`. [default: goal-policy,
    or thesis-2]"""

    human_network: Path | None
    """The policy network that models people: how likely each move is without a constraint. `natural` and `fast`
    games follow it, and `network` leads them to the constraint. Play with `UCI_LimitStrength` draws its moves from
    it. `human-policy` is the embedded one; an ONNX file may be one of Maia or of Leela Chess Zero; with `none`, the
    policy network does both. [default: human-policy with the embedded goal-policy, otherwise none]"""

    evaluator: Literal["auto", "network", "men", "hand-written", "article"] | None
    """How the engine evaluates positions. In `negamax`, `network` uses a satisfaction network (exact numbers of
    White's men only), `men` counts men, and `auto` takes the network if you name one or if one was trained on the
    constraint. In play, `network` uses `PolicyFile` and plays like humans, `hand-written` plays without any network,
    and `auto` is `network` if `UCI_LimitStrength` is set, otherwise the embedded evaluation network, which plays
    best. The method `rollout` evaluates the ends of playouts with a smaller network, with the hand-written
    evaluation, or by counting men (`men`, formerly `material`). [default: auto]"""

    backend: Literal["cpu", "torch", "torch-cpu"] | None
    """The library that runs the network. [default: cpu]"""

    guidance: float | None
    """How strongly the constraint influences moves in `fast` games. The network's logits are computed with and
    without the constraint as its goal; their difference, times this factor, is added to those with it: 0 adds
    nothing, −1 removes the influence. [-1 to 10; default: 1.5]"""

    temperature: float | None
    """The temperature at which moves are drawn in the opening. 1 keeps the probabilities of the network or, in
    `puct`, the shares of visits; a lower value prefers likelier moves. [0.01 to 10; default: fitted to players of
    the rating; 0.85 if fast]"""

    late_temperature: float | None
    """The temperature from ply 30 on. Between plies 10 and 30 the temperature changes linearly. A network's file may
    have a temperature for ply 16, which is used if neither of these two is set. [0.01 to 10; default: fitted to
    players of the rating; 0.55 if fast]"""

    population: int | None
    """For `natural` games: the number of games in a population, one of which is drawn. If none of them satisfies the
    constraint, the next population is twice as large, up to eight times as large as the first. For a whole diagram,
    beam search keeps many times as many games. [1 to 1024; default: 5]"""

    mask: int | None
    """For `fast` games: how many plies the reachability mask looks ahead. The mask removes moves that put the
    constraint out of reach; with 0 it removes none. [0 to 2; default: 2]"""

    tilt: float | None
    """For `fast` games: the weight of the action value, which favours moves toward the constraint as the plies run
    out. [0 to 10; default: 2]"""

    finish: bool | None
    """For `fast` games: whether best-first search finishes a game if the plies have nearly run out, or if the mask
    leaves no move late in the game. If the search finds nothing, moves are taken back. [default: true]"""

    visits: int | None
    """The number of visits before each move in the tree search of the method `puct`. [1 to 1000000; default: 64]"""

    priors: Literal["network", "uniform"] | None
    """The priors of the tree search of the method `puct`: which moves it visits first. [default: network]"""

    depth: int | None
    """The depth of cooperative negamax, in plies. [1 to 8; default: 1 with a network, 2 without]"""

    criterion: float | None
    """Moves are drawn from those whose values are at most this far below the best. With a network, and with
    `faithful`, it is an absolute difference; with `men` it is a fraction of the best value. If search finds a
    position that satisfies the constraint, only the shortest ways to one are drawn, unless `faithful` is set. [0 to
    1; default: 0.1]"""

    faithful: bool | None
    """Search exactly as the published algorithm does: no pruning, no exact leaves, no transposition table, one
    attempt. [default: false]"""

    playout_depth: int | None
    """The maximum number of random plies after a move in a playout of the method `rollout`. `go depth` overrides it;
    the number in `go depth` includes the move itself. [0 to 500; default: 2]"""

    playouts: int | None
    """The number of playouts for each move of the game, unless the clock or `go nodes` decides. [1 to 4294967295;
    default: 100000 in play, 2000 in generation]"""

    allotment: Literal["ucb", "uniform"] | None
    """Which move the next playout begins with: the one with the highest upper confidence bound (`ucb`), or each in
    turn (`uniform`). [default: ucb]"""


class PlaySettings(Settings, total=False):
    """The settings of an engine that plays."""

    policy_file: Path | None
    """The policy network: an ONNX file, or `goal-policy`, the embedded one. The methods `goal-policy` and `puct` use
    it, and so does play with `Evaluator` = `network`. The engine loads it at the next `isready` or search that needs
    it, and again each time you set it. [default: goal-policy]"""

    eval_file: Path | None
    """The satisfaction network of the method `negamax`: an ONNX file, `thesis-1` or `thesis-2`. The engine loads it
    at the same times as `PolicyFile`. [default: thesis-2]"""

    limit_strength: bool | None
    """Limit the strength to `UCI_Elo`. [default: false]"""

    play_elo: int | None
    """The strength if `UCI_LimitStrength` is set. The engine draws moves as humans of that rating (`RatingScale`)
    play them; stronger players look further ahead. With the hand-written evaluation it searches fewer nodes instead,
    from 900 to 1850. [600 to 2600; default: 1500]"""

    hash: int | None
    """Memory for a plain `go`, in mebibytes: for its tree or its transposition table. [1 to 262144; default: 64]"""

    multi_pv: int | None
    """The number of lines that a plain `go` reports: of its best moves or, with `Mode` = `generate`, proof games
    that begin with different moves. [1 to 218; default: 1]"""

    ponder: bool | None
    """Tells the engine that the GUI may send `go ponder`. It has no other effect. [default: false]"""

    show_wdl: bool | None
    """Adds the probabilities of a win, a draw and a loss to the score, in permille. [default: false]"""

    move_overhead: int | None
    """The time lost between engine and GUI for each move, in milliseconds. With a clock, the engine keeps back as
    much for each of the moves to come. [0 to 5000; default: 30]"""

    exploration: float | None
    """The exploration constant of the tree search in play (PUCT): the weight of the network's priors relative to the
    values found. [0 to 10; default: 1.5]"""

    first_play_reduction: float | None
    """How far below its parent's value the tree search values an unvisited move. A win is 1 and a loss −1. [0 to 2;
    default: 0.3]"""

    prior_temperature: float | None
    """The temperature of the priors in that tree search; 1 takes them as they come from the network. [0.1 to 10;
    default: 1]"""

    look_ahead: int | None
    """The nodes, in hundreds, of the short alpha-beta search that corrects the network at every node of the tree
    search; 0 switches it off. More nodes see deeper, at most 12 plies, but slow the search. [0 to 1000; default: 20]"""

    look_ahead_share: float | None
    """The weight of the short search's score relative to the network's value. [0 to 1; default: 0.7]"""

    look_ahead_prior: float | None
    """The share of the prior that goes to the short search's best move. [0 to 0.9; default: 0.25]"""
