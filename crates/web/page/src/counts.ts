/** Steppers for the numbers of men, for differences between the sides, and for exact material. */

import { atomOf, type CountAtom } from './atoms';
import { edit, parts } from './checking';
import { button, fill, freshId, h } from './dom';
import { picture, roleOf } from './men';
import { append, cut, replace } from './parts';
import type { Part } from './types';

interface Cell { men: string; minus: string | null; label: string }

const HIGHEST: Record<string, number> = { Q: 9, R: 10, B: 10, N: 10, P: 8 };

function found(known: Part[], { men, minus }: Cell): { part: Part; atom: CountAtom } | null {
  for (const part of known) {
    const atom = atomOf(part.text.trim());
    if (atom?.kind === 'count' && atom.men === men && atom.minus === minus) return { part, atom };
  }
  return null;
}

/** Sets a number, such as "=2" or ">=1"; null removes the condition. */
function set(cell: Cell, compare: string | null): void {
  void edit((text, known) => {
    const present = found(known, cell);
    const condition = compare === null ? '' : `${cell.men}${cell.minus ? `-${cell.minus}` : ''}${compare}`;
    if (present) return compare === null ? cut(text, present.part) : replace(text, present.part, condition);
    return compare === null ? text : append(text, condition);
  });
}

function choices(cell: Cell): [string, string][] {
  if (cell.minus) {
    const signed = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `\u2212${-value}` : 'equal');
    return [['', 'any'], ...[3, 2, 1, 0, -1, -2, -3].map((value): [string, string] => [`=${value}`, signed(value)]),
      ['>=1', '+1 or more'], ['>=2', '+2 or more'], ['<=-1', '\u22121 or less'], ['<=-2', '\u22122 or less']];
  }
  const top = cell.men.toUpperCase() === 'P' ? 8 : 4;
  const numbers = Array.from({ length: top + 1 }, (_, value) => value);
  return [['', 'any'], ...numbers.map((value): [string, string] => [`=${value}`, String(value)]),
    ...numbers.slice(1, -1).map((value): [string, string] => [`>=${value}`, `${value} or more`]),
    ...numbers.slice(1, -1).map((value): [string, string] => [`<=${value}`, `at most ${value}`])];
}

/** The next value in the order any, 0, 1, 2 …; for differences any, then up and down from equal. */
function stepped(compare: string | null, step: number, cell: Cell): string | null {
  const match = /^(>=|<=|=)(-?\d+)$/.exec(compare ?? '');
  if (!match) return step > 0 || cell.minus ? (cell.minus ? `=${step}` : '=0') : null;
  const value = Number(match[2]) + step;
  if (cell.minus) return Math.abs(value) > 9 ? compare : `${match[1]}${value}`;
  if (value < 0) return null;
  return value > (HIGHEST[cell.men.toUpperCase()] ?? 10) ? compare : `${match[1]}${value}`;
}

function stepper(cell: Cell): HTMLElement {
  let compare: string | null = null;
  const list = h('select', { 'aria-label': cell.label, on: { change: () => set(cell, list.value === '' ? null : list.value) } });
  const known = choices(cell);
  const less = h('button', { type: 'button', class: 'step', 'aria-label': `Less: ${cell.label}`, on: { click: () => set(cell, stepped(compare, -1, cell)) } }, '\u2212');
  const more = h('button', { type: 'button', class: 'step', 'aria-label': `More: ${cell.label}`, on: { click: () => set(cell, stepped(compare, 1, cell)) } }, '+');
  const element = h('div', { class: 'stepper' }, less, list, more);
  parts.watch((now) => {
    compare = found(now, cell)?.atom.compare ?? null;
    const value = compare ?? '';
    const all: [string, string][] = known.some(([key]) => key === value) ? known : [...known, [value, value.replace('>=', '\u2265\u00a0').replace('<=', '\u2264\u00a0').replace(/^=/, '')]];
    if (list.options.length !== all.length || list.value !== value) {
      fill(list, ...all.map(([key, label]) => h('option', { value: key }, label)));
      list.value = value;
    }
    less.disabled = !cell.minus && compare === null;
    element.classList.toggle('is-set', compare !== null);
  });
  return element;
}

function table(): HTMLElement {
  const rows = ['Q', 'R', 'B', 'N', 'P'].map((letter) => {
    const role = roleOf(letter);
    return h('tr', {},
      h('th', { scope: 'row' }, picture(letter), h('span', { class: 'unseen' }, `${role}s`)),
      h('td', {}, stepper({ men: letter, minus: null, label: `White ${role}s` })),
      h('td', {}, stepper({ men: letter.toLowerCase(), minus: null, label: `Black ${role}s` })),
      h('td', {}, stepper({ men: letter, minus: letter.toLowerCase(), label: `White ${role}s minus Black ${role}s` })));
  });
  return h('table', { class: 'counts' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Man')), h('th', { scope: 'col' }, 'White'), h('th', { scope: 'col' }, 'Black'), h('th', { scope: 'col' }, 'White ahead by'))),
    h('tbody', {}, ...rows));
}

/** Sets the material of an ending; it replaces the material that is asked for. */
function setMaterial(text: string): void {
  void edit((now, known) => {
    const present = known.find((part) => /^material=/i.test(part.text.trim()));
    const condition = text === '' ? '' : `material=${text}`;
    if (present) return text === '' ? cut(now, present) : replace(now, present, condition);
    return text === '' ? now : append(now, condition);
  });
}

function material(): HTMLElement {
  const id = freshId('material');
  const input = h('input', { id, type: 'text', placeholder: 'KRPvKR', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', pattern: '\\s*[kK][QRBNPqrbnp]*[vV][kK][QRBNPqrbnp]*\\s*', title: 'Such as KRPvKR', 'aria-describedby': `${id}-help` });
  const form = h('form', { class: 'material', on: { submit: (event) => {
    event.preventDefault();
    setMaterial(input.value.trim().toUpperCase().replace('V', 'v'));
  } } },
  h('label', { for: id }, 'Exact material'),
  h('div', { class: 'joined' }, input, h('button', { type: 'submit', class: 'button' }, 'Set'), button('Clear', () => { input.value = ''; setMaterial(''); })),
  h('p', { class: 'help', id: `${id}-help` }, 'All men of White, v, all men of Black: KRPvKR is rook and pawn against rook.'));
  parts.watch((now) => {
    const present = now.map((part) => atomOf(part.text.trim())).find((atom) => atom?.kind === 'material');
    if (present?.kind === 'material' && document.activeElement !== input) input.value = `${present.white}v${present.black}`;
  });
  return form;
}

export function countsPanel(): HTMLElement {
  return h('section', { class: 'counts-panel', 'aria-labelledby': 'numbers-of-men' },
    h('h3', { id: 'numbers-of-men' }, 'Numbers of men'), table(), material());
}
