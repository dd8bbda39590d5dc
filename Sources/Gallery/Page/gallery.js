// @ts-check
// Joins the parts: the state, the address, the listing, and what shows each of them.

import * as api from './api.js';
import { isListing, readAddress } from './address.js';
import { byId, fill, styled, WIDE, whenThere } from './elements.js';
import { filterCount, noFilters } from './facets.js';
import { keep, keepSearch, loadKept, nothingKept, savedSearch, searchAddress } from './kept.js';
import { Navigation } from './navigation.js';
import { Results } from './results.js';
import { enableGridControls } from './selection.js';
import { showServerState } from './server-state.js';
import { showStatus } from './status.js';
import { Store } from './store.js';
import { showTags } from './tag-strip.js';
import { chosenSources, listingTitle, sourceName, sourcesText } from './titles.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Query} Query */

/** What the parts of the page act with. */
export class Gallery {
  store = new Store({
    address: readAddress(location.search), place: history.state?.anchor ?? null, providers: [],
    areProvidersKnown: false,
    isOffline: false, server: 'there', results: null, facets: 0, areFiltersOpen: false, isChoosing: false,
    kept: nothingKept(),
  });
  results = new Results(this.store);
  navigation = new Navigation(this.store, () => this.results.listing && this.results.grid.anchor());
  /** @type {import('./image-navigation.js').ImageNavigation | null} */
  #images = null;
  #field = /** @type {HTMLInputElement} */ (byId('search-text'));

  start() {
    this.#listen();
    this.#show();
    // The first search need not wait for the names of the sources.
    this.loadProviders();
    loadKept(this.store);
    whenThere(import('./download-panel.js')).then(({ showDownloads }) => showDownloads());
  }

  get state() {
    return this.store.state;
  }

  /** @param {string} id */
  provider(id) {
    return this.state.providers.find((provider) => provider.id === id);
  }

  /** @param {string} id */
  sourceName(id) {
    return sourceName(this.state, id);
  }

  // MARK: Actions

  /**
   * @param {Partial<import('./types.js').PageState>} change
   * @param {{ isReplacing?: boolean, memory?: import('./navigation.js').Memory }} [options]
   */
  go(change, options) {
    this.navigation.go(change, options);
  }

  /** Searches for what the field has, in the sources that are chosen. */
  search() {
    const text = this.#field.value.trim();
    this.#field.blur();
    const { query } = this.state.address;
    const chosen = { ...query, ...chosenSources(this.state), text, isFeed: false, collection: '' };
    this.go({ query: chosen, filters: noFilters() });
  }

  /**
   * Asks other sources, now and in later searches.
   * @param {Partial<Query>} change
   */
  chooseAmong(change) {
    const { query, filters } = this.state.address;
    const { providers, parameters } = { ...query, ...change };
    keep(this.store, 'sources', { providers, parameters });
    const text = query.isFeed || query.collection ? query.text : this.#field.value.trim();
    const chosen = { ...query, isLibrary: false, order: '', ...change, text };
    this.go({ filters: { ...filters, sources: [] }, query: chosen });
  }

  /** @param {boolean} [areOpen] */
  async toggleFilters(areOpen = !this.state.areFiltersOpen) {
    const { showFilters } = await styled('panels', import('./filter-panel.js'));
    showFilters(this);
    this.store.change({ areFiltersOpen: areOpen });
  }

  async chooseSources() {
    const { chooseSources } = await styled('panels', import('./source-picker.js'));
    chooseSources(this);
  }

