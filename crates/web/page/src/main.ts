/** Puts the page together. */

import '../style/index.css';
import { announcers } from './announce';
import { reading, startChecking } from './checking';
import { composeBoard } from './compose';
import { conditionsPanel } from './conditions';
import { constraintField } from './constraintfield';
import { countsPanel } from './counts';
import { button, fill, h } from './dom';
import { exercisesPanel } from './exercises';
import { gallery } from './gallery';
import { header } from './header';
import { icon } from './icons';
import { keptPage } from './keptpage';
import { openedDialog } from './opened';
import { applyTheme } from './preferences';
import { proofPage } from './proof';
import { followHistory, request, tab } from './request';
import { exerciseOf } from './naming';
import { nowBar } from './nowbar';
import { findPositions, isBusy, positions, run } from './running';
import { settings } from './settings';
import { tabs } from './tabs';
import { loadVocabulary, vocabulary, vocabularyError } from './vocabulary';
import { writingPanel } from './writing';

function ways(): HTMLElement {
  const composing = h('div', { class: 'composing' }, composeBoard(), countsPanel(), conditionsPanel());
  const { row, panels, open } = tabs('Three ways to say what you want to see', [
    { key: 'exercises', label: 'Exercises', note: 'ready, by name', panel: exercisesPanel() },
    { key: 'compose', label: 'Compose', note: 'on a board, by clicks', panel: composing },
    { key: 'write', label: 'Write', note: 'in a short language', panel: writingPanel() },
  ], 'ways');
  // A link may bring the text of an exercise, which is known once the vocabulary is there.
  const linked = request.value.constraint;
  open(linked === '' ? 'exercises' : 'compose');
  const unwatch = vocabulary.watch((known) => {
    if (known === null) return;
    if (linked !== '' && exerciseOf(linked) && request.value.constraint === linked) open('exercises');
    queueMicrotask(() => unwatch());
  });
  const section = h('section', { class: 'panel ways-panel', 'aria-label': 'What you want to see' }, row, panels);
  vocabulary.watch((known) => section.classList.toggle('is-waiting', known === null));
  return section;
}

/** Said when a link has brought a request: nothing starts by itself. */
function linkNote(): HTMLElement {
  const note = h('p', { class: 'note link-note', hidden: request.value.constraint === '' || positions.value.length > 0 }, 'This request came with the link. Start it here:');
  run.watch(({ state }) => { if (state !== 'idle') note.hidden = true; });
  request.watch(({ constraint }) => { if (constraint === '') note.hidden = true; });
  return note;
}

function requestCard(): HTMLElement {
  const find = button(icon('play'), () => void findPositions(), { class: 'button primary large' });
  const label = h('span', {});
  find.append(label);
  request.watch(({ count }) => { label.textContent = count === 1 ? 'Find a position' : `Find ${count} positions`; });
  const refresh = () => { find.disabled = isBusy() || ['empty', 'wrong', 'impossible'].includes(reading.value.state); };
  reading.watch(refresh);
  run.watch(refresh);
  return h('section', { class: 'panel request', 'aria-labelledby': 'request-heading' },
    h('h2', { id: 'request-heading', class: 'unseen' }, 'Your request'),
    h('div', { class: 'request-fields' }, constraintField(), settings()), h('div', { class: 'request-actions' }, linkNote(), find));
}

function problems(): HTMLElement {
  const place = h('div', { class: 'banner', role: 'alert', hidden: true });
  vocabularyError.watch((error) => {
    place.hidden = error === null;
    fill(place, error, error === null ? null : button('Try again', () => void loadVocabulary()));
  });
  return place;
}

function page(): void {
  const [asking, waysPanel] = [requestCard(), ways()];
  const ask = h('div', { class: 'ask' });
  // On wide screens the exercises stand first, and the Tab key goes the same way.
  const wide = matchMedia('(min-width: 1080px)');
  const order = () => ask.replaceChildren(...(wide.matches ? [waysPanel, asking] : [asking, waysPanel]));
  wide.addEventListener('change', order);
  order();
  const found = h('div', {}, ask, gallery(), nowBar(asking, waysPanel));
  const proof = proofPage();
  const pages = { positions: found, proof: proof.element, kept: keptPage() };
  const main = h('main', { id: 'main', tabindex: -1 }, problems(), ...Object.values(pages));
  const version = h('span', {});
  vocabulary.watch((known) => { version.textContent = known ? `Entente ${known.version}. ` : ''; });
  const app = document.querySelector('#app')!;
  fill(app, header(), main, h('footer', { class: 'site-foot' }, version, 'Everything runs on your own machine. Nothing is sent anywhere else.'), openedDialog(), ...announcers());
  let shown: string | null = null;
  tab.watch((now) => {
    if (shown !== null) scrollTo(0, 0);
    shown = now;
    for (const [key, element] of Object.entries(pages)) element.hidden = key !== now;
    if (now === 'proof') proof.onShow();
  });
}

applyTheme();
page();
startChecking();
followHistory();
void loadVocabulary();
