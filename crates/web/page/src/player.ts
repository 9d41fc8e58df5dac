/** Plays through a line: its moves as a list, buttons, and the arrow keys. */

import { button, fill, h } from './dom';
import { lineOf, moverOf, numberBefore, type Step } from './game';
import { icon } from './icons';

export class Player {
  readonly element: HTMLElement;
  private readonly list = h('ol', { class: 'moves' });
  private steps: Step[] = [];
  private at = 0;
  private readonly onShow: (step: Step, index: number) => void;

  constructor(label: string, onShow: (step: Step, index: number) => void) {
    this.onShow = onShow;
    const nav = h('div', { class: 'player-buttons', role: 'group', 'aria-label': `Moves: ${label}` },
      button(icon('first'), () => this.go(0), { class: 'icon-button', 'aria-label': 'First position', title: 'First position (Home)' }),
      button(icon('back'), () => this.go(this.at - 1), { class: 'icon-button', 'aria-label': 'Back', 'data-step': 'back', title: 'Back (left arrow)' }),
      button(icon('forward'), () => this.go(this.at + 1), { class: 'icon-button', 'aria-label': 'Forward', title: 'Forward (right arrow)' }),
      button(icon('last'), () => this.go(this.steps.length - 1), { class: 'icon-button', 'aria-label': 'Last position', title: 'Last position (End)' }));
    this.element = h('div', { class: 'player' }, nav, this.list);
  }

  get step(): Step | undefined {
    return this.steps[this.at];
  }

  /** Sets the line; `at` is the position to begin with, the last one if it is too large. */
  set(root: string, moves: string[], at: number): void {
    this.steps = lineOf(root, moves).steps;
    this.drawMoves();
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    this.refresh();
  }

  /** Shows the present position again, after something else was on the board. */
  refresh(): void {
    this.go(this.at, true);
  }

  go(index: number, isForced = false): void {
    const next = Math.max(0, Math.min(index, this.steps.length - 1));
    if (next === this.at && !isForced) return;
    this.at = next;
    for (const each of this.list.querySelectorAll<HTMLElement>('[data-at]')) {
      const isHere = Number(each.dataset.at) === next;
      if (isHere) {
        each.setAttribute('aria-current', 'step');
        this.reveal(each);
      } else each.removeAttribute('aria-current');
    }
    if (next === 0) this.list.scrollTop = 0;
    const step = this.steps[next];
    if (step) this.onShow(step, next);
  }

  /** Scrolls the list itself only: `scrollIntoView` would move the whole page. */
  private reveal(element: HTMLElement): void {
    const [top, bottom] = [element.offsetTop - this.list.offsetTop, element.offsetTop - this.list.offsetTop + element.offsetHeight];
    if (top < this.list.scrollTop) this.list.scrollTop = top - 8;
    else if (bottom > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = bottom - this.list.clientHeight + 8;
  }

  private drawMoves(): void {
    fill(this.list, ...this.steps.slice(1).map((step, index) => {
      const before = this.steps[index]!;
      const hasNumber = moverOf(before.fen) === 'white' || index === 0;
      return h('li', {}, hasNumber ? h('span', { class: 'move-number' }, numberBefore(before.fen)) : null,
        h('button', { type: 'button', class: 'move', 'data-at': index + 1, on: { click: () => this.go(index + 1) } }, step.san));
    }));
  }

  /** Whether the key was one of those that play through. */
  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.target as HTMLElement;
    if (target.matches('input, textarea, select, [role=tab]')) return false;
    const next = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length - 1 }[event.key];
    if (next === undefined) return false;
    this.go(next);
    event.preventDefault();
    return true;
  }
}
