/** Choices of the user that are no part of the request: which side is below, and the colours of the page. */

import { Signal } from './signal';
import { load, store } from './storage';

export type Orientation = 'mover' | 'white' | 'black';
export type Theme = 'system' | 'light' | 'dark';

function kept<T extends string>(key: string, known: readonly T[], otherwise: T): Signal<T> {
  const signal = new Signal<T>(load(key, (value): value is T => known.some((each) => each === value)) ?? otherwise);
  let isFirst = true;
  signal.watch((value) => {
    if (!isFirst) store(key, value);
    isFirst = false;
  });
  return signal;
}

export const orientation = kept<Orientation>('orientation', ['mover', 'white', 'black'], 'mover');
export const theme = kept<Theme>('theme', ['system', 'light', 'dark'], 'system');

export function sideBelow(fen: string): 'white' | 'black' {
  if (orientation.value !== 'mover') return orientation.value;
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function applyTheme(): void {
  theme.watch((value) => {
    if (value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  });
}

export const systemDark = matchMedia('(prefers-color-scheme: dark)');
export const isDark = (): boolean => theme.value === 'dark' || (theme.value === 'system' && systemDark.matches);
