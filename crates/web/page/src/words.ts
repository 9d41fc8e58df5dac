/** Simple conditions in the words of trainers. The server's words are exact, but longer; they are used for everything else. */

import { atomOf, lettersOf, squareChoiceOf, type CountAtom, type SquareAtom } from './atoms';
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

/** "white rooks, bishops and knights"; null for men of both colours, of which the server's words say it better. */
function menTogether(letters: string[]): string | null {
  const colours = new Set(letters.map(colourOf));
  if (letters.length > 1 && colours.size > 1) return null;
  const roles = letters.map((letter) => `${roleOf(letter)}s`);
  const last = roles.pop();
  return `${[...colours].join()} ${roles.length > 0 ? `${roles.join(', ')} and ` : ''}${last}`;
}

function ofCount({ men, minus, compare }: CountAtom): string | null {
  const match = /^(=|>=|<=)(-?\d+)$/.exec(compare);
  if (!match || (minus !== null && minus.length + men.length > 2)) return null;
  const [sign, number] = [match[1], Number(match[2])];
  if (minus === null) {
    if (number < 0 || (number === 0 && sign === '>=')) return null;
    const [names, isOne] = [menTogether(lettersOf(men)), men.length === 1];
    if (names === null) return null;
    if (number === 0) return isOne ? `no ${names}` : `no ${names.replace(' and ', ' or ')}`;
    const amount = sign === '=' ? String(number) : sign === '>=' ? `${number} or more` : `at most ${number}`;
    return isOne ? `${amount} ${number === 1 && sign !== '>=' ? nameOf(men) : names}` : `${amount} ${names} together`;
  }
  if (roleOf(men) !== roleOf(minus) || colourOf(men) !== 'white' || colourOf(minus) !== 'black') return null;
  if (number === 0) return sign === '=' ? `as many white ${roleOf(men)}s as black ones` : null;
  // "White has at most 1 more" would hide that fewer are allowed, too.
  if ((number > 0 && sign === '<=') || (number < 0 && sign === '>=')) return null;
  const side = number > 0 ? 'White' : 'Black';
  return `${side} has ${sign === '=' ? '' : 'at least '}${Math.abs(number)} ${roleOf(men)}${Math.abs(number) === 1 ? '' : 's'} more`;
}

/** `P@e=1` as "1 white pawn on the e-file" */
function ofCountAt(text: string): string | null {
  const [, man = '', where = '', sign, number] = /^([QRBNPqrbnp])@([a-h](?:-[a-h])?|[1-8](?:-[1-8])?)\s*(=|>=|<=)\s*([1-9])$/.exec(text) ?? [];
  if (!isMan(man)) return null;
  const amount = sign === '>=' ? `${number} or more` : sign === '<=' ? `at most ${number}` : number;
  return `${amount} ${nameOf(man)}${number === '1' && sign !== '>=' ? '' : 's'} ${placeOf(where)}`;
}

/** "a white knight on f5 or g5" */
function ofChoice(text: string): string | null {
  const choice = squareChoiceOf(text);
  const letters = choice ? lettersOf(choice.men) : [];
  if (!choice || choice.squares.length < 2 || letters.length > 3) return null;
  const last = choice.squares.at(-1);
  return `a ${letters.map(nameOf).join(' or ')} on ${choice.squares.slice(0, -1).join(', ')} or ${last}`;
}

/** What a part says, on one line. `titleOf` knows the titles of ready conditions. */
export function wordsOfPart({ words, text }: Part, titleOf: (text: string) => string | undefined = () => undefined): string {
  const atom = atomOf(text);
  const isCount = atom?.kind === 'count' && atom.men.length === 1;
  const title = isCount ? undefined : titleOf(text);
  if (title !== undefined) return title;
  const own = atom?.kind === 'square' ? ofSquare(atom) : atom?.kind === 'count' ? ofCount(atom) : (ofChoice(text) ?? ofCountAt(text));
  if (own !== null) return own;
  const [first, ...others] = words;
  if (first === undefined) return text;
  return first.endsWith(':') ? `${first} ${others.join('; ')}` : words.join('; ');
}
