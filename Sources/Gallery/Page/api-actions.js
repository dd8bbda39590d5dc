// @ts-check
// What the server is told to do: downloads and keys.

import { events, send } from './api.js';

/** @param {import('./types.js').Item[]} items @returns {Promise<string>} The download's id. */
export async function startDownload(items) {
  const { id } = await (await send('POST', '/downloads', { body: { items } })).json();
  return String(id);
}

/** @param {string} id @param {AbortSignal} signal */
export async function* downloadEvents(id, signal) {
  yield* events(`/downloads/${encodeURIComponent(id)}/events`, signal);
}

/** @param {string} id */
export async function cancelDownload(id) {
  await send('DELETE', `/downloads/${encodeURIComponent(id)}`);
}

/** @param {string} provider @param {Record<string, string>} values */
export async function storeKey(provider, values) {
  await send('PUT', `/keys/${encodeURIComponent(provider)}`, { body: { values } });
}

/** @param {string} provider */
export async function removeKey(provider) {
  await send('DELETE', `/keys/${encodeURIComponent(provider)}`);
}
