/** A board that only shows a position: one element for each man, and no listeners. A page of a hundred stays fast. */

import { h } from './dom';
import { isMan, pieceOf } from './men';

export interface Marked { lastMove?: string | undefined; squares?: string[] }

/** The men of a FEN's placement, by square. */
export function menOfFen(fen: string): Map<string, string> {
  const men = new Map<string, string>();
  (fen.split(' ')[0] ?? '').split('/').slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else if (isMan(letter) && file < 8) men.set('abcdefgh'.charAt(file++) + String(8 - index), letter);
      else file += 1;
    }
  });
  return men;
}

function put(element: HTMLElement, square: string, isFlipped: boolean): void {
  const [file, rank] = ['abcdefgh'.indexOf(square.charAt(0)), Number(square.charAt(1)) - 1];
  element.style.left = `${(isFlipped ? 7 - file : file) * 12.5}%`;
  element.style.top = `${(isFlipped ? rank : 7 - rank) * 12.5}%`;
}

export function miniBoard(fen: string, side: 'white' | 'black', { lastMove, squares = [] }: Marked = {}): HTMLElement {
  const board = h('div', { class: `cg-wrap mini${side === 'black' ? ' is-black' : ''}`, role: 'img', 'aria-label': `Board: ${fen.split(' ')[0]}` });
  const isFlipped = side === 'black';
  const mark = (square: string, kind: string) => {
    const element = h('i', { class: kind });
    put(element, square, isFlipped);
    board.append(element);
  };
  if (lastMove) for (const square of [lastMove.slice(0, 2), lastMove.slice(2, 4)]) mark(square, 'last');
  for (const square of squares) mark(square, 'marked');
  for (const [square, letter] of menOfFen(fen)) {
    const piece = pieceOf(letter);
    put(piece, square, isFlipped);
    board.append(piece);
  }
  return board;
}
