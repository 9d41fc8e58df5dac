/** Ready conditions by group, as buttons that put a condition into the constraint or take it out. */

import { edit, parts } from './checking';
import { h } from './dom';
import { groupedList } from './groups';
import { append, cut, cutAll } from './parts';
import type { Chip, Part } from './types';
import { vocabulary } from './vocabulary';

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
const partOf = (known: Part[], text: string): Part | undefined => known.find((part) => plain(part.text) === plain(text));

/** Conditions of the form `turn=…` exclude each other, so a new one takes the place of the old ones. */
const KEYS = ['turn', 'check', 'mate', 'castling', 'castled', 'white.castled', 'black.castled', 'wdl', 'wdl.white', 'bishops', 'puzzle'];
const keyOf = (text: string): string => /^([a-z.]+)\s*[<>]?=/i.exec(text.trim())?.[1]?.toLowerCase() ?? '';
/** Several castling rights can be asked for, each by a condition of its own. */
const isOneRight = (text: string): boolean => /^castling\s*>=/i.test(text.trim());

function toggle(chip: Chip): void {
  void edit((text, known) => {
    const present = partOf(known, chip.text);
    if (present) return cut(text, present);
    const key = keyOf(chip.text);
    const rivals = KEYS.includes(key)
      ? known.filter((part) => keyOf(part.text) === key && !(isOneRight(part.text) && isOneRight(chip.text)))
      : [];
    return append(cutAll(text, rivals), chip.text);
  });
}

export function conditionsPanel(): HTMLElement {
  const list = groupedList<Chip>({
    label: 'conditions', search: 'Search conditions', listClass: 'conditions',
    textOf: ({ text, title, help }) => `${title} ${text} ${help}`,
    draw: (chip) => h('button', {
      type: 'button', class: 'condition', 'data-text': chip.text, 'aria-pressed': String(partOf(parts.value, chip.text) !== undefined),
      on: { click: () => toggle(chip) },
    }, h('span', { class: 'condition-title' }, chip.title, ' ', h('code', {}, chip.text)), h('span', { class: 'condition-help' }, chip.help)),
  });
  vocabulary.watch((known) => list.set((known?.chips ?? []).map(({ group, chips }) => ({ group, items: chips }))));
  parts.watch((known) => {
    for (const each of list.element.querySelectorAll<HTMLElement>('.condition')) {
      each.setAttribute('aria-pressed', String(partOf(known, each.dataset.text ?? '') !== undefined));
    }
  });
  return h('section', { class: 'conditions-panel', 'aria-labelledby': 'more-conditions' },
    h('h3', { id: 'more-conditions' }, 'More conditions'), list.element);
}
