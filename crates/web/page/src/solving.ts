/** The solution of a position: hidden until it is asked for, then played through. */

import { messageOf, solve } from './api';
import { puzzleOf } from './card';
import { button, fill, h } from './dom';
import { lineOf, moverOf, type Step } from './game';
import { Player } from './player';
import type { Position, Solution } from './types';

/** Solutions that were found, so that going back to a position does not ask again. */
const known = new WeakMap<Position, Solution>();

export class Solving {
  readonly element = h('div', { class: 'solving' });
  readonly player: Player;
  private controller: AbortController | null = null;

  constructor(private readonly position: Position, private readonly onShow: (step: Step) => void) {
    this.player = new Player('solution', (step) => this.onShow(step));
    this.start();
  }

  private start(): void {
    if (known.has(this.position)) {
      this.show(known.get(this.position)!);
      return;
    }
    fill(this.element, h('p', {}, `${this.position.task}. Find the best move on the board first.`),
      button('Show solution', () => void this.ask(), { class: 'button primary' }));
  }

  private async ask(): Promise<void> {
    this.controller = new AbortController();
    fill(this.element, h('p', { role: 'status' }, 'Searching for the solution\u2026'));
    const { root, moves, fen, white_elo, black_elo } = this.position;
    const elo = moverOf(fen) === 'black' ? black_elo : white_elo;
    try {
      const solution = await solve({ root, ...(moves.length > 0 ? { moves } : {}), ...(elo ? { elo: Math.min(3500, Math.max(100, elo)) } : {}) }, this.controller.signal);
      known.set(this.position, solution);
      this.show(solution);
    } catch (error) {
      if (this.controller.signal.aborted) return;
      fill(this.element, h('p', { class: 'error', role: 'alert' }, messageOf(error)), button('Try again', () => void this.ask()));
    }
  }

  private show(solution: Solution): void {
    const { fen } = this.position;
    const isWhole = lineOf(fen, solution.moves).isWhole && solution.moves.length > 0;
    fill(this.element,
      h('p', { class: 'solution-value', role: 'status' }, h('strong', {}, solution.value)),
      solution.themes.length > 0 ? h('ul', { class: 'themes', 'aria-label': 'Themes' }, ...solution.themes.map((theme) => h('li', {}, theme.replaceAll('-', ' ')))) : null,
      isWhole ? this.player.element : h('p', {}, solution.line),
      solution.wrong ? h('p', { class: 'wrong-try' }, h('strong', {}, 'A mistake: '), solution.wrong) : null,
      solution.puzzle_rating === undefined || solution.value.includes('puzzle') ? null : h('p', { class: 'facts' }, puzzleOf(solution.puzzle_rating, solution.puzzle_error)));
    if (isWhole) this.player.set(fen, solution.moves, 0);
  }

  stop(): void {
    this.controller?.abort();
  }
}
