// @ts-check
// Saves searches, and forgets them.

import { isSaved, keep, searchAddress, stored, write } from './stored.js';

/** @typedef {import('./stored.js').Shelf} Shelf */

/** @param {Shelf} shelf @param {string} address */
export function forget(shelf, address) {
  write(shelf, stored(shelf).filter((search) => search.address !== address));
}

/** @param {Shelf} shelf */
export function forgetAll(shelf) {
  write(shelf, []);
}

/**
 * Saves a search, or forgets one that was saved; whether it is saved now.
 * @param {import('./types.js').PageState} state @param {string} title
 */
export function toggleSaved(state, title) {
  const address = searchAddress(state);
  if (isSaved(state)) forget('saved', address);
  else keep('saved', { address, title });
  return isSaved(state);
}
