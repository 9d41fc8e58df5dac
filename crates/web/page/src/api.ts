/** Calls of the server. Every failure becomes an `ApiError` with a sentence that can be shown as it is. */

import type { Checked, Reply, Solution, Vocabulary } from './types';

export class ApiError extends Error {
  constructor(
    message: string,
    readonly argument: string | null = null,
    readonly column: number | null = null,
    readonly isOffline = false,
  ) {
    super(message);
  }
}

export const OFFLINE = 'The server does not answer. Start “entente serve” again; nothing on this page is lost.';

/** Tells the server which requests come from one tab, so that it can be fair to others. */
const TAB = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends a request and returns the response, if it is a good one. */
export async function send(path: string, body?: unknown, signal?: AbortSignal, accept = '*/*'): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...(body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json', 'x-tab': TAB, accept }, body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(OFFLINE, null, null, true);
  }
  if (!response.ok) throw await failure(response);
  return response;
}

async function failure(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => null);
  return errorOf(data, `The server answers with an error (${response.status}).`);
}

/** The error in an object that the server sent. */
export function errorOf(data: unknown, otherwise: string): ApiError {
  const known = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  return new ApiError(
    typeof known.error === 'string' ? readable(known.error) : otherwise,
    typeof known.argument === 'string' ? known.argument : null,
    typeof known.column === 'number' ? known.column : null,
  );
}

/**
 * The sentence without the name of the argument, which only programs know, and without its column, which is marked. The
 * list of all kinds of conditions is for people who write them every day; here a few are enough.
 */
function readable(text: string): string {
  const sentence = text
    .replace(/^[a-z_]+(, column \d+)?: /, '')
    .replace(/^expected a condition: .*'!' or '\(', found '(\w[^']*)'$/, '“$1” is no condition, such as Q=0, N@f5 or turn=white')
    .replace(/a condition: .*'!' or '\('/, 'a condition, such as Q=0, N@f5, turn=white or theme=fork');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

async function json<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(path, body, signal);
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError('The server’s answer cannot be read.');
  }
}

export const getVocabulary = () => json<Vocabulary>('/api/vocabulary');
export const check = (constraint: string) => json<Checked>('/api/check', { constraint });
export const solve = (body: object, signal?: AbortSignal) => json<Solution>('/api/solve', body, signal);
export const play = (body: object, signal?: AbortSignal) => json<Reply>('/api/play', body, signal);
