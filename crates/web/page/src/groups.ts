/** A row of buttons that choose one group of a list, with a field that searches all groups. */

import { fill, freshId, h, type Child } from './dom';

/** "structures" as a heading: "Structures". */
export const heading = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export interface Grouped<T> { group: string; items: T[] }

export interface GroupedList<T> {
  label: string;
  search: string;
  /** The text that a search looks through. */
  textOf: (item: T) => string;
  draw: (item: T) => Child;
  listClass: string;
}

/** The element, and a function that sets what it lists. */
export function groupedList<T>({ label, search, textOf, draw, listClass }: GroupedList<T>): { element: HTMLElement; set: (groups: Grouped<T>[], isChosen?: (item: T) => boolean) => void } {
  let groups: Grouped<T>[] = [];
  let chosen = '';
  const row = h('div', { class: 'filters', role: 'group', 'aria-label': `Groups of ${label}` });
  const list = h('ul', { class: listClass });
  const id = freshId('search');
  const input = h('input', { id, type: 'search', placeholder: search, 'aria-label': search, autocomplete: 'off', on: { input: () => draw_() } });
  const count = h('p', { class: 'unseen', role: 'status' });

  function draw_(): void {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = groups.flatMap(({ items }) => items);
    const shown = words.length > 0
      ? all.filter((item) => words.every((word) => textOf(item).toLowerCase().includes(word)))
      : (groups.find(({ group }) => group === chosen)?.items ?? []);
    for (const each of row.querySelectorAll('button')) each.setAttribute('aria-pressed', String(words.length === 0 && each.dataset.group === chosen));
    fill(list, ...shown.map((item) => h('li', {}, draw(item))));
    if (shown.length === 0 && all.length > 0) list.append(h('li', { class: 'nothing' }, 'Nothing found.'));
    count.textContent = words.length > 0 ? `${shown.length} found` : '';
  }

  return {
    element: h('div', { class: 'grouped' }, h('div', { class: 'filter-bar' }, row, input), count, list),
    set(next, isChosen) {
      groups = next;
      if (isChosen) chosen = groups.find(({ items }) => items.some(isChosen))?.group ?? chosen;
      if (!groups.some(({ group }) => group === chosen)) chosen = groups[0]?.group ?? '';
      fill(row, ...groups.map(({ group, items }) => h('button', {
        type: 'button', class: 'pill', 'data-group': group,
        on: { click: () => { chosen = group; input.value = ''; draw_(); } },
      }, heading(group), h('span', { class: 'pill-count' }, items.length))));
      draw_();
    },
  };
}
