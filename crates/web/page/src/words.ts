/** Simple conditions in the words of trainers. The server's words are exact, but longer; they are used for everything else. */

import { atomOf, lettersOf, type CountAtom, type SquareAtom } from './atoms';
import { colourOf, isMan, nameOf, roleOf } from './men';
import type { Part } from './types';

function placeOf(where: string): string {
  if (/^[a-h]$/.test(where)) return `on the ${where}-file`;
  if (/^[1-8]$/.test(where)) return `on rank ${where}`;
  if (/^[a-h]-[a-h]$/.test(where)) return `on the files ${where.replace('-', ' to ')}`;
  if (/^[1-8]-[1-8]$/.test(where)) return `on the ranks ${where.replace('-', ' to ')}`;
  return where.includes('-') ? `on ${where.replace('-', ' to ')}` : `on ${where}`;
}

function ofSquare({ men, where, isNegated }: SquareAtom): string | null {
  const place = placeOf(where);
  const isOne = /^[a-h][1-8]$/.test(where);
  if (men === '0') return `nothing ${place}`;
  if (men === '-') return isOne && !isNegated ? `${where} is empty` : null;
  const letters = lettersOf(men);
  if (letters.length > 3 || !letters.every(isMan)) return null;
  const names = letters.map(nameOf).join(' or ');
  return isNegated ? `no ${names} ${place}` : `a ${names} ${isOne ? '' : 'somewhere '}${place}`;
}

function ofCount({ men, minus, compare }: CountAtom): string | null {
  const match = /^(=|>=|<=)(-?\d+)$/.exec(compare);
  if (!match || men.length > 1 || (minus !== null && minus.length > 1)) return null;
  const [sign, number] = [match[1], Number(match[2])];
  const amount = sign === '>=' ? 'at least ' : sign === '<=' ? 'at most ' : '';
  if (minus === null) {
    if (number < 0) return null;
    if (number === 0) return sign === '>=' ? null : `no ${nameOf(men)}s`;
    return `${amount}${number} ${nameOf(men)}${number === 1 ? '' : 's'}`;
  }
  if (roleOf(men) !== roleOf(minus) || colourOf(men) !== 'white' || colourOf(minus) !== 'black') return null;
  if (number === 0) return sign === '=' ? `as many white ${roleOf(men)}s as black ones` : null;
  // "White has at most 1 more" would hide that fewer are allowed, too.
  if ((number > 0 && sign === '<=') || (number < 0 && sign === '>=')) return null;
  const side = number > 0 ? 'White' : 'Black';
  return `${side} has ${sign === '=' ? '' : 'at least '}${Math.abs(number)} ${roleOf(men)}${Math.abs(number) === 1 ? '' : 's'} more`;
}

/** What a part says, on one line. */
export function wordsOfPart({ words, text }: Part): string {
  const atom = atomOf(text);
  const own = atom?.kind === 'square' ? ofSquare(atom) : atom?.kind === 'count' ? ofCount(atom) : null;
  if (own !== null) return own;
  const [first, ...others] = words;
  if (first === undefined) return text;
  return first.endsWith(':') ? `${first} ${others.join('; ')}` : words.join('; ');
}
