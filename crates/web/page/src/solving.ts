/** The solution of a position: tried on the board first, or shown, then played through. */

import { messageOf, solve } from './api';
import { puzzleOf } from './card';
import { button, fill, h, type Child } from './dom';
import { endOf, lineOf, moverOf, standardCastling, type Step } from './game';
import { Player } from './player';
import type { Position, Solution } from './types';

/** Solutions that were found, so that going back to a position does not ask again. */
const known = new WeakMap<Position, Solution>();

/** Conditions that say something about the best moves; without one of them, the line is only the engine's choice. */
const SOLUTION = /(^|[\s(!|&,])(only|mate|theme|hold|convert|best|bad|puzzle|moves|wdl)(?![a-z])/;

export const hasSolution = ({ constraint }: Position): boolean => SOLUTION.test(constraint);

export class Solving {
  readonly element = h('div', { class: 'solving' });
  readonly player: Player;
  private controller = new AbortController();
  /** The moves that were tried on the board and were right, with the answers to them. */
  private tried: string[] = [];
  private isTrying = true;
  private readonly word: string;

  constructor(private readonly position: Position, private readonly onShow: (step: Step, onMove?: (uci: string) => void) => void) {
    this.player = new Player('solution', (step) => this.onShow(step));
    this.word = hasSolution(position) ? 'solution' : 'best line';
    this.start();
  }

  private start(): void {
    this.tried = [];
    this.isTrying = true;
    this.say(`${this.position.task}. Find the best move on the board first.`);
  }

  /** What is said while moves are tried. */
  private say(...words: Child[]): void {
    fill(this.element, h('p', { class: 'practise-status', role: 'status' }, ...words),
      button(`Show ${this.word}`, () => void this.reveal(), { class: 'button primary' }));
  }

  private steps(): Step[] {
    return lineOf(this.position.fen, this.tried).steps;
  }

  /** Draws the board again, after something else was on it. */
  refresh(): void {
    if (!this.isTrying) {
      this.player.refresh();
      return;
    }
    const step = this.steps().at(-1)!;
    this.onShow(step, endOf(step.fen) ? undefined : (uci) => void this.try(uci));
  }

  private async solution(): Promise<Solution> {
    const present = known.get(this.position);
    if (present) return present;
    const { root, moves, fen, white_elo, black_elo } = this.position;
    const elo = moverOf(fen) === 'black' ? black_elo : white_elo;
    const solution = await solve({ root, ...(moves.length > 0 ? { moves } : {}), ...(elo ? { elo: Math.min(3500, Math.max(100, elo)) } : {}) }, this.controller.signal);
    known.set(this.position, solution);
    return solution;
  }

  /** A move on the board: the one of the solution is answered, and another one goes back. */
  private async try(uci: string): Promise<void> {
    const before = this.steps().at(-1)!;
    const move = standardCastling(before.fen, uci);
    const after = lineOf(before.fen, [move]).steps.at(-1)!;
    this.onShow(after);
    this.say(`${after.san}\u2026`);
    let solution: Solution;
    try {
      solution = await this.solution();
    } catch (error) {
      if (this.controller.signal.aborted) return;
      this.say(h('span', { class: 'error' }, messageOf(error)));
      this.refresh();
      return;
    }
    if (this.controller.signal.aborted || !this.isTrying) return;
    const at = this.tried.length;
    // Other moves that are as good are named with the value: "White mates in 1; also 36. Qf7#".
    const others = at === 0 ? (/also ([^;]*)/.exec(solution.value)?.[1] ?? '').split(/[\s,]+/) : [];
    const isRight = solution.moves[at] === move || endOf(after.fen)?.reason === 'checkmate' || others.includes(after.san);
    if (!isRight) {
      this.say(this.word === 'solution' ? `${after.san} is not the move. Try again.` : `${after.san} is not the engine\u2019s first choice, though it may be good. Try again.`);
      this.refresh();
      return;
    }
    this.tried.push(move);
    const reply = solution.moves[at] === move ? solution.moves[at + 1] : undefined;
    if (reply) this.tried.push(reply);
    const isOver = !reply || solution.moves[at + 2] === undefined;
    if (isOver) {
      this.show(solution, solution.moves[at] === move ? this.tried.length : 0, `${after.san} is right.`);
      return;
    }
    this.say(`${after.san} is right. ${moverOf(this.position.fen) === 'white' ? 'Black' : 'White'} answers ${this.steps().at(-1)!.san}. What now?`);
    this.refresh();
  }

  private async reveal(): Promise<void> {
    this.isTrying = false;
    fill(this.element, h('p', { role: 'status' }, `Searching for the ${this.word}\u2026`));
    try {
      this.show(await this.solution(), 0);
    } catch (error) {
      if (this.controller.signal.aborted) return;
      fill(this.element, h('p', { class: 'error', role: 'alert' }, messageOf(error)), button('Try again', () => void this.reveal()));
    }
  }

  private show(solution: Solution, at: number, praise?: string): void {
    if (this.controller.signal.aborted) return;
    this.isTrying = false;
    const { fen } = this.position;
    const isWhole = lineOf(fen, solution.moves).isWhole && solution.moves.length > 0;
    const again = button('Try it again', () => {
      this.start();
      this.refresh();
    });
    fill(this.element,
      praise ? h('p', { class: 'practise-status', role: 'status' }, praise) : null,
      h('p', { class: 'solution-value', role: 'status' }, h('strong', {}, solution.value)),
      solution.themes.length > 0 ? h('ul', { class: 'themes', 'aria-label': 'Themes' }, ...solution.themes.map((theme) => h('li', {}, theme.replaceAll('-', ' ')))) : null,
      isWhole ? this.player.element : h('p', {}, solution.line),
      solution.wrong ? h('p', { class: 'wrong-try' }, h('strong', {}, 'A mistake: '), solution.wrong) : null,
      solution.puzzle_rating === undefined || solution.value.includes('puzzle') ? null : h('p', { class: 'facts' }, puzzleOf(solution.puzzle_rating, solution.puzzle_error)),
      again);
    if (isWhole) this.player.set(fen, solution.moves, Math.min(at, solution.moves.length));
  }

  stop(): void {
    this.controller.abort();
  }
}
