/** The request that the page shows, and its place in the history of the browser. */

import { DEFAULTS, readPlace, writePlace, type Place, type Request, type Tab } from './link';
import { Signal } from './signal';

const start = readPlace(location.hash);
export const request = new Signal<Request>(start.request);
export const tab = new Signal<Tab>(start.tab);
export const diagram = new Signal<string>(start.diagram);

const place = (): Place => ({ tab: tab.value, request: request.value, diagram: diagram.value });

/** Whether the present step of the history was chosen or run, so that changes begin a new step. */
let isSealed = true;
let timer = 0;

/** Writes the place into the address: over the present step while it is a draft, or else as a new step. */
function write(): void {
  clearTimeout(timer);
  const fragment = writePlace(place());
  if (fragment === location.hash) return;
  if (isSealed) history.pushState(null, '', fragment);
  else history.replaceState(null, '', fragment);
  isSealed = false;
}

/** Makes a step of the present place, to which Back returns. */
export function seal(): void {
  write();
  isSealed = true;
}

/** Browsers limit how often the address may change, and typing is faster than that. */
function writeSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(write, 250);
}

/** Changes some fields of the request. Typing does not fill the history; a choice is a step of its own. */
export function change(fields: Partial<Request>): void {
  request.set({ ...request.value, ...fields });
  writeSoon();
}

/** As `change`, for what the user chooses with one click. */
export function choose(fields: Partial<Request>): void {
  seal();
  request.set({ ...request.value, ...fields });
  seal();
}

export const replaceRequest = (next: Request): void => choose({ ...DEFAULTS, ...next });

export function goTo(next: Tab): void {
  if (next === tab.value) return;
  seal();
  tab.set(next);
  seal();
}

export function setDiagram(text: string): void {
  diagram.set(text);
  writeSoon();
}

export function followHistory(): void {
  window.addEventListener('popstate', () => {
    clearTimeout(timer);
    isSealed = true;
    const next = readPlace(location.hash);
    request.set(next.request);
    diagram.set(next.diagram);
    tab.set(next.tab);
  });
}

export const linkOfRequest = (): string => location.href.split('#')[0] + writePlace(place());
