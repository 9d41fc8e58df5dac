/**
 * The conditions that the board and the steppers can show: a man on squares, a number of men, exact material. The server
 * has parsed the text; this only reads the form of one of its parts.
 */

import { squaresOf } from './regions';

export interface SquareAtom { kind: 'square'; men: string; where: string; isNegated: boolean }
export interface CountAtom { kind: 'count'; men: string; minus: string | null; compare: string }
export interface MaterialAtom { kind: 'material'; white: string; black: string }
export type Atom = SquareAtom | CountAtom | MaterialAtom;

export const ALL_MEN = '[KQRBNPkqrbnp]';
const MEN = '(?:[KQRBNPkqrbnp]|\\[[KQRBNPkqrbnp]+\\])';
const WHERE = '(?:[a-h][1-8](?:-[a-h][1-8])?|[a-h](?:-[a-h])?|[1-8](?:-[1-8])?)';
const SQUARE = new RegExp(`^(!?)\\s*(${MEN}|-)@(${WHERE})(=0)?$`);
const COUNT = new RegExp(`^(${MEN})(?:-(${MEN}))?\\s*((?:=|>=|<=|!=|<|>)\\s*-?\\d+(?:\\.\\.-?\\d+)?)$`);
const MATERIAL = /^material=(K[QRBNP]*)v(K[QRBNP]*)$/;

export function atomOf(text: string): Atom | null {
  const square = SQUARE.exec(text);
  if (square) {
    const [, not, men, where, none] = square;
    if (!men || !where || squaresOf(where).length === 0) return null;
    if (none === undefined) return { kind: 'square', men, where, isNegated: not === '!' };
    // "None of all men there" is how an area is asked to be empty; "no knight there" is the same as !N@….
    if (not) return null;
    return men === ALL_MEN ? { kind: 'square', men: '0', where, isNegated: false } : { kind: 'square', men, where, isNegated: true };
  }
  const count = COUNT.exec(text);
  if (count) return { kind: 'count', men: count[1] ?? '', minus: count[2] ?? null, compare: (count[3] ?? '').replace(/\s+/g, '') };
  const material = MATERIAL.exec(text);
  if (material) return { kind: 'material', white: material[1] ?? '', black: material[2] ?? '' };
  return null;
}

/** Men that must stand on one of several squares, such as `(N@f5 | N@g5)`; a single one is a choice of one square. */
export function squareChoiceOf(text: string): { men: string; squares: string[] } | null {
  const bare = text.trim().replace(/^\(([^()]*)\)$/, '$1');
  const atoms = bare.split('|').map((each) => atomOf(each.trim()));
  const squares: string[] = [];
  let men = '';
  for (const atom of atoms) {
    if (atom?.kind !== 'square' || atom.isNegated || /[-0]/.test(atom.men) || !/^[a-h][1-8]$/.test(atom.where)) return null;
    if (men !== '' && atom.men !== men) return null;
    men = atom.men;
    squares.push(atom.where);
  }
  return { men, squares };
}

/** `(N@f5 | N@g5)` for several squares, `N@f5` for one. */
export const choiceText = (men: string, squares: string[]): string => {
  const atoms = squares.map((square) => `${men}@${square}`);
  return atoms.length === 1 ? atoms[0]! : `(${atoms.join(' | ')})`;
};

/** The single letters of `N` or `[NB]`. */
export const lettersOf = (men: string): string[] => Array.from(men.replace(/[[\]]/g, ''));

/** `N` for one letter, `[NB]` for several. */
export const menOf = (letters: string[]): string => (letters.length === 1 ? letters[0]! : `[${letters.join('')}]`);
