// @ts-check
// What a tile says of its image to whoever points at it: thousands fly past without anybody reading them.

import { element } from './elements.js';
import { isolated, itemTitle } from './text.js';

/** @param {import('./grid.js').Grid} grid */
export function enableCaptions(grid) {
  /** @param {EventTarget | null} target */
  const show = (target) => {
    const tile = target instanceof Element ? target.closest('.tile') : null;
    const entry = tile && grid.entryOf(tile);
    if (!entry || tile.querySelector('.tile-caption')) return;
    tile.querySelector('.tile-link')?.after(element(
      'div',
      { class: 'tile-caption', 'aria-hidden': 'true' },
      element('div', { class: 'tile-title' }, isolated(itemTitle(entry.item), 120)),
      element('div', { class: 'tile-source' }, isolated(grid.options.sourceName(entry.item.provider), 60)),
    ));
  };
  for (const name of ['pointerover', 'focusin']) grid.root.addEventListener(name, ({ target }) => show(target));
  show(grid.root.querySelector('.tile:hover') ?? document.activeElement);
}
