/** Reads an event stream that answers a POST request; `EventSource` of browsers can only send GET requests. */

import { ApiError, OFFLINE, send } from './api';

export interface StreamEvent { name: string; data: unknown }

/** The events of the answer, one after the other. Aborting the signal ends them quietly. */
export async function* events(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const response = await send(path, body, signal, 'text/event-stream');
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    let chunk: ReadableStreamReadResult<string>;
    try {
      chunk = await reader.read();
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ApiError(OFFLINE, null, null, true);
    }
    rest = (rest + (chunk.value ?? '')).replaceAll('\r\n', '\n');
    for (let at = rest.indexOf('\n\n'); at >= 0; at = rest.indexOf('\n\n')) {
      const event = parse(rest.slice(0, at));
      rest = rest.slice(at + 2);
      if (event) yield event;
    }
    if (chunk.done) return;
  }
}

function parse(block: string): StreamEvent | null {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('event')) name = value;
    else if (line.startsWith('data')) data.push(value);
  }
  if (data.length === 0) return null;
  try {
    return { name, data: JSON.parse(data.join('\n')) };
  } catch {
    return null;
  }
}
