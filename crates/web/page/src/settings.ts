/** Who plays, how many positions, and how. */

import { field, fill, freshId, h, select } from './dom';
import { MOST_SECONDS, whole, type Realism, type Request, type Scale } from './link';
import { orientation, type Orientation } from './preferences';
import { edit, parts } from './checking';
import { append, cutAll, replace } from './parts';
import { change, request } from './request';
import type { Part } from './types';
import { vocabulary } from './vocabulary';

const REALISM: Record<Realism, string> = {
  auto: 'Natural games where people reach such positions often enough, and fast ones otherwise.',
  natural: 'Games like those of people. They take longer.',
  fast: 'One game at a time, steered to the goal. Quicker, and less like games of people.',
};

type NumberKey = 'count' | 'elo' | 'whiteElo' | 'blackElo' | 'seed' | 'seconds';

/** A field for a whole number; an empty field is null, or leaves a number that is required as it was. */
function numberField(key: NumberKey, lowest: number, highest: number, props: { step?: number; placeholder?: string }): HTMLInputElement {
  const input = h('input', { type: 'number', inputmode: 'numeric', min: lowest, max: highest, step: props.step ?? 1, placeholder: props.placeholder ?? '' });
  // Spinner steps should not make a rating of 1501 invalid, so the step is only for the buttons.
  input.addEventListener('input', () => {
    const value = whole(input.value, lowest, Number(input.max));
    input.setAttribute('aria-invalid', String(input.value !== '' && value === null));
    if (value !== null || (input.value === '' && key !== 'count')) change({ [key]: value } as Partial<Request>);
  });
  input.addEventListener('blur', () => {
    if (whole(input.value, lowest, Number(input.max)) === null) input.value = String(request.value[key] ?? '');
    input.setAttribute('aria-invalid', 'false');
  });
  request.watch((now) => {
    const value = now[key];
    if (document.activeElement !== input || whole(input.value, lowest, highest) !== value) input.value = value === null ? '' : String(value);
  });
  return input;
}

function check(label: string, key: 'strict' | 'distinct', help: string): HTMLElement {
  const id = freshId('help');
  const box = h('input', { type: 'checkbox', 'aria-describedby': id, on: { change: () => change({ [key]: box.checked }) } });
  request.watch((now) => { box.checked = now[key]; });
  return h('div', { class: 'check-field' }, h('label', { class: 'check' }, box, label), h('p', { class: 'help', id }, help));
}

function ratings(): HTMLElement {
  const mode = select([['none', 'of any strength'], ['both', 'of one rating'], ['each', 'of two ratings']], 'none', (value) => {
    const { elo, whiteElo, blackElo } = request.value;
    const known = elo ?? whiteElo ?? blackElo ?? 1500;
    if (value === 'none') change({ elo: null, whiteElo: null, blackElo: null });
    else if (value === 'both') change({ elo: known, whiteElo: null, blackElo: null });
    else change({ elo: null, whiteElo: whiteElo ?? known, blackElo: blackElo ?? known });
  });
  const both = field('Rating', numberField('elo', 1, 4000, { step: 100, placeholder: 'any' }));
  const white = field('White’s rating', numberField('whiteElo', 1, 4000, { step: 100, placeholder: 'any' }));
  const black = field('Black’s rating', numberField('blackElo', 1, 4000, { step: 100, placeholder: 'any' }));
  const scale = field('Scale', select([['online', 'online (Lichess)'], ['fide', 'FIDE']], request.value.scale, (value) => change({ scale: value as Scale })));
  request.watch(({ elo, whiteElo, blackElo, scale: now }) => {
    // An emptied field stays while it has the focus, so that a new number can be typed.
    const isTyping = (element: HTMLElement) => element.contains(document.activeElement);
    const hasEach = whiteElo !== null || blackElo !== null || isTyping(white) || isTyping(black);
    const hasBoth = !hasEach && (elo !== null || isTyping(both));
    mode.value = hasEach ? 'each' : hasBoth ? 'both' : 'none';
    white.hidden = black.hidden = !hasEach;
    both.hidden = !hasBoth;
    scale.hidden = !hasEach && !hasBoth;
    scale.querySelector('select')!.value = now;
  });
  return h('div', { class: 'rating-fields' }, field('Games like those of players', mode), both, white, black, scale);
}

/** The conditions `puzzle=…` of the text, which the list of difficulties shows and changes. */
const difficultyOf = (known: Part[]): Part[] => known.filter(({ text }) => /^puzzle\s*[<>=!]/.test(text));
const plain = (text: string): string => text.replace(/\s+/g, '');

function difficulty(): HTMLElement {
  const list = select([['', 'any']], '', (value) => void edit((text, known) => {
    const [first, ...others] = difficultyOf(known);
    if (!first) return value === '' ? text : append(text, value);
    return value === '' ? cutAll(text, [first, ...others]) : replace(cutAll(text, others), first, value);
  }));
  const refresh = () => {
    const chips = vocabulary.value?.chips.find(({ group }) => group === 'Difficulty')?.chips ?? [];
    const now = difficultyOf(parts.value).map(({ text }) => plain(text)).join(' ');
    const name = (title: string, text: string) => `${title.replace(/ puzzle$/, '').toLowerCase()}, ${text.replace(/^puzzle[>=]*/, '').replace('..', '\u2013')}${text.includes('>') ? '+' : ''}`;
    const options: [string, string][] = [['', 'any'], ...chips.map(({ title, text }): [string, string] => [text, name(title, text)])];
    if (now !== '' && !options.some(([text]) => text === now)) options.push([now, now.replaceAll('puzzle', '').replace(/^=/, '')]);
    fill(list, ...options.map(([text, label]) => h('option', { value: text }, label)));
    list.value = now;
  };
  parts.watch(refresh);
  vocabulary.watch(refresh);
  return field('Difficulty', list);
}

function realism(): HTMLElement {
  const help = h('p', { class: 'help', id: freshId('help') });
  const choose = select([['auto', 'automatic'], ['natural', 'natural'], ['fast', 'fast']], 'auto', (value) => change({ realism: value as Realism }), { 'aria-describedby': help.id });
  request.watch((now) => {
    choose.value = now.realism;
    help.textContent = REALISM[now.realism];
  });
  const row = field('Games', choose);
  row.append(help);
  return row;
}

export function settings(): HTMLElement {
  const count = numberField('count', 1, 100, {});
  const seconds = numberField('seconds', 1, MOST_SECONDS, { placeholder: 'an hour' });
  vocabulary.watch((known) => {
    count.max = String(known?.limits.positions ?? 100);
    seconds.max = String(known?.limits.seconds ?? MOST_SECONDS);
  });
  const side = select([['mover', 'the side to move'], ['white', 'White'], ['black', 'Black']], orientation.value, (value) => orientation.set(value as Orientation));
  return h('div', { class: 'settings' },
    h('div', { class: 'setting-row' }, field('How many', count), difficulty(), ratings()),
    h('details', { class: 'more' }, h('summary', {}, 'More settings'),
      h('div', { class: 'more-fields' },
        realism(),
        field('Board seen from', side),
        check('Only as people play', 'strict', 'Without it, search finishes what the games of people do not reach.'),
        check('All different', 'distinct', 'No two boards with the same men on the same squares.'),
        field('Time limit in seconds', seconds),
        field('Seed', numberField('seed', 0, Number.MAX_SAFE_INTEGER, { placeholder: 'a new one each time' }), 'The same seed gives the same positions again.'))));
}
