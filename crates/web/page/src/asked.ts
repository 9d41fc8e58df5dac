/** Which parts of the constraint ask for something on squares, and how the compose board changes them. Pure text work. */

import { ALL_MEN, atomOf, choiceText, lettersOf, menOf, squareChoiceOf, type SquareAtom } from './atoms';
import { isMan, nameOf } from './men';
import { append, cutAll, replace } from './parts';
import { squaresOf } from './regions';
import type { Part } from './types';

/**
 * What the next click asks for: men (several: one of these), an empty square, or nothing any more. With `isJoined`, the
 * squares that are clicked become one condition, for a man on one of them.
 */
export type Tool = { kind: 'men'; letters: string[]; isNegated: boolean; isJoined?: boolean } | { kind: 'empty' } | { kind: 'eraser' };

/** `choice` has the men of which one must stand on one of the squares, if they were clicked as such. */
export interface Asked { part: Part; atom: SquareAtom | null; squares: string[]; choice?: string }

export function askedOf(parts: Part[]): Asked[] {
  return parts.flatMap((part): Asked[] => {
    const atom = atomOf(part.text.trim());
    if (atom?.kind === 'square') return [{ part, atom, squares: squaresOf(atom.where) }];
    const choice = squareChoiceOf(part.text);
    if (choice && choice.squares.length > 1) return [{ part, atom: null, squares: choice.squares, choice: choice.men }];
    const [only, ...others] = part.squares;
    if (only === undefined) return [];
    // The same as an atom, but written in another way, such as (N@f5 | B@f5).
    const men = Array.from(part.men);
    const isAtom = others.length === 0 && men.length > 0 && (men.every(isMan) || part.men === '-');
    return [{ part, atom: isAtom ? { kind: 'square', men: menOf(men), where: only, isNegated: part.is_negated } : null, squares: part.squares }];
  });
}

/** The conditions of a tool on an area, such as `N@f5` or `!P@d`. Empty areas are those without any man. */
export function conditionOf(tool: Tool, where: string): string {
  const isSquare = squaresOf(where).length === 1;
  if (tool.kind === 'empty') return isSquare ? `-@${where}` : `${ALL_MEN}@${where}=0`;
  if (tool.kind === 'eraser') return '';
  return `${tool.isNegated ? '!' : ''}${menOf(tool.letters)}@${where}`;
}

const sameMen = (a: string, b: string): boolean => lettersOf(a).sort().join('') === lettersOf(b).sort().join('');

function isSame(atom: SquareAtom, condition: string): boolean {
  const other = atomOf(condition);
  return other?.kind === 'square' && other.where === atom.where && other.isNegated === atom.isNegated && sameMen(other.men, atom.men);
}

/**
 * The text after a click with a tool. What is there already goes away; of two conditions for the same square that exclude
 * each other, the new one stays; everything else is added.
 */
export function applyTool(text: string, parts: Part[], tool: Tool, where: string): string {
  const asked = askedOf(parts).filter(({ atom }) => atom !== null) as (Asked & { atom: SquareAtom })[];
  if (tool.kind === 'eraser') {
    const choice = askedOf(parts).find((each) => each.choice !== undefined && each.squares.includes(where));
    return choice && !asked.some(({ squares }) => squares.includes(where)) ? withoutChoice(text, choice, where) : cutAll(text, erased(asked, where));
  }
  if (tool.kind === 'men' && tool.isJoined && !tool.isNegated && squaresOf(where).length === 1) return joined(text, parts, menOf(tool.letters), where);
  const condition = conditionOf(tool, where);
  const present = asked.find(({ atom }) => isSame(atom, condition));
  if (present) return cutAll(text, [present.part]);
  const isSquare = squaresOf(where).length === 1;
  const isPositive = tool.kind === 'empty' || !tool.isNegated;
  const rival = isSquare && isPositive ? asked.find(({ atom }) => atom.where === where && !atom.isNegated) : undefined;
  return rival ? replace(text, rival.part, condition) : append(text, condition);
}

function withoutChoice(text: string, { part, squares, choice }: Asked, where: string): string {
  return replace(text, part, choiceText(choice!, squares.filter((square) => square !== where)));
}

/** A click that adds a square to the last choice of squares for these men, or takes it out of it. */
function joined(text: string, parts: Part[], men: string, where: string): string {
  const group = parts.map((part) => ({ part, choice: squareChoiceOf(part.text) })).filter(({ choice }) => choice?.men === men).at(-1);
  if (!group?.choice) return append(text, choiceText(men, [where]));
  const { squares } = group.choice;
  if (!squares.includes(where)) return replace(text, group.part, choiceText(men, [...squares, where]));
  const rest = squares.filter((square) => square !== where);
  return rest.length === 0 ? cutAll(text, [group.part]) : replace(text, group.part, choiceText(men, rest));
}

/** What the eraser takes away: conditions on just these squares, or else the areas that cover them. */
function erased(asked: (Asked & { atom: SquareAtom })[], where: string): Part[] {
  const squares = new Set(squaresOf(where));
  const within = asked.filter((each) => each.squares.every((square) => squares.has(square)));
  const touching = asked.filter((each) => each.squares.some((square) => squares.has(square)));
  return (within.length > 0 ? within : touching).map(({ part }) => part);
}

/** What is asked of a square, in words, for screen readers. */
export function wordsOf(asked: Asked[], square: string): string {
  return asked.filter(({ squares }) => squares.includes(square)).map(({ part, atom, squares }) => {
    if (!atom && part.squares.length === 0) return `${lettersOf(squareChoiceOf(part.text)?.men ?? '').map(nameOf).join(' or ')} here or on ${squares.filter((each) => each !== square).join(' or ')}`;
    if (!atom) return part.words.join(', ') || part.text;
    const area = squares.length > 1 ? `, anywhere in ${atom.where}` : '';
    if (atom.men === '-' || atom.men === '0') return `${atom.isNegated ? 'not empty' : 'empty'}${area}`;
    const men = lettersOf(atom.men).filter(isMan).map(nameOf).join(' or ');
    return `${atom.isNegated ? 'no ' : ''}${men}${area}`;
  }).join('; ');
}
