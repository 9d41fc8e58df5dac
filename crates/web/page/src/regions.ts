/** Squares and areas of the board, as the constraint language writes them: f5, d, 7, a-c, c3-f6. */

export const FILES = 'abcdefgh';
export const RANKS = '12345678';

/** The squares from a8 to h1, as a board shows them to White. */
export const SQUARES: string[] = [...RANKS].reverse().flatMap((rank) => [...FILES].map((file) => file + rank));

export const fileOf = (square: string): number => FILES.indexOf(square.charAt(0));
export const rankOf = (square: string): number => RANKS.indexOf(square.charAt(1));
export const squareAt = (file: number, rank: number): string => FILES.charAt(file) + RANKS.charAt(rank);

export interface Box { left: number; right: number; bottom: number; top: number }

/** The rectangle of an area, or null if the text is none or has its ends in the wrong order. */
export function boxOf(where: string): Box | null {
  const [from = '', to = from] = where.split('-');
  const file = (text: string) => FILES.indexOf(text.charAt(0));
  const isFile = /^[a-h]$/.test(from);
  const isRank = /^[1-8]$/.test(from);
  const box: Box = isFile
    ? { left: file(from), right: file(to), bottom: 0, top: 7 }
    : isRank
      ? { left: 0, right: 7, bottom: Number(from) - 1, top: Number(to) - 1 }
      : { left: fileOf(from), right: fileOf(to), bottom: rankOf(from), top: rankOf(to) };
  return box.left >= 0 && box.bottom >= 0 && box.left <= box.right && box.bottom <= box.top ? box : null;
}

export function squaresOf(where: string): string[] {
  const box = boxOf(where);
  return box ? SQUARES.filter((square) => isInside(box, square)) : [];
}

export function isInside(box: Box, square: string): boolean {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return file >= box.left && file <= box.right && rank >= box.bottom && rank <= box.top;
}

/** The shortest text for the rectangle between two corners. */
export function areaText(a: string, b: string): string {
  const [left, right] = [Math.min(fileOf(a), fileOf(b)), Math.max(fileOf(a), fileOf(b))];
  const [bottom, top] = [Math.min(rankOf(a), rankOf(b)), Math.max(rankOf(a), rankOf(b))];
  const range = (low: string, high: string) => (low === high ? low : `${low}-${high}`);
  if (bottom === 0 && top === 7) return range(FILES.charAt(left), FILES.charAt(right));
  if (left === 0 && right === 7) return range(RANKS.charAt(bottom), RANKS.charAt(top));
  return range(squareAt(left, bottom), squareAt(right, top));
}
