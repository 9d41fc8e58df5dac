/** The exercises and conditions that the server knows, asked for once. */

import { getVocabulary, messageOf } from './api';
import { Signal } from './signal';
import type { Vocabulary } from './types';

export const vocabulary = new Signal<Vocabulary | null>(null);
export const vocabularyError = new Signal<string | null>(null);

export async function loadVocabulary(): Promise<void> {
  vocabularyError.set(null);
  try {
    vocabulary.set(await getVocabulary());
  } catch (error) {
    vocabularyError.set(messageOf(error));
  }
}
