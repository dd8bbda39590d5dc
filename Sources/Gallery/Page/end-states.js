// @ts-check
// What stands where no image comes: the reason, and what helps.

import { filterCount, noFilters } from './address.js';
import { button } from './button.js';
import { byId, element, fill, icon } from './elements.js';
import { counted, oneLine } from './text.js';

/**
 * Says why nothing more comes.
 * @param {import('./gallery.js').Gallery} gallery
 */
export function showEnd(gallery) {
  const { listing } = gallery;
  if (!listing || listing.state === 'loading') return;
  fill(byId('end'), endState(gallery, listing));
}

/** @param {import('./gallery.js').Gallery} gallery @param {import('./listing.js').Listing} listing */
function endState(gallery, listing) {
  const found = listing.entries.length;
  const isFiltered = filterCount(gallery.state.filters) > 0;
  const onmore = () => {
    gallery.barrenParts = 0;
    listing.loadMore();
  };
  if (listing.state === 'failed') return emptyState('warning', 'More images could not be loaded', listing.error?.message ?? '', 'Try again', onmore);
  if (listing.state !== 'ended') return emptyState('filter', isFiltered ? `None of the ${counted(found, 'image')} so far matches the filters` : 'No new images for a while', 'There may be more further on.', 'Keep looking', onmore);
  if (isFiltered) return emptyState('filter', 'No image matches the filters', `${counted(found, 'image')} found without them.`, 'Clear filters', () => gallery.go({ filters: noFilters() }));
  if (listing.failures.size && !listing.isAnswered) return emptyState('warning', 'No source answered', 'The reasons stand above. Other sources may have images.', 'Choose sources', () => gallery.chooseSources());
  return emptyState('image', 'No images found', 'Try other words or more sources.', 'Choose sources', () => gallery.chooseSources());
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
