// @ts-check
// The address says what is shown: whatever changes that goes through it, and the browser's history leads back.

import { readAddress, writeAddress } from './address.js';

/** @typedef {import('./types.js').PageState} PageState */
/** @typedef {import('./types.js').Anchor} Anchor */
/** @typedef {{ anchor?: Anchor, isOpened?: boolean }} Memory What the browser's history keeps beside an address. */

export class Navigation {
  /** @param {import('./store.js').Store} store @param {() => Anchor | null} place Where the page is now. */
  constructor(store, place) {
    this.store = store;
    this.place = place;
    history.scrollRestoration = 'manual';
    addEventListener('popstate', (event) => store.change({
      address: readAddress(location.search), place: /** @type {Memory | null} */ (event.state)?.anchor ?? null,
    }));
  }

  /**
   * Shows something else, which going back leaves.
   * @param {Partial<PageState>} change @param {{ isReplacing?: boolean, memory?: Memory }} [options]
   */
  go(change, options = {}) {
    const { isReplacing = false, memory = {} } = options;
    const state = { ...this.store.state.address, image: '', ...change };
    const address = writeAddress(state);
    if (isReplacing) history.replaceState({ ...history.state, ...memory }, '', address);
    else {
      this.rememberPlace();
      history.pushState(memory, '', address);
    }
    this.store.change({ address: state, place: isReplacing ? this.store.state.place : null });
  }

  /**
   * Follows a link within the page.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = /** @type {Element} */ (event.currentTarget);
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!(link instanceof HTMLAnchorElement) || isOther) return;
    event.preventDefault();
    this.go(readAddress(new URL(link.href).search));
  }

  rememberPlace() {
    const { address, place } = this.store.state;
    const anchor = address.image || place ? null : this.place();
    if (anchor) history.replaceState({ ...history.state, anchor }, '');
  }
}
