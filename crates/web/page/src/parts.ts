/**
 * Edits of a constraint's text. The server counts places in characters, not in the UTF-16 units of JavaScript, so the
 * text is cut as a list of characters.
 */

import type { Part } from './types';

/** Whether the text has an alternative outside all brackets, so that a condition after it would belong to its last part only. */
export function hasOuterAlternative(text: string): boolean {
  let depth = 0;
  let quote = '';
  for (const letter of text) {
    if (quote) {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    else if (letter === '|' && depth === 0) return true;
  }
  return false;
}

/** The text with one more condition at its end. */
export function append(text: string, condition: string): string {
  const before = text.trim().replace(/[&,]\s*$/, '').trim();
  const added = hasOuterAlternative(condition) ? `(${condition})` : condition;
  if (before === '') return condition;
  return hasOuterAlternative(before) ? `(${before}) ${added}` : `${before} ${added}`;
}

/** The text without one of its parts, and without the sign that joined it to its neighbour. */
export function cut(text: string, part: Part): string {
  return join(text, part, '');
}

export function replace(text: string, part: Part, condition: string): string {
  return join(text, part, condition);
}

function join(text: string, part: Part, between: string): string {
  const letters = Array.from(text);
  const before = letters.slice(0, part.start).join('');
  const after = letters.slice(part.end).join('');
  if (between) return before + between + after;
  return [before.replace(/[\s&,]+$/, ''), after.replace(/^[\s&,]+/, '')].filter((piece) => piece.trim() !== '').join(' ').trim();
}

/** The text without several of its parts. */
export function cutAll(text: string, parts: Part[]): string {
  return [...parts].sort((a, b) => b.start - a.start).reduce(cut, text);
}
