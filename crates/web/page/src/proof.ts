/** Proof games: a diagram, and a game that leads to it, or the reason why there is none. */

import { copy, say } from './announce';
import { errorOf, messageOf } from './api';
import { Board } from './board';
import { diagramEditor } from './diagrameditor';
import { button, field, fill, h, select } from './dom';
import { START } from './game';
import { icon } from './icons';
import { MOST_SECONDS, whole } from './link';
import { START_PLACEMENT, faultOf } from './placement';
import { Player } from './player';
import { diagram, seal } from './request';
import { Signal } from './signal';
import { events } from './stream';
import { tabs } from './tabs';
import type { Answer, Progress } from './types';

type Kind = 'fast' | 'natural' | 'shortest';

const KINDS: [Kind, string][] = [['fast', 'Any game'], ['natural', 'A game like those of people'], ['shortest', 'The shortest game, proved']];

/** The answer in words, without the games, which are shown on the board. */
function verdictOf({ text, games }: Answer): string {
  const words = games.length > 0 ? (text.split('\n')[0] ?? text) : text.trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function proofPage(): { element: HTMLElement; onShow: () => void } {
  const marked = new Signal<string[]>([]);
  const output = h('div', { class: 'proof-answer', 'aria-live': 'polite' }, h('p', { class: 'help' }, 'The game appears here, or the reason why no game leads to the diagram.'));
  const board = new Board();
  let kind: Kind = 'fast';
  let controller: AbortController | null = null;

  const elo = h('input', { type: 'number', min: 1, max: 4000, step: 100, placeholder: 'any' });
  const seconds = h('input', { type: 'number', min: 1, max: MOST_SECONDS, placeholder: 'an hour' });
  const solutions = select([['1', 'one game'], ['2', 'whether it is the only one'], ['10', 'up to ten games']], '1', () => undefined);
  const eloField = field('Rating of the players', elo);
  const solutionsField = field('Look for', solutions);
  const choose = select(KINDS, 'fast', (value) => {
    kind = value as Kind;
    refresh();
  });
  const refresh = () => {
    eloField.hidden = kind !== 'natural';
    solutionsField.hidden = kind !== 'shortest';
  };
  refresh();

  const find = button(icon('play'), () => void start(), { class: 'button primary large' });
  find.append('Find a game');
  const stop = button(icon('stop'), () => controller?.abort(), { class: 'button' });
  stop.append('Stop');
  stop.hidden = true;
  diagram.watch((text) => {
    marked.set([]);
    find.disabled = text === '' || faultOf(text) !== null;
  });

  async function start(): Promise<void> {
    controller?.abort();
    const own = new AbortController();
    controller = own;
    seal();
    marked.set([]);
    board.stop();
    stop.hidden = false;
    fill(output, h('p', {}, 'Searching\u2026'));
    const body = {
      diagram: diagram.value,
      ...(kind === 'shortest' ? { shortest: true, solutions: Number(solutions.value) } : { realism: kind }),
      ...(kind === 'natural' && whole(elo.value, 1, 4000) !== null ? { elo: whole(elo.value, 1, 4000) } : {}),
      seconds: whole(seconds.value, 1, MOST_SECONDS) ?? MOST_SECONDS,
    };
    let isAnswered = false;
    try {
      for await (const { name, data } of events('/api/prove', body, own.signal)) {
        if (controller !== own) return;
        if (name === 'waiting') fill(output, h('p', {}, `Waiting, ${(data as { ahead: number }).ahead} before you`));
        else if (name === 'progress') showProgress(data as Progress);
        else if (name === 'answer') {
          isAnswered = true;
          show(data as Answer);
        } else if (name === 'failed') throw errorOf(data, 'The search failed.');
      }
      if (!isAnswered) throw new Error('The server ended the search early.');
    } catch (error) {
      if (controller !== own) return;
      fill(output, own.signal.aborted ? h('p', {}, 'Stopped.') : h('p', { class: 'error', role: 'alert' }, messageOf(error)));
    }
    stop.hidden = true;
  }

  function showProgress({ message, seconds: time }: Progress): void {
    fill(output, h('p', {}, `Searching\u2026 ${Math.round(time)} s`), message ? h('p', { class: 'help' }, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`) : null);
  }

  function show(answer: Answer): void {
    marked.set(answer.squares);
    const head = [
      h('p', { class: 'verdict' }, verdictOf(answer)),
      answer.squares.length > 0 ? h('p', { class: 'help' }, `Marked on the board: ${answer.squares.join(', ')}`) : null,
    ];
    if (answer.games.length === 0) {
      fill(output, ...head);
      return;
    }
    board.turn('white');
    const views = answer.games.map((game, index) => {
      const player = new Player(`game ${index + 1}`, (step) => board.show(step));
      return { game, player, key: String(index) };
    });
    const open = (key: string) => {
      const view = views[Number(key)];
      if (view) view.player.set(START, view.game.moves, view.game.moves.length);
      openedPlayer = view?.player ?? null;
    };
    const entries = views.map(({ key, game, player }) => {
      const copyGame = button(icon('copy'), () => void copy(game.game, 'Game'));
      copyGame.append('Copy the game');
      return { key, label: `Game ${Number(key) + 1}`, panel: h('div', {}, player.element, h('div', { class: 'row' }, copyGame)) };
    });
    const { row, panels, open: openTab } = tabs('Games', entries, 'tab-row', open);
    row.hidden = views.length < 2;
    fill(output, ...head, h('div', { class: 'proof-game' }, board.element, h('div', {}, row, panels)));
    openTab('0');
    open('0');
    board.start();
    say(answer.text);
  }

  let openedPlayer: Player | null = null;
  const answerSection = h('section', { class: 'panel', 'aria-labelledby': 'proof-answer' }, h('h2', { id: 'proof-answer' }, 'Answer'), output);
  answerSection.addEventListener('keydown', (event) => openedPlayer?.key(event));

  const element = h('div', { class: 'proof' },
    h('section', { class: 'panel', 'aria-labelledby': 'proof-heading' },
      h('h2', { id: 'proof-heading' }, 'Proof games'),
      h('p', { class: 'lead' }, 'Set up a diagram. Entente finds a legal game from the initial position that ends in it, or says why there is none.'),
      diagramEditor(marked),
      h('div', { class: 'setting-row' }, field('Which game', choose), eloField, solutionsField, field('Time limit in seconds', seconds)),
      h('div', { class: 'row' }, find, stop)),
    answerSection);
  return {
    element,
    onShow: () => {
      if (diagram.value === '') diagram.set(START_PLACEMENT);
    },
  };
}
