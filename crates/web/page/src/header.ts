/** The head of the page: its name, its three parts, and the switch of colours. */

import { fill, h } from './dom';
import { icon } from './icons';
import { kept } from './library';
import type { Tab } from './link';
import { isDark, systemDark, theme } from './preferences';
import { goTo, tab } from './request';

const TABS: [Tab, string][] = [['positions', 'Positions'], ['proof', 'Proof games'], ['kept', 'Kept']];

export function header(): HTMLElement {
  const links = TABS.map(([key, label]) => {
    const count = key === 'kept' ? h('span', { class: 'nav-count' }) : null;
    if (count) kept.watch(({ length }) => { count.textContent = length > 0 ? String(length) : ''; });
    return h('a', { href: `#tab=${key}`, 'data-tab': key, on: { click: (event) => {
      event.preventDefault();
      goTo(key);
    } } }, label, count);
  });
  tab.watch((now) => {
    for (const link of links) {
      if (link.dataset.tab === now) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  });
  const switcher = h('button', { type: 'button', class: 'icon-button', on: { click: () => theme.set(isDark() ? 'light' : 'dark') } });
  const refresh = () => {
    const label = isDark() ? 'Light colours' : 'Dark colours';
    switcher.setAttribute('aria-label', label);
    switcher.title = label;
    fill(switcher, icon(isDark() ? 'sun' : 'moon'));
  };
  theme.watch(refresh);
  systemDark.addEventListener('change', refresh);
  const mark = h('img', { src: 'favicon.svg', alt: '', width: 28, height: 28 });
  return h('header', { class: 'site-head' },
    h('a', { class: 'skip', href: '#main', on: { click: (event) => {
      // The fragment of the address belongs to the request.
      event.preventDefault();
      document.querySelector<HTMLElement>('main')?.focus();
    } } }, 'Skip to the content'),
    h('div', { class: 'site-head-inner' },
      h('h1', { class: 'brand' }, mark, 'Entente'),
      h('nav', { 'aria-label': 'Parts of the page' }, ...links),
      switcher));
}
