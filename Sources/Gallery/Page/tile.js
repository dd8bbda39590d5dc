// @ts-check
// One image of the grid.

import { mainColor } from './colors.js';
import { dropPicture, loadPicture } from './connections.js';
import { element, icon, whenThere } from './elements.js';
import { itemTitle, oneLine } from './text.js';

/** @typedef {import('./types.js').Box} Box */

/**
 * @param {Box} box
 * @param {{
 *   position: number, height: number, isSelected: boolean, isActive: boolean, href: string, source: string,
 *   column: number,
 * }} options
 * @returns {HTMLElement}
 */
export function tile({ entry, left, width }, options) {
  const { item } = entry;
  const node = element(
    'div',
    {
      class: 'tile', role: 'gridcell', 'aria-selected': options.isSelected, 'aria-colindex': options.column,
      'data-position': options.position,
    },
    element(
      'a',
      { class: 'tile-link', href: options.href, tabindex: options.isActive ? 0 : -1, draggable: 'false' },
      picture(entry, width, options.height),
    ),
    badge(entry),
    element('button', { class: 'tile-check', type: 'button', tabindex: -1, 'aria-hidden': 'true', title: 'Select' }),
  );
  label(node, entry, options.source);
  node.style.left = `${left}px`;
  node.style.width = `${width}px`;
  const color = mainColor(item);
  if (color) node.style.backgroundColor = color;
  return node;
}

/**
 * What an item is besides one picture.
 * @param {import('./types.js').Entry} entry
 */
function badge({ item, isNew }) {
  const words = kindOf(item);
  if (!words && !isNew) return null;
  return element('span', { class: 'tile-badge', 'aria-hidden': 'true' },
    words ? [icon('album'), words] : null, isNew ? element('strong', {}, 'New') : null);
}

/** @param {import('./types.js').Item} item */
function kindOf({ type, media }) {
  const files = new Set(media?.map((file) => file.file ?? 1)).size;
  if (files > 1) return `${files} files`;
  return { collection: 'Collection', video: 'Video', animation: 'Animation' }[/** @type {string} */ (type)] ?? '';
}

/**
 * Names a tile for those who do not see its picture.
 * @param {Element} node @param {import('./types.js').Entry} entry @param {string} source
 */
export function label(node, { item, isNew }, source) {
  const words = [isNew ? 'New' : '', kindOf(item)].filter(Boolean).join(', ');
  const kind = words ? `${words}: ` : '';
  const name = oneLine(item.alt, 200) || itemTitle(item);
  node.querySelector('.tile-link')?.setAttribute('aria-label', `${kind}${name}, ${oneLine(source, 60)}`);
}

/**
 * The file that is large enough for a box.
 * @param {import('./types.js').Entry} entry @param {number} width @param {number} height
 */
function picture(entry, width, height) {
  const { thumbnail, preview, full } = entry.item.pictures ?? {};
  const needed = width * Math.min(devicePixelRatio || 1, 2);
  const isSmall = thumbnail?.width && thumbnail.width < needed * 0.6;
  const chosen = (isSmall ? preview : thumbnail) ?? thumbnail ?? preview ?? full;
  if (!chosen) return element('span', { class: 'tile-missing' }, icon('image'));
  const image = element('img', { alt: '', decoding: 'async', width, height, draggable: 'false', class: 'tile-image' });
  const asked = performance.now();
  image.addEventListener('load', () => {
    // A picture that comes at once is there; one that people waited for comes softly.
    if (performance.now() - asked > 120) image.classList.add('is-arriving');
    image.classList.add('is-loaded');
    image.dispatchEvent(new CustomEvent('picture', { bubbles: true, detail: { entry, image } }));
  });
  image.addEventListener('error', async () => {
    const place = element('span', { class: 'tile-missing' }, icon('image-off'));
    image.replaceWith(place);
    const { explainMissing } = await whenThere(import('./missing-picture.js'));
    explainMissing(place, chosen.url, () => {
      const next = picture(entry, width, height);
      place.replaceWith(next);
      if (next.parentElement) loadPictures(next.parentElement);
    });
  });
  image.dataset.src = chosen.url;
  return image;
}

/**
 * Lets a tile's picture come.
 * @param {Element} node
 */
export function loadPictures(node) {
  for (const image of node.querySelectorAll('img[data-src]')) {
    if (!(image instanceof HTMLImageElement)) continue;
    loadPicture(image, image.dataset.src ?? '');
    delete image.dataset.src;
  }
}

/**
 * Ends what is still under way for a tile that goes.
 * @param {Element} node
 */
export function dropPictures(node) {
  for (const image of node.querySelectorAll('img')) {
    dropPicture(image);
  }
}
