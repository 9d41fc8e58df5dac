/**
 * Keeps the server's reading of the constraint up to date, and runs edits against it. Edits wait for the reading of the
 * present text, one after the other, so that a fast second click never cuts at the places of an older text.
 */

import { ApiError, check } from './api';
import { change, request } from './request';
import { Signal } from './signal';
import type { Checked, Part } from './types';

export type Reading =
  | { state: 'empty'; text: string }
  | { state: 'checking'; text: string }
  | { state: 'good' | 'impossible'; text: string; checked: Checked }
  | { state: 'wrong'; text: string; error: string; column: number | null }
  | { state: 'offline'; text: string; error: string };

export const reading = new Signal<Reading>({ state: 'empty', text: '' });

/** The parts of the last text that could be read; the board keeps them while a new text is being read. */
export const parts = new Signal<Part[]>([]);

const DELAY = 150;
let timer = 0;
let pending: { text: string; result: Promise<Reading> } | null = null;

/** The server gives each part in its normal form; edits and buttons compare it as it was written. */
function asWritten(text: string, checked: Checked): Checked {
  const letters = Array.from(text);
  return { ...checked, parts: checked.parts.map((part) => {
    const written = letters.slice(part.start, part.end).join('');
    const trimmed = written.trimEnd();
    return { ...part, text: trimmed, end: part.end - (Array.from(written).length - Array.from(trimmed).length) };
  }) };
}

async function read(text: string): Promise<Reading> {
  if (text.trim() === '') return { state: 'empty', text };
  try {
    const checked = asWritten(text, await check(text));
    return { state: checked.is_proved_impossible ? 'impossible' : 'good', text, checked };
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError('The constraint cannot be read.');
    if (known.isOffline) return { state: 'offline', text, error: known.message };
    return { state: 'wrong', text, error: known.message, column: known.column };
  }
}

function readNow(text: string): Promise<Reading> {
  clearTimeout(timer);
  if (reading.value.text === text && reading.value.state !== 'checking' && reading.value.state !== 'offline') return Promise.resolve(reading.value);
  if (pending?.text === text) return pending.result;
  const result = read(text).then((next) => {
    if (pending?.result === result) pending = null;
    if (request.value.constraint === text) show(next);
    return next;
  });
  pending = { text, result };
  return result;
}

function show(next: Reading): void {
  reading.set(next);
  if (next.state === 'good' || next.state === 'impossible') parts.set(next.checked.parts);
  else if (next.state === 'empty') parts.set([]);
}

let edits: Promise<void> = Promise.resolve();

/** Changes the text by its parts. `change` gets the text and its parts, which are none if the text cannot be read. */
export function edit(change_: (text: string, parts: Part[]) => string): Promise<void> {
  edits = edits.then(async () => {
    const text = request.value.constraint;
    const now = await readNow(text);
    change({ constraint: change_(text, now.state === 'good' || now.state === 'impossible' ? now.checked.parts : []) });
    await readNow(request.value.constraint);
  }).catch(() => undefined);
  return edits;
}

export const retry = (): Promise<Reading> => readNow(request.value.constraint);

export function startChecking(): void {
  let shown: string | null = null;
  request.watch(({ constraint }) => {
    if (constraint === shown) return;
    shown = constraint;
    if (constraint.trim() === '') {
      clearTimeout(timer);
      show({ state: 'empty', text: constraint });
      return;
    }
    if (reading.value.text !== constraint) reading.set({ state: 'checking', text: constraint });
    clearTimeout(timer);
    timer = window.setTimeout(() => void readNow(constraint), DELAY);
  });
}
