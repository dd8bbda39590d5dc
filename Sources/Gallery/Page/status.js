// @ts-check
// What stands above and below the grid: how much was found, who is waited for, and the end.

import { byId, element, fill, styled } from './elements.js';
import { filterCount } from './facets.js';
import { speak } from './messages.js';
import { count, counted, isolated } from './text.js';

/** @typedef {import('./gallery.js').Gallery} Gallery */

/** @param {Gallery} gallery */
export function showStatus(gallery) {
  const { store } = gallery;
  store.watch(({ results }) => results, (results, state) => {
    if (!results) return;
    const text = statusText(state);
    byId('status').textContent = text;
    if (results.state !== 'loading') speak(text);
    byId('grid').setAttribute('aria-busy', String(results.state === 'loading'));
    byId('skeleton').hidden = results.isBarren || !['loading', 'idle'].includes(results.state);
    const isBarren = results.state === 'idle' && results.isBarren;
    if (results.state === 'failed' || isBarren || (results.state === 'ended' && !results.shown)) showEnd(gallery);
    else {
      const line = `End of results: ${counted(results.shown, 'image')}`;
      fill(byId('end'), results.state === 'ended' ? element('p', { class: 'end-line' }, line) : null);
    }
  });
  store.watch(
    ({ results }) => results?.awaited ?? '', (awaited) => showAwaited(gallery, awaited.split(' ').filter(Boolean)));
}

/** @param {Gallery} gallery */
async function showEnd(gallery) {
  const { showEnd: show } = await styled('panels', import('./end-states.js'));
  show(gallery);
}

/**
 * Names a source that keeps everybody waiting, which can be left out.
 * @param {Gallery} gallery @param {string[]} awaited
 */
function showAwaited(gallery, awaited) {
  const place = byId('awaited');
  if (!awaited.length) return fill(place);
  const [first, ...others] = awaited;
  const leaveOut = () => awaited.forEach((provider) => gallery.results.listing?.leaveOut(provider));
  fill(
    place,
    element('span', {}, 'Waiting for ', isolated(gallery.sourceName(first), 60),
      others.length ? ` and ${counted(others.length, 'other')}` : null),
    element('button', { type: 'button', class: 'link-button', onclick: leaveOut }, 'Leave out'),
  );
}

/** @param {import('./types.js').State} state */
function statusText({ results, address }) {
  if (!results) return '';
  const { state, found, shown, total } = results;
  if (!found && state !== 'ended') return state === 'failed' ? '' : 'Searching…';
  if (filterCount(address.filters)) return `${count(shown)} of ${counted(found, 'image')} found`;
  const isPart = total > shown && state !== 'ended';
  return isPart ? `${count(shown)} of about ${counted(total, 'image')}` : counted(shown, 'image');
}
