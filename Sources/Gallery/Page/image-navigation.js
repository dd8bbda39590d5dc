// @ts-check
// Which image is looked at: opened from the grid or an address, moved along the listing, closed.

import * as api from './api.js';
import { listingAddress, writeAddress } from './address.js';
import { enableCaptions } from './captions.js';
import { DetailView } from './detail-view.js';
import { noFilters } from './facets.js';
import { keep } from './kept.js';
import { count } from './text.js';

export class ImageNavigation {
  /** The place of the image that is looked at. */
  #position = -1;

  /** @param {import('./gallery.js').Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
    const { store, results } = gallery;
    enableCaptions(results.grid);
    this.detail = new DetailView({
      provider: (id) => gallery.provider(id),
      isSelected: (item) => results.selection.entries.has(item.ref),
      linkTo: ({ tag, collection }) =>
        tag ? writeAddress({ query: store.state.address.query, filters: { ...noFilters(), tags: [tag] }, image: '' })
          : listingAddress({ collection }),
      follow: (event) => {
        const { item } = this.detail;
        const isMore = item?.moreByAuthor && /** @type {Element} */ (event.currentTarget).matches('.viewer-links a');
        if (isMore) results.nameCollection(`${item.moreByAuthor}`, item.author?.name);
        gallery.navigation.follow(event);
      },
      creditForm: () => store.state.kept.settings.creditForm ?? 'text',
      keepCreditForm: (creditForm) => keep(store, 'settings', { ...store.state.kept.settings, creditForm }),
    });
    store.watch((state) => state.results, () => this.update());
    this.detail.addEventListener('close', () => this.#close());
    this.detail.addEventListener('select', () => this.#select());
    this.detail.addEventListener('move', (event) => this.#move(/** @type {CustomEvent<number>} */ (event).detail));
  }

  /** Brings the view to what the address says. */
  async show() {
    const { gallery, detail } = this;
    const { image } = gallery.state.address;
    if (!image) {
      if (!detail.isOpen) return;
      const position = this.#positionOf(detail.item?.ref ?? '');
      detail.close();
      if (position >= 0) gallery.results.grid.activate(position, { focus: true });
      return;
    }
    if (this.update() || detail.item?.ref === image) return;
    detail.say('Loading…');
    try {
      const item = await api.details(image);
      if (gallery.state.address.image !== image || detail.item?.ref === image) return;
      detail.open({ ...item, ref: image }, { place: '', hasPrevious: false, hasNext: false });
    } catch (error) {
      if (gallery.state.address.image !== image || this.#positionOf(image) >= 0) return;
      detail.say('Image not found', error instanceof Error ? error.message : String(error));
    }
  }

  /** Shows the image's place among what came meanwhile; whether it is among it. */
  update() {
    const { image } = this.gallery.state.address;
    const { grid } = this.gallery.results;
    const position = image ? this.#positionOf(image) : -1;
    if (position < 0) return false;
    this.detail.open(grid.entries[position].item, {
      place: `${count(position + 1)} of ${count(grid.entries.length)}`,
      hasPrevious: position > 0, hasNext: position < grid.entries.length - 1,
    });
    return true;
  }

  showSelection() {
    if (this.detail.isOpen) this.detail.showSelection();
  }

  #close() {
    if (!this.gallery.state.address.image) return;
    if (history.state?.isOpened) history.back();
    else this.gallery.go({ image: '' }, { isReplacing: true });
  }

  /** @param {number} direction */
  #move(direction) {
    const { grid, listing } = this.gallery.results;
    let position = this.#positionOf(this.gallery.state.address.image) + direction;
    while (grid.entries[position]?.item.type === 'collection') position += direction;
    const entry = grid.entries[position];
    if (entry) this.gallery.go({ image: entry.item.ref }, { isReplacing: true });
    if (position > grid.entries.length - 8) listing?.loadMore();
  }

  #select() {
    const { grid, selection } = this.gallery.results;
    const { item } = this.detail;
    if (item) selection.set(grid.entries[this.#positionOf(item.ref)] ?? { item, index: 0, ratio: 1 });
  }

  /** @param {string} ref */
  #positionOf(ref) {
    const { entries } = this.gallery.results.grid;
    // The neighbours first: the list may be long.
    for (const near of [this.#position, this.#position + 1, this.#position - 1]) {
      if (entries[near]?.item.ref === ref) return (this.#position = near);
    }
    return (this.#position = entries.findIndex(({ item }) => item.ref === ref));
  }
}
