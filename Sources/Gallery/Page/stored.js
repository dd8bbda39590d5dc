// @ts-check
// Recent and saved searches, kept by the browser.

import { writeAddress } from './address.js';

/** @typedef {{ address: string, title: string }} StoredSearch */
/** @typedef {'recent' | 'saved'} Shelf */

const MOST = { recent: 12, saved: 200 };

/** @param {Shelf} shelf @returns {StoredSearch[]} */
export function stored(shelf) {
  try {
    const list = JSON.parse(localStorage.getItem(`imgscript.${shelf}`) ?? '[]');
    return Array.isArray(list) ? list.filter(({ address, title }) => typeof address === 'string' && address.startsWith('/?') && typeof title === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Puts a search first.
 * @param {Shelf} shelf @param {StoredSearch} search
 */
export function keep(shelf, search) {
  write(shelf, [search, ...stored(shelf).filter(({ address }) => address !== search.address)].slice(0, MOST[shelf]));
}

/** @param {import('./types.js').PageState} state */
export const searchAddress = ({ query, filters }) => writeAddress({ query, filters, image: '' });

/** @param {Shelf} shelf @param {StoredSearch[]} list */
export function write(shelf, list) {
  try {
    localStorage.setItem(`imgscript.${shelf}`, JSON.stringify(list));
  } catch {
    // Private windows may keep nothing.
  }
}

/** @param {import('./types.js').PageState} state */
export const isSaved = (state) => stored('saved').some(({ address }) => address === searchAddress(state));
