// @ts-check
// What the server is told to do: downloads and keys.

import { events, send } from './api.js';

/** @param {import('./types.js').Item[]} items @returns {Promise<Download>} The download that has begun. */
export async function startDownload(items) {
  return (await send('POST', '/downloads', { body: { items } })).json();
}

/** @typedef {import('./types.js').Download} Download */

/** @returns {Promise<Download[]>} */
export async function downloads() {
  return (await (await send('GET', '/downloads')).json()).downloads;
}

/** @param {string} id @returns {Promise<Download>} The download that has begun. */
export async function repeatDownload(id) {
  return (await send('POST', `/downloads/${encodeURIComponent(id)}/again`)).json();
}

/** @param {string} id */
export async function openFolder(id) {
  await send('POST', `/downloads/${encodeURIComponent(id)}/folder`, { root: '/page' });
}

/** @param {string} id @param {AbortSignal} signal */
export async function* downloadEvents(id, signal) {
  yield* events(`/downloads/${encodeURIComponent(id)}/events`, signal);
}

/** @param {string} id */
export async function cancelDownload(id) {
  await send('DELETE', `/downloads/${encodeURIComponent(id)}`);
}

/** @param {string} ref @param {boolean} withFile */
export async function removeFile(ref, withFile) {
  await send('DELETE', `/library/files/${encodeURIComponent(ref.replace('library:', ''))}?file=${withFile}`);
}

/** @returns {Promise<import('./types.js').Duplicates>} Files that look alike, as far as they have been compared. */
export async function duplicates() {
  return (await send('GET', '/library/duplicates')).json();
}

/** @param {string} provider @param {Record<string, string>} values */
export async function storeKey(provider, values) {
  await send('PUT', `/keys/${encodeURIComponent(provider)}`, { body: { values } });
}

/** @param {string} provider */
export async function removeKey(provider) {
  await send('DELETE', `/keys/${encodeURIComponent(provider)}`);
}
