/** The positions that were found, and how the run goes. */

import { card } from './card';
import { button, fill, h } from './dom';
import { exportBar } from './exporting';
import { icon } from './icons';
import { openPosition } from './opened';
import { orientation } from './preferences';
import { exerciseOf, named, nameOfRequest } from './naming';
import { recentList } from './recent';
import { request } from './request';
import { earlier, findPositions, foundFor, isBusy, positions, run, showEarlier, stop, type Run } from './running';
import { vocabulary } from './vocabulary';

const seconds = (value: number): string => (value < 10 ? `${value.toFixed(1)} s` : value < 60 ? `${Math.round(value)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`);

function lineOf({ state, ahead, before, progress, done, request }: Run, found: number): string {
  switch (state) {
    case 'starting': return 'Asking the server\u2026';
    case 'waiting': return ahead === 0 ? 'Waiting, you are next' : `Waiting, ${ahead} before you`;
    case 'running': {
      const here = found - before;
      const missing = progress && progress.done > here ? `, ${progress.done - here} not found` : '';
      // Before the first position, the server says what it prepares.
      const preparing = progress?.done === 0 && progress.message !== '' ? `, ${progress.message}` : '';
      return `${here} of ${request?.count ?? 0} found${missing}${preparing}${progress ? `, ${seconds(progress.seconds)}` : ''}`;
    }
    case 'stopped': return `Stopped, ${found} found`;
    case 'failed': return found > 0 ? `The run ended early, ${found} found` : 'The run failed';
    case 'done': return done ? `${done.found} ${before > 0 ? 'more ' : ''}found${done.missing > 0 ? `, ${done.missing} not found` : ''} in ${seconds(done.seconds)}` : `${found} found`;
    default: return found > 0 ? `${found} found` : '';
  }
}

/** Draws new cards behind those that are there; redraws all only if the list is another one. */
function cards(list: HTMLElement): void {
  let drawn: readonly unknown[] = [];
  positions.watch((now) => {
    const isLonger = drawn.length > 0 && drawn.every((each, index) => now[index] === each);
    if (!isLonger) list.replaceChildren();
    for (const position of isLonger ? now.slice(drawn.length) : now) {
      list.append(h('li', {}, card(position, () => openPosition(positions.value, positions.value.indexOf(position)))));
    }
    drawn = now;
  });
  orientation.watch(() => {
    drawn = [];
    list.replaceChildren(...positions.value.map((position) => h('li', {}, card(position, () => openPosition(positions.value, positions.value.indexOf(position))))));
    drawn = positions.value;
  });
}

/** Pale cards in the place of those to come. */
function skeletons(): HTMLElement {
  return h('ul', { class: 'gallery skeletons', 'aria-hidden': 'true' }, ...Array.from({ length: 4 }, () =>
    h('li', {}, h('div', { class: 'card' }, h('div', { class: 'skeleton-board' }), h('div', { class: 'skeleton-line' })))));
}

/** After so many seconds without a position, it is said that rare ones take time. */
const LONG = 8;
const PATIENCE = 'Rare positions may take a minute or more. Stop keeps what was found.';

export function gallery(): HTMLElement {
  const heading = h('h2', { id: 'results-heading', tabindex: -1 }, 'Positions');
  const line = h('p', { class: 'run-line', 'data-testid': 'run' });
  const bar = h('progress', { class: 'run-bar', max: 1, value: 0, 'aria-label': 'Positions found' });
  const notes = h('div', { class: 'run-notes' });
  const stopButton = button(icon('stop'), stop);
  stopButton.append('Stop');
  const more = button('Find more', () => void findPositions(true));
  const saving = exportBar(() => positions.value, () => exerciseOf(foundFor.value ?? '')?.title);
  const before = button('', showEarlier);
  const purpose = h('p', { class: 'found-for' });
  const waiting = skeletons();
  const list = h('ul', { class: 'gallery' });
  const empty = h('div', { class: 'no-results' },
    h('p', {}, 'The positions appear here, each with the game that leads to it.'), recentList());
  cards(list);

  const refresh = () => {
    const now = run.value;
    const found = positions.value.length;
    line.textContent = lineOf(now, found);
    bar.hidden = !isBusy();
    if (now.state === 'running' && now.progress) {
      bar.max = now.progress.total ?? now.request?.count ?? 1;
      bar.value = now.progress.done;
    } else bar.removeAttribute('value');
    stopButton.hidden = !isBusy();
    const isOther = found > 0 && foundFor.value !== null && foundFor.value !== '' && foundFor.value.trim() !== request.value.constraint.trim();
    more.hidden = isBusy() || found === 0 || isOther;
    purpose.hidden = !isOther;
    purpose.textContent = isOther ? `Found for: ${nameOfRequest(foundFor.value ?? '')}` : '';
    const number = earlier.value?.positions.length ?? 0;
    before.hidden = isBusy() || number === 0;
    before.textContent = `Show the ${number === 1 ? 'board' : `${number} boards`} of before`;
    waiting.hidden = !isBusy() || found > now.before;
    const isLong = now.state === 'running' && found === now.before && (now.progress?.seconds ?? 0) >= LONG;
    saving.element.hidden = found === 0;
    saving.refresh();
    empty.hidden = now.state !== 'idle' || found > 0;
    fill(notes, isLong ? h('p', { class: 'note' }, PATIENCE) : null, ...now.notes.map((note) => h('p', { class: 'note' }, note)),
      now.message ? h('p', { class: now.state === 'failed' ? 'error' : 'note' }, now.message) : null);
  };
  for (const signal of [run, positions, request, earlier, foundFor, vocabulary, named]) (signal as { watch: (listener: () => void) => unknown }).watch(refresh);

  const section = h('section', { id: 'results', class: 'results', 'aria-labelledby': 'results-heading' },
    h('div', { class: 'results-head' }, h('div', { class: 'results-title' }, heading, line), h('div', { class: 'results-tools' }, stopButton, more, before, saving.element)),
    bar, notes, purpose, list, waiting, empty);
  section.addEventListener('run-started', () => {
    section.classList.add('has-run');
    heading.focus({ preventScroll: true });
    const show = (behavior: ScrollBehavior) => section.scrollIntoView({ behavior, block: 'start' });
    const isNarrow = matchMedia('(max-width: 1079px)').matches;
    show(isNarrow || matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth');
    if (!isNarrow) return;
    // Above the results, the words of the conditions still change the height, until the user scrolls by himself.
    const ending = new AbortController();
    for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(kind, () => ending.abort(), { signal: ending.signal, passive: true });
    for (const delay of [150, 400, 900, 1600]) setTimeout(() => { if (!ending.signal.aborted) show('auto'); }, delay);
  });
  return section;
}
