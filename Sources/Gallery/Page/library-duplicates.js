// @ts-check
// Files that look alike, side by side: one of them is kept.

import { duplicates } from './api-actions.js';
import { button } from './button.js';
import { loadPicture } from './connections.js';
import { element, fill } from './elements.js';
import { bytes, date } from './formats.js';
import { removeAll } from './library.js';
import { count, counted, isolated, itemTitle } from './text.js';

/** @typedef {import('./types.js').Item} Item */

/** @param {import('./gallery.js').Gallery} gallery */
export async function showDuplicates({ results }) {
  const status = element('p', { class: 'empty-line', role: 'status' }, 'Looking for copies…');
  const list = element('div', { class: 'duplicate-groups' });
  const dialog = element('dialog', { class: 'sheet is-wide', 'aria-labelledby': 'duplicates-title' });
  dialog.append(element('div', { class: 'sheet-form' },
    element('header', { class: 'sheet-header' }, element('h2', { id: 'duplicates-title' }, 'Duplicates'),
      button({ icon: 'close', label: 'Close', isIconOnly: true, onclick: () => dialog.close() })),
    element('div', { class: 'sheet-tools' }, status),
    element('div', { class: 'sheet-body', tabindex: -1 }, list)));
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  const keep = async (/** @type {HTMLElement} */ group, /** @type {Item[]} */ others) => {
    const gone = await removeAll(others, true);
    results.remove(new Set(gone));
    if (gone.length === others.length) group.remove();
    if (!list.childElementCount) status.textContent = 'No more duplicates.';
  };
  while (dialog.open) {
    /** @type {import('./types.js').Duplicates} */
    let found;
    try {
      found = await duplicates();
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
      return;
    }
    const rest = found.remaining ? `; ${counted(found.remaining, 'image')} left to compare…` : '';
    const some = found.groups.length ? `${counted(found.groups.length, 'group')} found` : 'No duplicates found';
    status.textContent = `${some}${rest}${found.obstacle ? `. Only equal files: ${found.obstacle}` : ''}`;
    if (found.remaining) continue;
    fill(list, found.groups.map((items) => groupNode(items, keep)));
    return;
  }
}

/**
 * @param {Item[]} items @param {(group: HTMLElement, others: Item[]) => void} keep
 */
function groupNode(items, keep) {
  /** @type {HTMLElement} */
  const group = element('section', { class: 'duplicate-group', 'aria-label': itemTitle(items[0]) });
  fill(group, items.map((item) => {
    const picture = item.pictures?.thumbnail ?? item.pictures?.full;
    const image = element('img', { alt: '', draggable: 'false' });
    if (picture) loadPicture(image, picture.url);
    const [media] = item.media ?? [];
    const size = media?.width && media.height ? `${count(media.width)} × ${count(media.height)}` : '';
    const facts = [size, media?.format?.toUpperCase(), item.file && bytes(item.file.bytes)].filter(Boolean);
    return element('figure', {}, image,
      element('figcaption', {}, element('strong', {}, isolated(itemTitle(item), 80)),
        element('span', {}, facts.join(' · ')), element('span', {}, item.file ? date(item.file.downloaded) : ''),
        element('span', { dir: 'auto', class: 'duplicate-path' }, isolated(item.file?.path ?? '', 120)),
        button({
          label: 'Keep this one', title: `Keep ${itemTitle(item)}, and delete the others`,
          onclick: () => keep(group, items.filter((other) => other !== item)),
        })));
  }));
  return group;
}
