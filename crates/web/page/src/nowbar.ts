/** On narrow screens: the constraint and the button that starts, while the fields for them are out of sight. */

import { h } from './dom';
import { reading } from './checking';
import { nameOfRequest } from './naming';
import { request } from './request';
import { findPositions, isBusy, run } from './running';

export function nowBar(asking: HTMLElement, ways: HTMLElement): HTMLElement {
  const text = h('span', {});
  const show = h('button', { type: 'button', class: 'now-text', title: 'Show the request', on: { click: () => {
    document.querySelector<HTMLElement>('#constraint')?.focus();
    asking.scrollIntoView({ block: 'start' });
  } } }, text);
  const start = h('button', { type: 'button', class: 'button primary', on: { click: () => void findPositions() } }, 'Find now');
  const bar = h('div', { class: 'now', hidden: true }, show, start);
  const inSight = new Set<Element>([asking]);
  const refresh = () => {
    bar.hidden = inSight.has(asking) || !inSight.has(ways) || request.value.constraint.trim() === '' || isBusy();
    text.textContent = nameOfRequest(request.value.constraint);
    start.disabled = ['empty', 'wrong', 'impossible'].includes(reading.value.state);
  };
  // Not over the positions, where it would only cover what is being looked at.
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    refresh();
  }, { rootMargin: '-90px 0px -60px' });
  observer.observe(asking);
  observer.observe(ways);
  for (const signal of [request, run, reading]) (signal as { watch: (listener: () => void) => unknown }).watch(refresh);
  return bar;
}
