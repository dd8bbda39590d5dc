// @ts-check
// How many images are selected, and what can be done with them.

import { button } from './button.js';
import { download } from './download-panel.js';
import { byId, element, fill } from './elements.js';
import { announce } from './toast.js';
import { count, counted } from './text.js';

/** How many images the server takes at once. */
const AT_ONCE = 1000;

/** @param {import('./gallery.js').Gallery} gallery */
export async function showSelectionBar(gallery) {
  const { results, state } = gallery;
  const { selection, grid } = results;
  const bar = byId('selection-bar');
  const isNew = bar.hidden && selection.size > 0;
  bar.hidden = selection.size === 0;
  const { isLibrary } = state.address.query;
  if (isNew) {
    const actions = isLibrary ? (await import('./library.js')).libraryActions(gallery)
      : [button({ icon: 'download', label: 'Download', class: 'is-primary', onclick: () => start(selection) })];
    fill(
      bar,
      element('p', { id: 'selection-count', role: 'status' }),
      button({ label: 'Select all', class: 'is-quiet', onclick: () => selection.replace(grid.entries) }),
      actions,
      button({ icon: 'close', label: 'Clear selection', isIconOnly: true, onclick: () => selection.clear() }),
    );
  }
  if (!selection.size) return;
  const hidden = results.hiddenSelected;
  const rest = hidden ? `, ${count(hidden)} hidden by filters` : '';
  byId('selection-count').textContent = `${count(selection.size)} selected${rest}`;
}

/** @param {import('./selection.js').Selection} selection */
async function start(selection) {
  const all = [...selection.entries.values()].map(({ item }) => item);
  // A collection may have any number of images: those that are wanted are chosen in it.
  const items = all.filter(({ type }) => type !== 'collection');
  const left = all.length - items.length;
  const note = left ? `${counted(left, 'collection')} left out: open a collection to select its images` : '';
  if (note) announce(note);
  if (!items.length) return;
  selection.clear();
  for (let from = 0; from < items.length; from += AT_ONCE) await download(items.slice(from, from + AT_ONCE), note);
}
