// @ts-check
// What was downloaded: its order, its copies, and what can be done with its files.

import { announce } from './toast.js';
import { removeFile } from './api-actions.js';
import { button } from './button.js';
import { element, fill } from './elements.js';
import { counted } from './text.js';
import { copyText } from './sharing.js';

/** @typedef {import('./gallery.js').Gallery} Gallery */
/** @typedef {import('./types.js').Item} Item */

const ORDERS = { newest: 'Newest first', oldest: 'Oldest first', created: 'By date of the image', title: 'By title' };

/**
 * The tools above the grid.
 * @param {Gallery} gallery @param {HTMLElement} place
 */
export function showLibraryTools(gallery, place) {
  const { query } = gallery.state.address;
  if (!query.isLibrary) return fill(place);
  const order = element('select', {
    'aria-label': 'Order',
    onchange: () => gallery.go({ query: { ...gallery.state.address.query, order: order.value } }),
  }, Object.entries(ORDERS).map(([value, label]) =>
    element('option', { value: value === 'newest' ? '' : value }, label)));
  order.value = query.order;
  const compare = async () => {
    const { showDuplicates } = await import('./library-duplicates.js');
    showDuplicates(gallery);
  };
  fill(place, order, button({ label: 'Find duplicates', class: 'is-quiet', onclick: compare }));
}

/**
 * What can be done with files that are selected.
 * @param {Gallery} gallery @returns {HTMLElement[]}
 */
export function libraryActions({ results }) {
  const items = () => [...results.selection.entries.values()].map(({ item }) => item);
  const copy = () => {
    const lines = items().map((item) => item.attribution?.text ?? '').filter(Boolean);
    copyText([...new Set(lines)].join('\n'), `${counted(lines.length, 'credit')} copied`);
  };
  return [
    button({ icon: 'copy', label: 'Copy credits', class: 'is-quiet', onclick: copy }),
    button({ icon: 'trash', label: 'Remove', class: 'is-primary', onclick: () => askToRemove(results, items()) }),
  ];
}

/**
 * Asks whether files go, too, and takes them out of the library.
 * @param {import('./results.js').Results} results @param {Item[]} items
 */
function askToRemove(results, items) {
  const dialog = element('dialog', { class: 'menu is-question', 'aria-labelledby': 'remove-title' });
  const remove = async (/** @type {boolean} */ withFile) => {
    dialog.close();
    const gone = await removeAll(items, withFile);
    results.remove(new Set(gone));
  };
  fill(dialog,
    element('p', { class: 'menu-title', id: 'remove-title' }, `Remove ${counted(items.length, 'image')}?`),
    element('p', {}, 'A file that only leaves the library stays in its folder, and counts as not downloaded.'),
    element('div', { class: 'form-bar' },
      button({ label: 'Delete files', class: 'is-danger', onclick: () => remove(true) }),
      button({ label: 'Keep files', onclick: () => remove(false) }),
      button({ label: 'Cancel', class: 'is-quiet', onclick: () => dialog.close() })));
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.showModal();
}

/**
 * @param {Item[]} items @param {boolean} withFile @returns {Promise<string[]>} The refs of those that are gone.
 */
export async function removeAll(items, withFile) {
  /** @type {string[]} */
  const gone = [];
  let reason = '';
  for (const { ref } of items) {
    try {
      await removeFile(ref, withFile);
      gone.push(ref);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  const done = `${counted(gone.length, 'image')} ${withFile ? 'deleted' : 'removed from the library'}`;
  announce(reason ? `${done}; ${reason}` : done);
  return gone;
}
