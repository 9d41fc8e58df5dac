/** One position, opened: a large board with its game, its solution, and a game to practise. */

import { copy } from './announce';
import { Board } from './board';
import { caveatOf, factsOf, keepButton } from './card';
import { button, fill, h } from './dom';
import type { Step } from './game';
import { icon } from './icons';
import { Player } from './player';
import { Practising } from './practise';
import { sideBelow } from './preferences';
import { seal } from './request';
import { Solving, hasSolution } from './solving';
import { tabs } from './tabs';
import type { Position } from './types';

const dialog = h('dialog', { class: 'opened', 'aria-labelledby': 'opened-title' });
const board = new Board();
let list: readonly Position[] = [];
let at = 0;
let close: () => void = () => undefined;
/** What can only be drawn once it is visible: the board, and the place in the list of moves. */
let shown: () => void = () => undefined;
let onKey: (event: KeyboardEvent) => void = () => undefined;

/** Opening a position is a step of the history, so that Back closes it. */
const isStep = (): boolean => (history.state as { isOpened?: boolean } | null)?.isOpened === true;
if (isStep()) history.replaceState(null, '', location.hash);
window.addEventListener('popstate', () => {
  isLeaving = false;
  if (dialog.open && !isStep()) dialog.close();
});

/** Every way to close goes back by that step, once. The browser does so after a while, and the dialog closes only then. */
let isLeaving = false;
function leave(): void {
  if (!isLeaving) history.back();
  isLeaving = true;
}
function dismiss(): void {
  if (isStep()) leave();
  else dialog.close();
}

dialog.addEventListener('close', () => {
  close();
  board.stop();
  // A browser closes a dialog by itself if Escape is pressed twice.
  if (isStep()) leave();
});
dialog.addEventListener('cancel', (event) => {
  event.preventDefault();
  dismiss();
});
dialog.addEventListener('keydown', (event) => onKey(event));
// A click on the backdrop is a click on the dialog itself, outside its content.
dialog.addEventListener('pointerdown', (event) => { if (event.target === dialog) dismiss(); });

export const openedDialog = (): HTMLElement => dialog;

export function openPosition(from: readonly Position[], index: number): void {
  list = from;
  show(index);
  if (!dialog.open) {
    seal();
    history.pushState({ isOpened: true }, '', location.hash || '#');
    dialog.showModal();
  }
  shown();
  // On these buttons the arrow keys play through the game; on the tabs they would change the tab.
  dialog.querySelector<HTMLElement>('[data-step=back]')?.focus();
}

const lichess = (fen: string): string => `https://lichess.org/analysis/standard/${fen.replaceAll(' ', '_')}`;

function show(index: number): void {
  close();
  at = index;
  const position = list[at];
  if (!position) return;
  board.turn(sideBelow(position.fen));
  const isOpen = { game: true, solution: false, practise: false };
  const only = (key: keyof typeof isOpen, step: Step, onMove?: (uci: string) => void) => {
    // The solution and a game begin after the last move of the game, which the board goes on to show.
    const isFirst = step.uci === null && step.fen === position.fen;
    if (isOpen[key]) board.show(isFirst ? { ...step, uci: position.moves.at(-1) ?? null } : step, onMove);
  };
  const game = new Player('game', (step) => only('game', step));
  const solving = new Solving(position, (step, onMove) => only('solution', step, onMove));
  const practising = new Practising(position, (step, onMove) => only('practise', step, onMove), (side) => board.turn(side));
  game.set(position.root, position.moves, position.moves.length);
  const ending: Step = game.step ?? { fen: position.fen, uci: null, san: '', isCheck: false };

  const choose = (key: string) => {
    for (const each of ['game', 'solution', 'practise'] as const) isOpen[each] = each === key;
    if (key === 'solution') solving.refresh();
    else if (key === 'game') game.refresh();
    else if (practising.player.step) practising.player.refresh();
    else board.show(ending);
  };
  const views = tabs('Position', [
    { key: 'game', label: 'Game', panel: h('div', {}, game.element) },
    { key: 'solution', label: hasSolution(position) ? 'Solution' : 'Best line', panel: solving.element },
    { key: 'practise', label: 'Practise', panel: practising.element },
  ], 'tab-row', choose);
  views.open('game');

  onKey = (event) => {
    const player = isOpen.game ? game : isOpen.solution ? solving.player : practising.player;
    player.key(event);
  };
  shown = () => {
    board.start();
    game.refresh();
  };
  close = () => {
    solving.stop();
    practising.stop();
  };
  fill(dialog, frame(position, views.row, views.panels));
}

function frame(position: Position, row: HTMLElement, panels: HTMLElement): HTMLElement {
  const step = (by: number, label: string, name: 'back' | 'forward') => {
    const element = button(icon(name), () => {
      show(at + by);
      shown();
      dialog.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.focus();
    }, { class: 'icon-button', 'aria-label': label, title: label });
    element.disabled = list[at + by] === undefined;
    return element;
  };
  const flip = button(icon('flip'), () => board.turn(board.side === 'white' ? 'black' : 'white'), { class: 'icon-button', 'aria-label': 'Turn the board', title: 'Turn the board' });
  const copyFen = button(icon('copy'), () => void copy(position.fen, 'FEN'));
  copyFen.append('Copy FEN');
  const out = h('a', { class: 'button', href: lichess(position.fen), target: '_blank', rel: 'noopener noreferrer' }, icon('out'), 'Open in Lichess');
  return h('div', { class: 'opened-frame' },
    h('header', { class: 'opened-head' },
      h('h2', { id: 'opened-title' }, `${position.number}. ${position.task}`),
      h('div', { class: 'row' }, step(-1, 'Previous position', 'back'), step(1, 'Next position', 'forward'), flip,
        button(icon('close'), dismiss, { class: 'icon-button', 'aria-label': 'Close', title: 'Close (Esc)' }))),
    h('div', { class: 'opened-board' }, board.element),
    h('div', { class: 'opened-side' },
      h('p', { class: 'facts' }, factsOf(position).join(' \u00b7 ')),
      position.caveat ? h('p', { class: 'caveat' }, caveatOf(position.caveat).long) : null,
      row, panels,
      h('div', { class: 'row actions' }, keepButton(position, true), copyFen, out),
      h('details', { class: 'about' }, h('summary', {}, 'About this position'),
        h('p', { class: 'fen' }, 'FEN: ', h('code', {}, position.fen)),
        h('p', { class: 'fen' }, 'Found for: ', h('code', {}, position.constraint), `, with the seed ${position.seed}`))));
}
