/** Recent requests, to run again or to remove. */

import { button, fill, h } from './dom';
import { icon } from './icons';
import { forgetRequest, recent } from './library';
import type { Request } from './link';
import { named, nameOfRequest } from './naming';
import { goTo, replaceRequest } from './request';
import { vocabulary } from './vocabulary';

function summaryOf({ count, elo, whiteElo, blackElo, realism, strict }: Request): string {
  const rating = elo !== null ? `rated ${elo}` : whiteElo !== null || blackElo !== null ? `rated ${whiteElo ?? 'any'} and ${blackElo ?? 'any'}` : '';
  return [`${count} positions`, rating, realism === 'auto' ? '' : realism, strict ? 'only as people play' : ''].filter(Boolean).join(' \u00b7 ');
}

export function recentList(): HTMLElement {
  const list = h('ul', { class: 'recent' });
  const section = h('section', { class: 'recent-section', 'aria-label': 'Recent requests' }, h('h3', {}, 'Recent requests'), list);
  const draw = () => {
    const now = recent.value;
    section.hidden = now.length === 0;
    fill(list, ...now.map((request) => h('li', {},
      h('button', { type: 'button', class: 'recent-open', on: { click: () => {
        replaceRequest(request);
        goTo('positions');
        document.querySelector<HTMLElement>('#constraint')?.focus();
      } } }, h('span', { class: 'recent-words', title: request.constraint }, nameOfRequest(request.constraint)), h('span', { class: 'help' }, summaryOf(request))),
      button(icon('close'), () => forgetRequest(request), { class: 'icon-button', 'aria-label': `Remove the request ${nameOfRequest(request.constraint)}`, title: 'Remove' }))));
  };
  recent.watch(draw);
  // The titles of exercises come with the vocabulary, and the words of conditions when they have been read.
  vocabulary.watch(draw);
  named.watch(draw);
  return section;
}
