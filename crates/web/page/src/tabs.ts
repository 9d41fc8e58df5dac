/** A row of tabs with its panels, after the pattern of the WAI-ARIA guide. */

import { freshId, h } from './dom';

export interface TabPanel { key: string; label: string; note?: string; panel: HTMLElement }

/** The row, its panels, and a function that opens one of them. */
export function tabs(label: string, entries: TabPanel[], kind: string, onOpen?: (key: string) => void): { row: HTMLElement; panels: HTMLElement; open: (key: string) => void } {
  const id = freshId('tabs');
  const heads = entries.map(({ key, label: name, note }) => h('button', {
    type: 'button', role: 'tab', id: `${id}-${key}`, 'aria-controls': `${id}-${key}-panel`, 'aria-selected': 'false', tabindex: -1,
    on: { click: () => choose(key) },
  }, h('span', { class: 'tab-name' }, name), note ? h('span', { class: 'tab-note' }, note) : null));
  const panels = entries.map(({ key, panel }) => h('div', {
    role: 'tabpanel', id: `${id}-${key}-panel`, 'aria-labelledby': `${id}-${key}`, class: 'tab-panel', hidden: true,
  }, panel));

  function open(key: string): void {
    entries.forEach((entry, index) => {
      const isOpen = entry.key === key;
      heads[index]!.setAttribute('aria-selected', String(isOpen));
      heads[index]!.tabIndex = isOpen ? 0 : -1;
      panels[index]!.hidden = !isOpen;
    });
  }

  function choose(key: string): void {
    open(key);
    onOpen?.(key);
  }

  const row = h('div', { role: 'tablist', 'aria-label': label, class: kind, on: { keydown: (event) => {
    const at = heads.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (at < 0 || step === 0) return;
    const next = (at + step + heads.length) % heads.length;
    choose(entries[next]!.key);
    heads[next]!.focus();
    event.preventDefault();
    event.stopPropagation();
  } } }, ...heads);
  return { row, panels: h('div', { class: 'tab-panels' }, ...panels), open };
}
