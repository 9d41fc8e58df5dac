/** Boards as files: the server makes them, and the browser saves them. */

import { tell } from './announce';
import { messageOf, send } from './api';
import { field, fill, h, select } from './dom';
import { icon } from './icons';
import type { Position } from './types';

const FORMATS: [string, string, string][] = [
  ['pdf', 'PDF worksheet', 'pdf'],
  ['html', 'Printable page', 'html'],
  ['pgn', 'PGN games', 'pgn'],
  ['study', 'Lichess study (PGN)', 'pgn'],
  ['anki', 'Anki cards', 'txt'],
  ['fen', 'List of FENs', 'fen'],
];
const SLOW = ['pdf', 'html', 'study', 'anki'];

interface Chosen { format: string; perPage: number; title: string | undefined; hasGames: boolean }

async function download({ format, perPage, title, hasGames }: Chosen, list: Position[]): Promise<void> {
  const response = await send('/api/export', {
    format,
    ...(title ? { title } : {}),
    ...(hasGames || !SLOW.includes(format) ? {} : { has_games: false }),
    ...(format === 'pdf' || format === 'html' ? { per_page: perPage } : {}),
    positions: list.map(({ root, moves, constraint, seed, white_elo, black_elo }) => ({ root, moves, constraint, seed, white_elo, black_elo })),
  });
  const blob = await response.blob();
  const named = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const link = h('a', { href: URL.createObjectURL(blob), download: named ?? `entente.${FORMATS.find(([key]) => key === format)?.[2] ?? 'txt'}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A format, and a button that saves the boards which `list` gives at that time. */
export function exportBar(list: () => Position[], title: () => string | undefined = () => undefined): { element: HTMLElement; refresh: () => void } {
  let isWorking = false;
  const perPage = select([['6', '6 a page'], ['12', '12 a page']], '6', () => undefined, { 'aria-label': 'Boards a page' });
  const format = select(FORMATS.map(([key, label]) => [key, label]), 'pdf', () => refresh(), { 'aria-label': 'File format' });
  const save = h('button', { type: 'button', class: 'button', on: { click: () => void start() } });
  const games = h('input', { type: 'checkbox', checked: true });
  const heading = h('input', { type: 'text', maxlength: 100, autocomplete: 'off' });
  const gamesField = h('label', { class: 'check' }, games, 'With the games');
  const headingField = field('Title', heading);
  const options = h('details', { class: 'export-options' }, h('summary', {}, 'Options'), h('div', { class: 'export-fields' }, headingField, gamesField));
  const error = h('p', { class: 'error', role: 'alert', hidden: true });

  function refresh(): void {
    const number = list().length;
    perPage.hidden = format.value !== 'pdf' && format.value !== 'html';
    options.hidden = !SLOW.includes(format.value);
    headingField.hidden = perPage.hidden;
    heading.placeholder = title() ?? 'Chess positions';
    save.disabled = isWorking || number === 0;
    fill(save, icon('save'), isWorking
      ? (SLOW.includes(format.value) ? `Solving ${number} boards\u2026` : 'Saving\u2026')
      : `Save ${number} ${number === 1 ? 'board' : 'boards'}`);
  }

  async function start(): Promise<void> {
    isWorking = true;
    error.hidden = true;
    refresh();
    try {
      await download({ format: format.value, perPage: Number(perPage.value), title: heading.value.trim() || title(), hasGames: games.checked }, list());
      tell('Saved');
    } catch (problem) {
      error.textContent = messageOf(problem);
      error.hidden = false;
    }
    isWorking = false;
    refresh();
  }

  refresh();
  return { element: h('div', { class: 'export' }, h('div', { class: 'joined' }, format, perPage, save), options, error), refresh };
}
