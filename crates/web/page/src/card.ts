/** One position in the gallery. */

import { button, h } from './dom';
import { icon } from './icons';
import { drop, isKept, keep, kept } from './library';
import { miniBoard } from './miniboard';
import { sideBelow } from './preferences';
import type { Position } from './types';

/** "1500" or "1500 against 1800", or nothing. */
export function ratingsOf({ white_elo: white, black_elo: black }: Position): string {
  if (white == null && black == null) return '';
  return white === black ? `rated ${white}` : `rated ${white ?? 'any'} and ${black ?? 'any'}`;
}

/** 120 as "eval +1.2"; a win that is proved, by a mate or a table, counts as 9,000 or more. */
function evaluationOf(centipawns: number | undefined): string {
  if (centipawns === undefined) return '';
  const sign = centipawns > 0 ? '+' : centipawns < 0 ? '\u2212' : '';
  if (Math.abs(centipawns) >= 9000) return `${centipawns > 0 ? 'White' : 'Black'} wins`;
  return `eval ${sign}${(Math.abs(centipawns) / 100).toFixed(1)}`;
}

export function puzzleOf(rating: number | undefined, error: number | undefined): string {
  return rating === undefined ? '' : `puzzle ${Math.round(rating)}${error === undefined ? '' : ` \u00b1 ${Math.round(error)}`}`;
}

/** How the game of a position came about, if not by people's moves alone: in short, and as a sentence. */
export function caveatOf(caveat: string): { short: string; long: string } {
  if (caveat === 'led to the goal') return { short: 'steered game', long: 'The moves of this game were steered to the position; less like games of people.' };
  if (caveat === 'by search') return { short: 'searched game', long: 'A search finished this game; its moves are not like those of people.' };
  return { short: caveat, long: caveat };
}

export const factsOf = (position: Position): string[] => [
  `move ${Math.floor(position.plies / 2) + 1}`,
  ratingsOf(position),
  evaluationOf(position.centipawns),
  puzzleOf(position.puzzle_rating, position.puzzle_error),
].filter((fact) => fact !== '');

/** What brings a button for keeping up to date. Buttons that left the page need no update and are forgotten. */
const refreshers = new WeakMap<Element, () => void>();
kept.watch(() => {
  for (const element of document.querySelectorAll('.keep')) refreshers.get(element)?.();
});

/** A button that keeps a board or removes it. */
export function keepButton(position: Position, withText: boolean): HTMLButtonElement {
  const element = button(icon('star'), () => (isKept(position) ? drop(position) : keep(position)), { class: withText ? 'button keep' : 'icon-button keep' });
  const text = h('span', { class: withText ? '' : 'unseen' });
  element.append(text);
  const refresh = () => {
    const now = isKept(position);
    element.setAttribute('aria-pressed', String(now));
    element.title = now ? 'Remove this board' : 'Keep this board';
    text.textContent = withText ? (now ? 'Kept' : 'Keep') : `Keep position ${position.number}`;
  };
  refreshers.set(element, refresh);
  refresh();
  return element;
}

export function card(position: Position, onOpen: () => void): HTMLElement {
  const title = `${position.number}. ${position.task}`;
  return h('article', { class: 'card', 'data-testid': 'position' },
    h('button', { type: 'button', class: 'card-open', 'aria-label': `Open position ${position.number}: ${position.task}`, on: { click: onOpen } },
      miniBoard(position.fen, sideBelow(position.fen), { lastMove: position.moves.at(-1) })),
    h('div', { class: 'card-head' }, h('h3', {}, title), keepButton(position, false)),
    h('p', { class: 'facts' }, factsOf(position).join(' \u00b7 ')),
    position.caveat ? h('p', { class: 'caveat', title: caveatOf(position.caveat).long }, caveatOf(position.caveat).short) : null);
}
