/** The large board: chessground, told what to show. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { Key } from '@lichess-org/chessground/types';
import { h } from './dom';
import { destinations, isPromotion, moverOf, type Step } from './game';
import { picture } from './men';

export class Board {
  readonly element: HTMLElement;
  private readonly promotion = h('div', { class: 'promotion', role: 'group', 'aria-label': 'Promote to', hidden: true });
  private readonly wrap = h('div', { class: 'board' });
  private ground: Api | null = null;
  private config: Config = {};
  side: 'white' | 'black' = 'white';

  constructor() {
    this.element = h('div', { class: 'board-frame' }, this.wrap, this.promotion);
  }

  /** Chessground measures its element, so it starts when the element is on the page. */
  private draw(config: Config): void {
    this.config = { ...this.config, ...config };
    if (this.ground) this.ground.set(config);
    else if (this.wrap.isConnected && this.wrap.clientWidth > 0) {
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      this.ground = Chessground(this.wrap, {
        coordinates: true, animation: { enabled: !calm, duration: 180 }, drawable: { enabled: false }, highlight: { lastMove: true, check: true },
        premovable: { enabled: false }, ...this.config,
      });
    }
  }

  /** To be called once the element is visible. */
  start(): void {
    if (this.ground) this.ground.redrawAll();
    else this.draw({});
  }

  stop(): void {
    this.ground?.destroy();
    this.ground = null;
    this.wrap.replaceChildren();
  }

  turn(side: 'white' | 'black'): void {
    this.side = side;
    this.draw({ orientation: side });
  }

  /**
   * Shows a position. With `onMove`, the side to move can move. Chessground's `viewOnly` is never used: a board that is
   * drawn with it does not listen to the mouse, and does not begin to when it ends.
   */
  show(step: Step, onMove?: (uci: string) => void): void {
    this.promotion.hidden = true;
    const mover = moverOf(step.fen);
    const last = step.uci ? [step.uci.slice(0, 2) as Key, step.uci.slice(2, 4) as Key] : undefined;
    this.wrap.classList.toggle('is-playable', onMove !== undefined);
    this.draw({
      fen: step.fen,
      turnColor: mover,
      check: step.isCheck ? mover : false,
      lastMove: last ?? [],
      orientation: this.side,
      movable: onMove
        ? { free: false, color: mover, showDests: true, dests: destinations(step.fen) as Map<Key, Key[]>, events: { after: (from, to) => this.moved(step, from, to, onMove) } }
        : { free: false, color: undefined, dests: new Map() },
    });
  }

  private moved(step: Step, from: string, to: string, onMove: (uci: string) => void): void {
    if (!isPromotion(step.fen, from, to)) {
      onMove(from + to);
      return;
    }
    const isWhite = moverOf(step.fen) === 'white';
    this.promotion.replaceChildren(...['q', 'n', 'r', 'b'].map((letter) => h('button', {
      type: 'button', 'aria-label': { q: 'queen', n: 'knight', r: 'rook', b: 'bishop' }[letter] ?? letter,
      on: { click: () => { this.promotion.hidden = true; onMove(from + to + letter); } },
    }, picture(isWhite ? letter.toUpperCase() : letter))));
    this.promotion.hidden = false;
    this.promotion.querySelector('button')?.focus();
  }

  /** Marks squares with circles, for reasons that name them. */
  mark(squares: string[]): void {
    this.ground?.setAutoShapes(squares.map((orig) => ({ orig: orig as Key, brush: 'red' })));
  }
}
