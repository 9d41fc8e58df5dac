/** The text of a diagram: men on squares, and the side to move. Anything may have been typed or linked. */

import { menOfFen } from './miniboard';

export interface Diagram { men: Map<string, string>; turn: 'white' | 'black' | null }

export const START_PLACEMENT = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

export const readDiagram = (text: string): Diagram => ({
  men: menOfFen(text),
  turn: text.trim().split(/\s+/)[1] === 'b' ? 'black' : text.trim().split(/\s+/)[1] === 'w' ? 'white' : null,
});

/** Why the placement cannot be read, or null. The server judges everything else. */
export function faultOf(text: string): string | null {
  const rows = (text.trim().split(/\s+/)[0] ?? '').split('/');
  if (rows.length !== 8) return `A diagram has 8 ranks with “/” between them; this has ${text.trim() === '' ? 'none' : rows.length}.`;
  for (const [index, row] of rows.entries()) {
    const wrong = /[^kqrbnpKQRBNP1-8]/.exec(row);
    if (wrong) return `“${wrong[0]}” in rank ${8 - index} is neither a man nor a number.`;
    const width = Array.from(row).reduce((sum, letter) => sum + (/[1-8]/.test(letter) ? Number(letter) : 1), 0);
    if (width !== 8) return `Rank ${8 - index} has ${width} squares instead of 8.`;
  }
  return null;
}

export function writeDiagram({ men, turn }: Diagram): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank -= 1) {
    let row = '';
    let gap = 0;
    for (const file of 'abcdefgh') {
      const man = men.get(`${file}${rank}`);
      if (!man) {
        gap += 1;
        continue;
      }
      row += (gap > 0 ? String(gap) : '') + man;
      gap = 0;
    }
    rows.push(row + (gap > 0 ? String(gap) : ''));
  }
  const placement = rows.join('/');
  // Any castling rights and any en passant square: the board does not show them.
  return turn === null ? placement : `${placement} ${turn === 'white' ? 'w' : 'b'} ? ?`;
}

export const movedMan = ({ men, turn }: Diagram, square: string, man: string | null): Diagram => {
  const next = new Map(men);
  if (man === null) next.delete(square);
  else next.set(square, man);
  return { men: next, turn };
};
