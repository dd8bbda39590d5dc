// @ts-check
// What stands where no image comes: the reason, and what helps.

import { button } from './button.js';
import { byId, element, fill, icon } from './elements.js';
import { filterCount, noFilters } from './facets.js';
import { counted, oneLine } from './text.js';

/**
 * Says why nothing more comes.
 * @param {import('./gallery.js').Gallery} gallery
 */
export function showEnd(gallery) {
  const { results } = gallery.state;
  if (results && results.state !== 'loading') fill(byId('end'), endState(gallery, results));
}

/** @param {import('./gallery.js').Gallery} gallery @param {import('./types.js').Results} results */
function endState(gallery, { state, found, shown, error }) {
  const isFiltered = filterCount(gallery.state.address.filters) > 0;
  const { listing } = gallery.results;
  const goOn = () => gallery.results.goOn();
  const choose = () => gallery.chooseSources();
  if (state === 'failed') {
    const title = found ? 'More images could not be loaded' : 'The search failed';
    return emptyState('warning', title, error, 'Try again', goOn);
  }
  if (state !== 'ended') {
    const title = !isFiltered ? 'No new images for a while'
      : shown ? `${counted(shown, 'image')} of ${counted(found, 'image')} so far match the filters`
      : `None of the ${counted(found, 'image')} so far matches the filters`;
    return emptyState('filter', title, 'There may be more further on.', 'Keep looking', goOn);
  }
  if (isFiltered && found) {
    const clear = () => gallery.go({ filters: noFilters() });
    const text = `${counted(found, 'image')} found without them.`;
    return emptyState('filter', 'No image matches the filters', text, 'Clear filters', clear);
  }
  if (listing?.failures.size && !listing.answered.size) {
    const text = 'The reasons stand above. Other sources may have images.';
    return emptyState('warning', 'No source answered', text, 'Choose sources', choose);
  }
  return emptyState('image', 'No images found', 'Try other words or more sources.', 'Choose sources', choose);
}

/**
 * @param {string} iconName @param {string} title @param {string} text @param {string} label @param {() => void} onclick
 */
function emptyState(iconName, title, text, label, onclick) {
  return element(
    'div',
    { class: 'empty-state' },
    icon(iconName),
    element('h2', {}, title),
    text ? element('p', { dir: 'auto' }, oneLine(text, 300)) : null,
    button({ label, class: 'is-primary', onclick }),
  );
}
