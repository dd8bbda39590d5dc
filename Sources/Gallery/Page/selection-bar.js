// @ts-check
// How many images are selected, and what can be done with them.

import { download } from './downloads.js';
import { button } from './button.js';
import { byId, element, fill } from './elements.js';
import { announce } from './toast.js';
import { count } from './text.js';

const AT_ONCE = 1000;

/** @param {import('./selection.js').Selection} selection @param {import('./grid.js').Grid} grid */
export function showSelectionBar(selection, grid) {
  const bar = byId('selection-bar');
  const isNew = bar.hidden && selection.size > 0;
  bar.hidden = selection.size === 0;
  if (isNew) {
    fill(
      bar,
      element('p', { id: 'selection-count', role: 'status' }),
      button({ label: 'Select all', class: 'is-quiet', onclick: () => selection.replace(grid.entries) }),
      button({ icon: 'download', label: 'Download', class: 'is-primary', onclick: () => start(selection) }),
      button({ icon: 'close', label: 'Clear selection', isIconOnly: true, onclick: () => selection.clear() }),
    );
  }
  if (selection.size) byId('selection-count').textContent = `${count(selection.size)} selected`;
}

/** @param {import('./selection.js').Selection} selection */
async function start(selection) {
  const items = [...selection.entries.values()].map(({ item }) => item).filter(({ type }) => type === 'image');
  if (!items.length) return announce('Collections cannot be downloaded; open one and select its images.');
  selection.clear();
  // More than the server takes at once go one after another.
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (!(await download(byId('downloads'), items.slice(from, from + AT_ONCE)))) return;
  }
}
