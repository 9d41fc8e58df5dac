/** Names for requests: the title of the exercise, or the words of the conditions, instead of formulas. */

import { reading } from './checking';
import { Signal } from './signal';
import { isObject, load, store } from './storage';
import { vocabulary } from './vocabulary';
import { wordsOfPart } from './words';

/** The words of constraints that were asked for, by their texts. Texts that were never read have none. */
const isWords = (value: unknown): value is Record<string, string> => isObject(value) && Object.values(value).every((each) => typeof each === 'string');
const words = new Map(Object.entries(load('words', isWords) ?? {}));

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The title of the condition in the vocabulary that has this text. */
export const titleOfChip = (text: string): string | undefined =>
  vocabulary.value?.chips.flatMap(({ chips }) => chips).find((chip) => plain(chip.text) === plain(text))?.title;

export const exerciseOf = (constraint: string) => vocabulary.value?.exercises.find((each) => plain(each.constraint) === plain(constraint));

/** Changes when more words are known: a run may begin before its text has been read. */
export const named = new Signal(0);

reading.watch((now) => {
  if (now.state !== 'good' || now.checked.parts.length === 0) return;
  words.set(now.text, now.checked.parts.map((part) => wordsOfPart(part, titleOfChip)).join(', '));
  named.set(named.value + 1);
});

/** A name for people; the text itself if nothing better is known. */
export const nameOfRequest = (constraint: string): string =>
  exerciseOf(constraint)?.title ?? words.get(constraint) ?? words.get(constraint.trim()) ?? constraint;

/** Keeps the words of the constraints that are listed after the page is closed. */
export function keepWords(constraints: string[]): void {
  store('words', Object.fromEntries(constraints.flatMap((text) => (words.has(text) ? [[text, words.get(text)!]] : []))));
}
