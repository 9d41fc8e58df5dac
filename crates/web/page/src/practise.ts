/** A game against the engine from a position on. */

import { messageOf, play } from './api';
import { button, field, fill, h, select } from './dom';
import { endOf, lineOf, moveOf, moverOf, standardCastling, type Step } from './game';
import { whole } from './link';
import { Player } from './player';
import type { Position } from './types';

/** The ratings at which the engine can play as people do. */
const WEAKEST = 600;
const STRONGEST = 2600;

export class Practising {
  readonly element = h('div', { class: 'practising' });
  readonly player: Player;
  private moves: string[] = [];
  private own: 'white' | 'black';
  private elo: number | null;
  private isPlaying = false;
  private controller: AbortController | null = null;
  private readonly status = h('p', { class: 'practise-status', role: 'status' });
  private readonly typed = h('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Nf3' });

  constructor(
    private readonly position: Position,
    private readonly onShow: (step: Step, onMove?: (uci: string) => void) => void,
    private readonly onSide: (side: 'white' | 'black') => void,
  ) {
    this.own = moverOf(position.fen);
    const opponent = this.own === 'white' ? position.black_elo : position.white_elo;
    this.elo = opponent == null ? null : Math.min(STRONGEST, Math.max(WEAKEST, opponent));
    this.player = new Player('practice game', (step, index) => this.show(step, index));
    this.setUp();
  }

  private setUp(): void {
    this.isPlaying = false;
    const side = select([['white', 'White'], ['black', 'Black']], this.own, (value) => { this.own = value === 'black' ? 'black' : 'white'; });
    const rating = h('input', { type: 'number', min: WEAKEST, max: STRONGEST, step: 100, value: this.elo ?? 1500 });
    rating.addEventListener('input', () => { this.elo = whole(rating.value, WEAKEST, STRONGEST) ?? this.elo; });
    const ratingField = field('Their rating', rating);
    const strength = select([['people', 'as people play'], ['full', 'at full strength']], this.elo === null ? 'full' : 'people', (value) => {
      this.elo = value === 'full' ? null : (whole(rating.value, WEAKEST, STRONGEST) ?? 1500);
      ratingField.hidden = value === 'full';
    });
    ratingField.hidden = this.elo === null;
    const strengthField = field('Entente plays', strength);
    strengthField.classList.add('is-wide');
    fill(this.element, h('div', { class: 'practise-fields' }, field('You play', side), strengthField, ratingField),
      button('Start the game', () => this.start(), { class: 'button primary' }));
  }

  private start(): void {
    this.isPlaying = true;
    this.moves = [];
    this.onSide(this.own);
    const form = h('form', { class: 'typed-move', on: { submit: (event) => { event.preventDefault(); this.typeMove(); } } },
      field('Your move in letters', this.typed), h('button', { type: 'submit', class: 'button' }, 'Play'));
    fill(this.element, h('p', { class: 'facts' }, this.opponent()), this.status, this.player.element, form, h('div', { class: 'row' },
      button('Take back', () => this.takeBack()), button('New game', () => { this.stop(); this.moves = []; this.setUp(); this.player.set(this.position.fen, [], 0); })));
    this.update();
  }

  private opponent(): string {
    const side = this.own === 'white' ? 'Black' : 'White';
    return `${side} is Entente, ${this.elo === null ? 'at full strength' : `as people rated ${this.elo} play`}.`;
  }

  private steps(): Step[] {
    return lineOf(this.position.fen, this.moves).steps;
  }

  /** The last position of the game can be played on; earlier ones are only looked at. */
  private show(step: Step, index: number): void {
    const isLast = index === this.moves.length;
    const isOwn = this.isPlaying && isLast && moverOf(step.fen) === this.own && !endOf(step.fen);
    this.onShow(step, isOwn ? (uci) => this.move(uci) : undefined);
  }

  private update(): void {
    this.player.set(this.position.fen, this.moves, this.moves.length);
    const last = this.steps().at(-1)!;
    const end = endOf(last.fen);
    if (end) this.status.textContent = `${end.result}, ${end.reason}`;
    else if (moverOf(last.fen) === this.own) this.status.textContent = last.san ? `Entente played ${last.san}. Your move.` : 'Your move.';
    else void this.reply();
  }

  private move(uci: string): void {
    const fen = this.steps().at(-1)!.fen;
    this.moves.push(standardCastling(fen, uci));
    this.update();
  }

  private typeMove(): void {
    const last = this.steps().at(-1)!;
    if (moverOf(last.fen) !== this.own || endOf(last.fen)) return;
    const uci = moveOf(last.fen, this.typed.value);
    if (!uci) {
      this.status.textContent = this.typed.value.trim() === '' ? 'Your move.' : `Not a legal move here: ${this.typed.value.trim()}`;
      this.typed.setAttribute('aria-invalid', 'true');
      return;
    }
    this.typed.value = '';
    this.typed.removeAttribute('aria-invalid');
    this.move(uci);
  }

  private async reply(): Promise<void> {
    this.stop();
    const own = new AbortController();
    this.controller = own;
    this.status.textContent = 'Entente is thinking\u2026';
    try {
      const { root, moves } = this.position;
      const all = [...moves, ...this.moves];
      const answer = await play({ root, ...(all.length > 0 ? { moves: all } : {}), ...(this.elo === null ? {} : { elo: this.elo }), time: 1000 }, own.signal);
      if (own.signal.aborted) return;
      if (answer.move) {
        this.moves.push(answer.move);
        this.update();
      }
      if (answer.result !== '*') this.status.textContent = `${answer.result}${answer.reason ? `, ${answer.reason}` : ''}`;
    } catch (error) {
      if (own.signal.aborted) return;
      fill(this.status, h('span', { class: 'error' }, `${messageOf(error)} `), button('Try again', () => void this.reply()));
    }
  }

  /** Back to the user's own last move. */
  private takeBack(): void {
    this.stop();
    if (this.moves.length === 0) return;
    do this.moves.pop(); while (this.moves.length > 0 && moverOf(this.steps().at(-1)!.fen) !== this.own);
    this.update();
  }

  stop(): void {
    this.controller?.abort();
  }
}
