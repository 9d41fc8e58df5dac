/** The run that finds positions: started, followed and stopped here; the gallery shows it. */

import { say } from './announce';
import { ApiError, errorOf, messageOf } from './api';
import { bodyOf, type Request } from './link';
import { isPosition, listOf, recent, rememberRequest } from './library';
import { keepWords, named } from './naming';
import { request, seal } from './request';
import { Signal } from './signal';
import { events } from './stream';
import type { Done, Position, Progress } from './types';

export interface Run {
  state: 'idle' | 'starting' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  request: Request | null;
  ahead: number;
  /** How many positions were there before, if more were asked for. */
  before: number;
  progress: Progress | null;
  done: Done | null;
  notes: string[];
  seed: number | null;
  message: string | null;
}

const IDLE: Run = { state: 'idle', request: null, ahead: 0, before: 0, progress: null, done: null, notes: [], seed: null, message: null };

export const run = new Signal<Run>(IDLE);

/** What is shown survives a reload of the page, though not the end of the tab. */
const SHOWN = 'entente.shown';
function shownBefore(): Position[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(SHOWN) ?? '[]');
    return listOf(isPosition)(value) ? value : [];
  } catch {
    return [];
  }
}

export const positions = new Signal<Position[]>(shownBefore());

/** The constraint for which the shown positions were found; it may be another one than the field has now. */
export const foundFor = new Signal<string | null>(sessionStorage.getItem('entente.foundfor'));

/** The positions of the run before, which a new run has taken off the page. */
export interface Earlier { positions: Position[]; constraint: string | null }
export const earlier = new Signal<Earlier | null>(null);

/** Shows the positions of the run before, and keeps the present ones in their place. */
export function showEarlier(): void {
  const next = earlier.value;
  if (!next || isBusy()) return;
  earlier.set(positions.value.length > 0 ? { positions: positions.value, constraint: foundFor.value } : null);
  run.set(IDLE);
  foundFor.set(next.constraint);
  positions.set(next.positions);
}
window.addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(SHOWN, JSON.stringify(positions.value));
    sessionStorage.setItem('entente.foundfor', foundFor.value ?? '');
  } catch {
    // Storage that is full or switched off costs only this convenience.
  }
});

export const isBusy = (): boolean => ['starting', 'waiting', 'running'].includes(run.value.state);

let controller: AbortController | null = null;

export function stop(): void {
  controller?.abort();
}

for (const signal of [recent, named]) (signal as { watch: (listener: () => void) => unknown }).watch(() => keepWords(recent.value.map(({ constraint }) => constraint)));

/** Finds positions for the present request; `isMore` leaves those that are shown. */
export async function findPositions(isMore = false): Promise<void> {
  const asked = request.value;
  if (asked.constraint.trim() === '') {
    say('Say first what you want to see.');
    document.querySelector<HTMLElement>('#constraint')?.focus();
    return;
  }
  stop();
  const own = new AbortController();
  controller = own;
  seal();
  rememberRequest(asked);
  const before = isMore ? positions.value.length : 0;
  let isFirst = true;
  let begun = performance.now();
  run.set({ ...IDLE, state: 'starting', request: asked, before });
  const update = (fields: Partial<Run>) => {
    if (controller === own) run.set({ ...run.value, ...fields });
  };
  document.querySelector('#results')?.dispatchEvent(new CustomEvent('run-started'));
  try {
    // The same seed would give the same positions again.
    const body = isMore ? { ...bodyOf(asked), seed: undefined } : bodyOf(asked);
    for await (const { name, data } of events('/api/generate', body, own.signal)) {
      if (controller !== own) return;
      if (name === 'started') begun = performance.now();
      // What is shown goes away only when there is something new: the server may be gone, or busy.
      if (isFirst && !isMore && name !== 'waiting' && name !== 'failed') {
        isFirst = false;
        if (positions.value.length > 0) earlier.set({ positions: positions.value, constraint: foundFor.value });
        foundFor.set(asked.constraint);
        positions.set([]);
      }
      take(name, data, update, before);
      // The server still stops what it had begun; there is nothing more to wait for.
      const found = positions.value.length - before;
      if (isBusy() && found >= asked.count) {
        update({ state: 'done', done: { found, missing: 0, asked: asked.count, is_cut: false, why: null, seconds: (performance.now() - begun) / 1000 } });
        own.abort();
        break;
      }
    }
    if (isBusy()) update({ state: 'failed', message: 'The server ended the run early. What was found is kept.' });
  } catch (error) {
    if (own.signal.aborted && isBusy()) update({ state: 'stopped' });
    else if (own.signal.aborted) return;
    else update({ state: 'failed', message: error instanceof ApiError && error.isOffline ? `${messageOf(error)} What was found stays here.` : messageOf(error) });
  }
  if (controller === own) sayEnd();
}

function take(name: string, data: unknown, update: (fields: Partial<Run>) => void, offset: number): void {
  switch (name) {
    case 'waiting':
      update({ state: 'waiting', ahead: (data as { ahead: number }).ahead });
      break;
    case 'started': {
      const { seed, notes } = data as { seed: number; notes?: string[] };
      update({ state: 'running', seed, notes: notes ?? [] });
      break;
    }
    case 'progress':
      update({ state: 'running', progress: data as Progress });
      break;
    case 'position': {
      const position = data as Position;
      positions.set([...positions.value, { ...position, number: position.number + offset }]);
      say(`Position ${position.number + offset} found`);
      break;
    }
    case 'answer': {
      const done = data as Done;
      update({ state: 'done', done, message: done.why ? `${done.why.charAt(0).toUpperCase()}${done.why.slice(1)}.` : null });
      break;
    }
    case 'failed':
      update({ state: 'failed', message: errorOf(data, 'The run failed.').message });
      break;
  }
}

function sayEnd(): void {
  const { state, message } = run.value;
  const found = positions.value.length;
  const number = found === 1 ? '1 position' : `${found} positions`;
  say(state === 'failed' ? `Failed. ${message ?? ''}` : `${state === 'stopped' ? 'Stopped' : 'Done'}, ${number}. ${message ?? ''}`);
}
