/** Suggestions for what was written in plain words instead of the language. Pure text work. */

import { choiceText } from './atoms';
import { append } from './parts';
import type { Vocabulary } from './types';

export interface Suggestion { label: string; text: string }

const LETTERS: Record<string, string> = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: 'P' };
const MAN = '(?:(white|black)(?:\u2019s|\'s)?\\s+)?(king|queen|rook|bishop|knight|pawn)s?';
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const IDLE = new Set('a an the of on in at is are be with and or to for by has have there one side position positions must should please i want'.split(' '));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const letterOf = (colour: string | undefined, role: string): string => {
  const letter = LETTERS[role] ?? '';
  return colour === 'black' ? letter.toLowerCase() : letter;
};

function byPattern(text: string): Suggestion[] {
  const found: Suggestion[] = [];
  const squares = new RegExp(`${MAN}\\s+(?:is\\s+|stands\\s+)?(?:on|at|in)\\s+((?:[a-h][1-8](?:\\s*(?:,|or)\\s*)*)+)`, 'g');
  for (const [, colour, role = '', list = ''] of text.matchAll(squares)) {
    const names = list.match(/[a-h][1-8]/g) ?? [];
    for (const each of colour ? [colour] : ['white', 'black']) {
      found.push({ label: `${capital(each)} ${role} on ${names.join(' or ')}`, text: choiceText(letterOf(each, role), names) });
    }
  }
  const files = new RegExp(`${MAN}\\s+(?:on|in)\\s+(?:the\\s+)?([a-h])[- ]file`, 'g');
  for (const [, colour, role = '', file = ''] of text.matchAll(files)) {
    for (const each of colour ? [colour] : ['white', 'black']) found.push({ label: `${capital(each)} ${role} on the ${file}-file`, text: `${letterOf(each, role)}@${file}` });
  }
  const none = new RegExp(`\\b(?:no|without(?: any)?)\\s+${MAN}\\b(?!\\s+on\\b)`, 'g');
  for (const [, colour, role = ''] of text.matchAll(none)) {
    const [white, black] = [`${letterOf('white', role)}=0`, `${letterOf('black', role)}=0`];
    if (role !== 'king') found.push({ label: `No ${colour ? `${colour} ` : ''}${role}s`, text: colour === 'white' ? white : colour === 'black' ? black : `${white} ${black}` });
  }
  const turn = /\b(white|black)(?:\s+is)?\s+to\s+(?:move|play|win|mate)\b/.exec(text)?.[1];
  if (turn) found.push({ label: `${capital(turn)} to move`, text: `turn=${turn}` });
  const mate = /\bmate\s+in\s+(\w+)/.exec(text)?.[1] ?? '';
  const moves = /^[1-9]$/.test(mate) ? Number(mate) : NUMBERS.indexOf(mate);
  if (moves > 0) found.push({ label: `Mate in ${NUMBERS[moves] ?? moves}`, text: `mate=${moves}` });
  const number = new RegExp(`\\b(${NUMBERS.slice(1).join('|')}|[1-8])\\s+${MAN}\\b(?!\\s+(?:on|at|in)\\b)`, 'g');
  for (const [, amount = '', colour, role = ''] of text.matchAll(number)) {
    const value = /\d/.test(amount) ? Number(amount) : NUMBERS.indexOf(amount);
    if (colour && role !== 'king') found.push({ label: `${capital(amount)} ${colour} ${role}${value === 1 ? '' : 's'}`, text: `${letterOf(colour, role)}=${value}` });
  }
  return found;
}

const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ings?|ed|es|s)$/, '') : word);
const stemsOf = (text: string): string[] => text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word && !IDLE.has(word)).map(stem);

/** Whether two words are the same but for one letter, which is how most of them are mistyped. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const rest = (text: string, skip: number) => text.slice(start + skip);
  return rest(a, 1) === rest(b, 1) || rest(a, 1) === rest(b, 0) || rest(a, 0) === rest(b, 1);
}

/** The conditions and exercises that have most of the words. */
function byWords(text: string, { chips, exercises }: Vocabulary): Suggestion[] {
  const asked = [...new Set(stemsOf(text))];
  const rated = [
    ...chips.flatMap((group) => group.chips.map((chip) => ({ label: chip.title, text: chip.text, title: chip.title, more: chip.help }))),
    ...exercises.map(({ title, constraint, group, name }) => ({ label: `Exercise: ${title}`, text: constraint, title, more: `${group} ${name}` })),
  ].map((each) => {
    const [title, more] = [stemsOf(each.title), stemsOf(each.more)];
    const inTitle = asked.filter((word) => title.some((other) => isNear(word, other))).length;
    const inMore = asked.filter((word) => more.some((other) => isNear(word, other))).length;
    const isAll = asked.every((word) => [...title, ...more].some((other) => isNear(word, other)));
    return { each, isAll, score: 3 * inTitle + inMore - title.length / 10, share: Math.max(inTitle, inMore) / asked.length };
  }).filter(({ isAll, share }) => asked.length > 0 && (isAll || share >= 0.6));
  return rated.sort((a, b) => Number(b.isAll) - Number(a.isAll) || b.score - a.score).map(({ each }) => ({ label: each.label, text: each.text }));
}

/** Up to three texts that may have been meant. What stands before the plain words stays. */
export function suggestionsFor(text: string, known: Vocabulary | null): Suggestion[] {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => !/[=@<>()|!"&]/.test(word));
  if (first < 0) return [];
  const before = words.slice(0, first).join(' ');
  const plain = words.slice(first).join(' ').toLowerCase();
  const patterns = byPattern(plain);
  const all = [...patterns];
  // Two patterns that do not exclude each other are probably meant together.
  if (patterns.length === 2 && /\band\b|,/.test(plain)) all.unshift({ label: patterns.map(({ label }) => label).join(', '), text: patterns.map((each) => each.text).join(' ') });
  if (known && /[a-z]{3}/.test(plain)) all.push(...byWords(plain, known));
  const different = all.filter((each, index) => all.findIndex((other) => other.text === each.text) === index);
  return different.slice(0, 3).map(({ label, text: added }) => ({ label, text: append(before, added) }));
}
