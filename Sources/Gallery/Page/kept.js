// @ts-check
// What the server keeps for the page: searches, choices of sources and settings, whatever the port and the browser.

import { send } from './api.js';
import { writeAddress } from './address.js';

/** @typedef {import('./types.js').Kept} Kept */
/** @typedef {import('./types.js').StoredSearch} StoredSearch */
/** @typedef {import('./store.js').Store} Store */

const MOST = { recent: 12, saved: 200 };
/** Images that are remembered of a search whose new ones are marked. */
const MOST_SEEN = 600;

/** @returns {Kept} */
export const nothingKept = () => ({ recent: [], saved: [], sources: { providers: [], parameters: {} }, settings: {} });

/**
 * What was changed before everything that is kept was known: it is joined with that, and then sent.
 * @type {Set<keyof Kept> | null}
 */
let early = new Set();

/**
 * Asks for what is kept. What is kept meanwhile stays.
 * @param {Store} store
 */
export async function loadKept(store) {
  try {
    const all = await (await send('GET', '/store', { root: '/page' })).json();
    const { kept } = store.state;
    const changed = early ?? new Set();
    early = null;
    store.change({
      kept: {
        recent: joined(kept.recent, searches(all.recent)).slice(0, MOST.recent),
        saved: joined(kept.saved, searches(all.saved)),
        sources: changed.has('sources') ? kept.sources : { ...kept.sources, ...all.sources },
        settings: { ...all.settings, ...kept.settings },
      },
    });
    for (const name of changed) put(store, name);
  } catch {
    // Whoever can do without goes on; that the server is gone is told of anyway.
  }
}

/**
 * Each search once, the first ones first.
 * @param {StoredSearch[]} first @param {StoredSearch[]} others
 */
function joined(first, others) {
  const known = new Set(first.map(({ address }) => address));
  return [...first, ...others.filter(({ address }) => !known.has(address))];
}

/** @param {unknown} value @returns {StoredSearch[]} */
function searches(value) {
  const list = /** @type {any} */ (value)?.list;
  if (!Array.isArray(list)) return [];
  return list.filter((search) => typeof search?.title === 'string' && `${search.address}`.startsWith('/?'));
}

/**
 * Keeps one of the lists.
 * @template {keyof Kept} Name @param {Store} store @param {Name} name @param {Kept[Name]} value
 */
export function keep(store, name, value) {
  store.change({ kept: { ...store.state.kept, [name]: value } });
  if (early) early.add(name);
  else put(store, name);
}

/** @param {Store} store @param {keyof Kept} name */
function put(store, name) {
  const value = store.state.kept[name];
  const body = Array.isArray(value) ? { list: value } : value;
  send('PUT', `/store/${name}`, { root: '/page', body }).catch(() => {}); // That the server is gone is told of anyway.
}

/**
 * Puts a search first.
 * @param {Store} store @param {'recent' | 'saved'} shelf @param {StoredSearch} search
 */
export function keepSearch(store, shelf, search) {
  const others = store.state.kept[shelf].filter(({ address }) => address !== search.address);
  keep(store, shelf, [search, ...others].slice(0, MOST[shelf]));
}

/** @param {Store} store @param {'recent' | 'saved'} shelf @param {string} address */
export function forgetSearch(store, shelf, address) {
  keep(store, shelf, store.state.kept[shelf].filter((search) => search.address !== address));
}

/** @param {import('./types.js').PageState} state */
export const searchAddress = ({ query, filters }) => writeAddress({ query, filters, image: '' });

/**
 * The saved search that is shown.
 * @param {import('./types.js').State} state
 */
export const savedSearch = ({ kept, address }) => {
  const shown = searchAddress(address);
  return kept.saved.find((search) => search.address === shown);
};

/**
 * Remembers what has been seen of a search whose new images are marked.
 * @param {Store} store @param {string} address @param {string[]} refs
 */
export function keepSeen(store, address, refs) {
  const { saved } = store.state.kept;
  const search = saved.find((other) => other.address === address);
  if (!search?.seen) return;
  const seen = [...new Set([...refs, ...search.seen])].slice(0, MOST_SEEN);
  keep(store, 'saved', saved.map((other) => (other === search ? { ...other, seen } : other)));
}
