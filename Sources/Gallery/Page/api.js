// @ts-check
// The server's API.

import { beginCall } from './connections.js';
import { eventBatches } from './event-stream.js';

const ROOT = '/api/v1';

/**
 * Hears whether the server is there: events `there`, `gone` and `signed-out`.
 */
export const server = new EventTarget();

/** @param {'there' | 'gone' | 'signed-out'} state */
export const reportServer = (state) => server.dispatchEvent(new CustomEvent('state', { detail: state }));

/** An answer that is no success; `status` is 0 where the server could not be reached. */
export class APIError extends Error {
  /** @param {number} status @param {string} code @param {string} message @param {string[]} [providers] */
  constructor(status, code, message, providers = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.providers = providers;
  }
}

export const connectionLost = () => new APIError(0, 'cut', 'The connection to the gallery’s server was lost.');

/**
 * @param {string} method @param {string} path
 * @param {{ body?: unknown, signal?: AbortSignal, root?: string }} [options]
 * @returns {Promise<Response>}
 */
export async function send(method, path, options = {}) {
  const { body, signal, root = ROOT } = options;
  /** @type {Response} */
  let response;
  const endCall = beginCall();
  try {
    response = await fetch(root + path, {
      method,
      signal,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportServer('gone');
    throw new APIError(0, 'unreachable', 'The gallery’s server does not answer.');
  } finally {
    endCall();
  }
  reportServer(response.status === 401 ? 'signed-out' : 'there');
  if (response.ok) return response;
  if (response.status === 401) throw new APIError(401, 'unauthorized', 'This page is no longer signed in.');
  throw await problemOf(response);
}

/**
 * What an answer says is wrong (RFC 9457).
 * @param {Response} response
 */
export async function problemOf(response) {
  const problem = await response.json().catch(() => ({})); // Anything but JSON is an answer of another server.
  const text = problem.detail ?? `The server answered with status ${response.status}.`;
  return new APIError(response.status, problem.code ?? 'status', text, problem.providers);
}

/** @returns {Promise<import('./types.js').ProviderList>} */
export async function providers() {
  return (await send('GET', '/providers')).json();
}

/** @param {string} ref @param {AbortSignal} [signal] @returns {Promise<import('./types.js').Item>} */
export async function details(ref, signal) {
  const file = /^library:(.+)/.exec(ref)?.[1];
  const path = file ? `/library/files/${encodeURIComponent(file)}` : `/details?ref=${encodeURIComponent(ref)}`;
  return (await send('GET', path, { signal })).json();
}

/**
 * One part of a listing as it comes.
 * @param {URLSearchParams} query @param {AbortSignal} signal
 */
export async function* listing(query, signal) {
  // Its one provider is the library itself.
  if (query.has('library')) for (const name of ['library', 'provider']) query.delete(name);
  else return yield* events(`/images/events?${query}`, signal);
  yield* events(`/library/events?${query}`, signal);
}

/**
 * @param {string} path @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ event: string, data: any }[], void, void>}
 */
export async function* events(path, signal) {
  const endCall = beginCall();
  try {
    const response = await send('GET', path, { signal });
    if (!response.body) return;
    for await (const batch of eventBatches(response.body)) {
      yield batch.map(({ event, data }) => ({ event, data: JSON.parse(data) }));
    }
  } finally {
    endCall();
  }
}
