// @ts-check
// What is listed, in words.

import { isListing } from './address.js';
import { counted, oneLine } from './text.js';

/** @typedef {import('./types.js').State} State */

/**
 * @param {State} state @param {string} id
 */
export const sourceName = ({ providers }, id) =>
  oneLine(providers.find((provider) => provider.id === id)?.name ?? id, 60);

/**
 * The words for what is listed; empty where nothing is.
 * @param {State} state
 */
export function listingTitle(state) {
  const { text, isFeed, isLibrary, collection, near } = state.address.query;
  if (!isListing(state.address.query)) return '';
  if (isLibrary) return text ? `${oneLine(text, 80)} – your downloads` : 'Your downloads';
  if (collection) {
    const [provider, ...id] = collection.split(':');
    const title = state.kept.settings.titles?.[collection] ?? id.join(':');
    return `${oneLine(title, 80)} – ${sourceName(state, provider)}`;
  }
  if (isFeed) return `Images from ${sourcesText(state)}`;
  return oneLine(text, 80) || `Around ${oneLine(near, 40)}`;
}

/**
 * The sources that are asked: those of the address, and before a search those that were chosen last.
 * @param {State} state
 */
export function chosenSources({ address, kept }) {
  const { providers, parameters } = address.query;
  return providers.length || isListing(address.query) ? { providers, parameters } : kept.sources;
}

/** @param {State} state */
export function sourcesText(state) {
  if (state.address.query.isLibrary) return 'your downloads';
  const ids = chosenSources(state).providers;
  if (ids.length === 1 && ids[0] !== 'all') return sourceName(state, ids[0]);
  if (ids.includes('all')) return 'all sources';
  return ids.length ? counted(ids.length, 'source') : 'default sources';
}
