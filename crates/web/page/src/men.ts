/** The men: their letters, their names, and small pictures of them. */

import { h } from './dom';

const NAMES: Record<string, string> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

export const WHITE_MEN = ['K', 'Q', 'R', 'B', 'N', 'P'];
export const BLACK_MEN = ['k', 'q', 'r', 'b', 'n', 'p'];
export const isMan = (letter: string): boolean => letter.length === 1 && letter.toLowerCase() in NAMES;
export const colourOf = (letter: string): 'white' | 'black' => (letter === letter.toUpperCase() ? 'white' : 'black');
export const roleOf = (letter: string): string => NAMES[letter.toLowerCase()] ?? '';

/** "white knight" */
export const nameOf = (letter: string): string => `${colourOf(letter)} ${roleOf(letter)}`;

/** The element that chessground's piece set draws a man on. */
export const pieceOf = (letter: string): HTMLElement => {
  const piece = document.createElement('piece');
  piece.className = `${colourOf(letter)} ${roleOf(letter)}`;
  return piece;
};

/** A picture of a man that stands in text or on a button. */
export const picture = (letter: string): HTMLElement => h('span', { class: 'cg-wrap man', 'aria-hidden': 'true' }, pieceOf(letter));
