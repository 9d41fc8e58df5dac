/** The page of kept boards and recent requests. */

import { card } from './card';
import { button, fill, h } from './dom';
import { exportBar } from './exporting';
import { dropAll, kept } from './library';
import { openPosition } from './opened';
import { orientation } from './preferences';
import { recentList } from './recent';

export function keptPage(): HTMLElement {
  const list = h('ul', { class: 'gallery' });
  const line = h('p', { class: 'run-line' });
  const saving = exportBar(() => kept.value);
  const clear = button('Remove all', () => { if (confirm('Remove all kept boards?')) dropAll(); });
  const draw = () => {
    const number = kept.value.length;
    line.textContent = number === 0 ? 'The star on a board keeps it here, in this browser.' : `${number} ${number === 1 ? 'board' : 'boards'}, kept in this browser`;
    saving.element.hidden = clear.hidden = number === 0;
    saving.refresh();
    fill(list, ...kept.value.map((position, index) => {
      const shown = { ...position, number: index + 1 };
      return h('li', {}, card(shown, () => openPosition(kept.value.map((each, at) => ({ ...each, number: at + 1 })), index)));
    }));
  };
  kept.watch(draw);
  orientation.watch(draw);
  return h('div', { class: 'kept-page' },
    h('section', { class: 'results', 'aria-labelledby': 'kept-heading' },
      h('div', { class: 'results-head' }, h('div', { class: 'results-title' }, h('h2', { id: 'kept-heading' }, 'Kept boards'), line), h('div', { class: 'results-tools' }, clear, saving.element)),
      list),
    recentList());
}
