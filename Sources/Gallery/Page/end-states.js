// @ts-check
// What stands where no image comes: the reason, and what helps.

import { button, element, icon } from './elements.js';
import { count, counted, oneLine } from './text.js';

/**
 * @param {import('./listing.js').Listing} listing
 * @param {{ isFiltered: boolean, onclear: () => void, onsources: () => void, onmore: () => void }} options
 */
export function endState(listing, { isFiltered, onclear, onsources, onmore }) {
  const found = listing.entries.length;
  if (listing.state === 'failed') return emptyState('warning', 'The gallery could not load more', listing.error?.message ?? '', 'Try again', onmore);
  if (listing.state !== 'ended') return emptyState('filter', isFiltered ? `None of the last ${count(found)} images meets the filters` : 'Nothing new for a while', 'There may be more further on.', 'Look further', onmore);
  if (isFiltered) return emptyState('filter', 'No image meets the filters', `${counted(found, 'image')} found without them.`, 'Clear filters', onclear);
  return emptyState('image', 'Nothing found', 'Try other words, or ask more sources.', 'Choose sources', onsources);
}

/** @param {string} iconName @param {string} title @param {string} text @param {string} [label] @param {() => void} [onclick] */
export function emptyState(iconName, title, text, label, onclick) {
  return element(
    'div',
    { class: 'empty-state' },
    icon(iconName),
    element('h2', {}, title),
    text ? element('p', { dir: 'auto' }, oneLine(text, 300)) : null,
    label && onclick ? button({ label, class: 'is-primary', onclick }) : null,
  );
}