  async #openSavedMenu() {
    const { showSavedMenu } = await styled('panels', import('./saved-menu.js'));
    showSavedMenu(this);
  }

  /** @param {number} position */
  open(position) {
    const { grid } = this.results;
    const entry = grid.entries[position];
    if (!entry) return;
    if (entry.item.type === 'collection') this.go(this.results.collectionOf(entry.item));
    else {
      this.navigation.rememberPlace();
      this.go({ image: entry.item.ref }, { memory: { isOpened: true } });
    }
  }

  async loadProviders() {
    try {
      const list = await api.providers();
      this.store.change({
        providers: list.providers.filter(({ error }) => !error), areProvidersKnown: true,
        isOffline: Boolean(list.offline),
      });
    } catch {
      // That the server is gone is told of anyway, and it is asked again when it is there.
    }
  }

  /**
   * Lets clicks select; where nothing hovers, no image has a mark before.
   * @param {boolean} isChoosing
   */
  choose(isChoosing) {
    this.store.change({ isChoosing });
    if (!isChoosing) this.results.selection.clear();
  }

  // MARK: What people do

  #listen() {
    const { results } = this;
    byId('search-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.search();
    });
    byId('sources-button').addEventListener('click', () => this.chooseSources());
    byId('filter-button').addEventListener('click', () => this.toggleFilters());
    byId('save-search').addEventListener('click', () => this.#openSavedMenu());
    byId('choose').addEventListener('click', () => this.choose(!this.state.isChoosing));
    byId('home-link').addEventListener('click', (event) => this.navigation.follow(event));
    addEventListener('keydown', (event) => this.#pressed(event));
    results.grid.addEventListener('settled', () => this.navigation.rememberPlace());
    enableGridControls(results.grid, results.selection, (position) => this.open(position));
    const band = () => styled('panels', import('./rubber-band.js'));
    byId('results').addEventListener('pointerover', band, { once: true });
    byId('results').addEventListener('pointerdown', async (event) => {
      (await band()).drawBand(event, results.grid, results.selection);
    });
    byId('results').addEventListener('dragstart', (event) => event.preventDefault());
    results.selection.addEventListener('change', () => this.#showSelection());
    // Who points at an image may open it.
    for (const name of ['pointerover', 'focusin']) {
      results.grid.root.addEventListener(name, () => this.#loadImages(), { once: true });
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('input, select, textarea, dialog:modal') || event.altKey) return;
    const { results } = this;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'a' || !results.listing) return;
      event.preventDefault();
      results.selection.replace(results.grid.entries);
    } else if (event.key === 'Escape') {
      this.choose(false);
      byId('notices').removeAttribute('open');
    } else if (event.key === '/') {
      event.preventDefault();
      this.#field.focus();
      this.#field.select();
    }
  }

  // MARK: What is shown

  #show() {
    const { store } = this;
    store.watch(({ address }) => address.query, (query) => this.#showPlace(query));
    store.watch(({ address }) => address.image, () => this.#showImage());
    store.watch(({ address }) => filterCount(address.filters), (number) => {
      fill(byId('filter-count'), number ? String(number) : null);
    });
    store.watch(sourcesText, (text) => {
      byId('sources-text').textContent = text.charAt(0).toUpperCase() + text.slice(1);
      byId('sources-button').setAttribute('aria-label', `Sources: ${text}`);
    });
    store.watch(listingTitle, (title, { address }) => {
      document.title = title ? `${title} – imgscript gallery` : 'imgscript gallery';
      byId('listing-title').textContent = title;
      byId('listing-title').classList.toggle('visually-hidden', Boolean(address.query.text));
      if (address.query.isLibrary || byId('library-tools').childElementCount) this.#showLibrary();
    });
    store.watch((state) => `${recentAddress(state)} ${listingTitle(state)}`, (_, state) => {
      const address = recentAddress(state);
      if (address) keepSearch(store, 'recent', { address, title: listingTitle(state) });
    });
    store.watch((state) => Boolean(savedSearch(state)), (isSaved) => {
      byId('save-search').setAttribute('aria-pressed', String(isSaved));
      byId('save-search').setAttribute('aria-label', isSaved ? 'Saved search' : 'Save this search');
      byId('save-search').title = isSaved ? 'Saved search' : 'Save this search';
    });
    store.watch(({ isChoosing }) => isChoosing, (isChoosing) => {
      document.body.classList.toggle('is-choosing', isChoosing);
      byId('choose').setAttribute('aria-pressed', String(isChoosing));
    });
    store.watch(({ address }) => address.filters, () => this.results.selection.size && this.#showSelection());
    store.watch(({ isOffline }) => isOffline, (isOffline) => (byId('offline').hidden = !isOffline));
    store.watch(({ results, providers }) => `${results?.notes} ${providers.length}`, () => this.#showNotices());
    showStatus(this);
    showTags(this);
    showServerState(this);
    if (filterCount(store.state.address.filters) && matchMedia(WIDE).matches) this.toggleFilters(true);
  }

  /** @param {Query} query */
  async #showPlace(query) {
    const isShown = isListing(query);
    document.body.classList.toggle('is-start', !isShown);
    byId('results').hidden = !isShown;
    byId('start').hidden = isShown;
    this.#field.value = query.text;
    if (isShown) return;
    scrollTo(0, 0);
    // A keyboard on the screen would cover the page.
    if (matchMedia('(hover: hover)').matches) this.#field.focus({ preventScroll: true });
    const { showStartPage } = await styled('start-page', import('./start-page.js'));
    showStartPage(this);
  }

  async #showNotices() {
    const { listing } = this.results;
    if (byId('notices').hidden && !listing?.failures.size && !listing?.notices.size) return;
    const { showNotices } = await styled('panels', import('./notices.js'));
    showNotices(this);
  }

  async #showSelection() {
    const { selection, grid } = this.results;
    grid.showSelection();
    this.#images?.showSelection();
    this.store.change({ isChoosing: selection.size > 0 });
    const { showSelectionBar } = await styled('panels', import('./selection-bar.js'));
    showSelectionBar(this);
  }

  async #showLibrary() {
    const { showLibraryTools } = await styled('panels', import('./library.js'));
    showLibraryTools(this, byId('library-tools'));
  }

  async #loadImages() {
    const { ImageNavigation } = await styled('detail-view', import('./image-navigation.js'));
    return (this.#images ??= new ImageNavigation(this));
  }

  async #showImage() {
    if (this.#images) await this.#images.show();
    else if (this.state.address.image) await (await this.#loadImages()).show();
  }
}

/**
 * The address of the search that is shown, without its filters; empty where nothing is listed.
 * @param {State} state
 */
function recentAddress({ address }) {
  return isListing(address.query) ? searchAddress({ ...address, filters: noFilters() }) : '';
}

new Gallery().start();

