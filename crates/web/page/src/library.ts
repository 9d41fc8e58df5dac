/** Kept boards and recent requests, in the browser's storage. */

import { tell } from './announce';
import { DEFAULTS, readPlace, writePlace, type Request } from './link';
import { Signal } from './signal';
import { isObject, load, store } from './storage';
import type { Position } from './types';

/** As many as the server writes into one file. */
const MOST_KEPT = 500;
const MOST_RECENT = 20;

export const isPosition = (value: unknown): value is Position =>
  isObject(value) && ['fen', 'root', 'game', 'task', 'constraint'].every((key) => typeof value[key] === 'string')
  && Array.isArray(value.moves) && value.moves.every((move) => typeof move === 'string') && typeof value.number === 'number';
export const listOf = <T>(isItem: (value: unknown) => value is T) => (value: unknown): value is T[] => Array.isArray(value) && value.every(isItem);

export const kept = new Signal<Position[]>(load('kept', listOf(isPosition)) ?? []);

const isSame = (a: Position, b: Position): boolean => a.fen === b.fen && a.moves.join() === b.moves.join();
export const isKept = (position: Position): boolean => kept.value.some((each) => isSame(each, position));

function setKept(next: Position[]): void {
  kept.set(next);
  if (!store('kept', next)) tell('The browser does not keep this board after the page is closed');
}

export function keep(position: Position): void {
  if (isKept(position)) return;
  if (kept.value.length >= MOST_KEPT) tell(`At most ${MOST_KEPT} boards can be kept`);
  else setKept([...kept.value, position]);
}

export const drop = (position: Position): void => setKept(kept.value.filter((each) => !isSame(each, position)));
export const dropAll = (): void => setKept([]);

/** Requests are kept as the fragments of their links, and read back with the same care. */
const isText = (value: unknown): value is string => typeof value === 'string';
const fragmentOf = (request: Request): string => writePlace({ tab: 'positions', request, diagram: '' });
export const recent = new Signal<Request[]>((load('recent', listOf(isText)) ?? []).slice(0, MOST_RECENT).map((text) => readPlace(text).request));

function setRecent(next: Request[]): void {
  recent.set(next.slice(0, MOST_RECENT));
  store('recent', recent.value.map(fragmentOf));
}

export function rememberRequest(request: Request): void {
  const text = fragmentOf(request);
  setRecent([{ ...DEFAULTS, ...request }, ...recent.value.filter((each) => fragmentOf(each) !== text)]);
}

export const forgetRequest = (request: Request): void => setRecent(recent.value.filter((each) => each !== request));
