/** Says things to screen readers, and shows short messages to everyone. */

import { h } from './dom';

const spoken = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
const shown = h('div', { class: 'toast', 'aria-hidden': 'true' });
let timer = 0;

export const announcers = (): HTMLElement[] => [spoken, shown];

export function say(text: string): void {
  // The same text twice would not be read a second time, so it gets an invisible difference.
  spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
}

/** Says a text and shows it for some seconds. */
export function tell(text: string): void {
  say(text);
  shown.textContent = text;
  shown.classList.add('is-shown');
  clearTimeout(timer);
  timer = window.setTimeout(() => shown.classList.remove('is-shown'), 3500);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} copied`);
  } catch {
    // The clipboard is refused without https or a permission; an old way still works there.
    const area = h('textarea', { class: 'unseen' });
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    tell(document.execCommand('copy') ? `${what} copied` : `${what} could not be copied`);
    area.remove();
  }
}
