// @ts-check
// Joins the parts: the address says what is shown, and every change goes through it.

import * as api from './api.js';
import { filterCount, isListing, listingQuery, noFilters, noQuery, readAddress, writeAddress } from './address.js';
import { byId, element, fill, fillByKey, styled, WIDE } from './elements.js';
import { admits, Facets } from './filters.js';
import { Grid } from './grid.js';
import { Listing } from './listing.js';
import { speak } from './messages.js';
import { enableGridControls, Selection } from './selection.js';
import { count, counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').PageState} PageState */
/** @typedef {{ anchor?: { position: number, ref: string, offset: number }, isOpened?: boolean }} Memory What the browser's history keeps beside an address. */

/** How many listings stay in memory, so that going back shows them at once. */
const KEPT_LISTINGS = 6;
/** Further than this a place is not looked for again after a reload. */
const FURTHEST_RETURN = 5000;
/** More is loaded while less than this is below the window. */
const WINDOWS_AHEAD = 2.5;
/** Parts without anything that meets the filters, before people are asked whether to go on. */
const BARREN_PARTS = 6;
/** How many tags stand above the grid. */
const MOST_TAGS = 24;
/** How long a listing is quiet before images that fill no row are shown. */
const QUIET = 150;

export class Gallery {
  /** @type {PageState} */
  state = readAddress(location.search);
  /** @type {import('./types.js').Provider[]} */
  providers = [];
  /**
   * By what the server is asked for.
   * @type {Map<string, { listing: Listing, facets: Facets }>}
   */
  kept = new Map();
  /** @type {Listing | null} */
  listing = null;
  facets = new Facets();
  selection = new Selection();
  /**
   * A place to come back to, as soon as it is loaded.
   * @type {Memory['anchor'] | null}
   */
  returnTo = null;
  barrenParts = 0;
  /** The filters that the grid shows. */
  shownFilters = '';
  isOffline = false;
  quietTimer = 0;
  panelTimer = 0;
  statusFrame = 0;

  grid = new Grid(byId('grid'), {
    isSelected: (entry) => this.selection.has(entry),
    href: (entry) => this.entryAddress(entry),
    sourceName: (id) => this.sourceName(id),
  });
  /** @type {import('./image-navigation.js').ImageNavigation | null} */
  images = null;
  /** @type {import('./filter-panel.js').FilterPanel | null} */
  panel = null;
  field = /** @type {HTMLInputElement} */ (byId('search-text'));

  async start() {
    history.scrollRestoration = 'manual';
    this.listen();
    this.returnTo = /** @type {Memory | null} */ (history.state)?.anchor ?? null;
    if (this.wantsFilters) this.toggleFilters(true);
    // The first search need not wait for the names of the sources.
    this.apply();
    await this.loadProviders();
    this.showSources();
    this.showState();
    this.showNotices();
    this.grid.showNames();
  }

  listen() {
    byId('search-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      this.field.blur();
      this.go({ query: { ...this.state.query, text, isFeed: false, collection: '' }, filters: noFilters() });
    });
    byId('sources-button').addEventListener('click', () => this.chooseSources());
    byId('filter-button').addEventListener('click', () => this.toggleFilters());
    byId('save-search').addEventListener('click', () => this.toggleSaved());
    byId('choose').addEventListener('click', () => this.choose(!document.body.classList.contains('is-choosing')));
    byId('home-link').addEventListener('click', (event) => this.follow(event));
    addEventListener('popstate', (event) => {
      this.state = readAddress(location.search);
      this.returnTo = /** @type {Memory | null} */ (event.state)?.anchor ?? null;
      this.apply();
    });
    addEventListener('keydown', (event) => this.pressed(event));
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) addEventListener(name, () => (this.returnTo = null), { passive: true });
    this.grid.addEventListener('scrolled', () => this.loadAhead());
    this.grid.addEventListener('settled', () => this.rememberPlace());
    this.grid.addEventListener('relayout', () => {
      this.placeWaiting();
      this.loadAhead();
    });
    enableGridControls(this.grid, this.selection, (position) => this.open(position));
    const band = () => styled('panels', import('./rubber-band.js'));
    byId('results').addEventListener('pointerover', band, { once: true });
    byId('results').addEventListener('pointerdown', async (event) => (await band()).drawBand(event, this.grid, this.selection));
    byId('results').addEventListener('dragstart', (event) => event.preventDefault());
    this.selection.addEventListener('change', () => this.showSelection());
    // Who points at an image may open it.
    for (const name of ['pointerover', 'focusin']) this.grid.root.addEventListener(name, () => this.loadImages(), { once: true });
    matchMedia(WIDE).addEventListener('change', () => {
      if (byId('filters').hasAttribute('open')) this.toggleFilters(true);
    });
  }

  // MARK: The address

  /**
   * Shows another state, which going back leaves.
   * @param {Partial<PageState>} change @param {{ isReplacing?: boolean, memory?: Memory }} [options]
   */
  go(change, options = {}) {
    const { isReplacing = false, memory = {} } = options;
    this.state = { ...this.state, image: '', ...change };
    const address = writeAddress(this.state);
    if (isReplacing) history.replaceState({ ...history.state, ...memory }, '', address);
    else {
      this.rememberPlace();
      history.pushState(memory, '', address);
    }
    if (!isReplacing) this.returnTo = null;
    this.apply();
  }

  /**
   * Follows a link within the page.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = /** @type {Element} */ (event.currentTarget);
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { query, filters, image } = readAddress(new URL(link.href).search);
    this.go({ query, filters, image });
  }

  rememberPlace() {
    if (this.state.image || !this.listing || this.returnTo) return;
    history.replaceState({ ...history.state, anchor: this.grid.anchor() }, '');
  }

  /** Brings the page to what the address says. */
  apply() {
    const { query } = this.state;
    const isShown = isListing(query);
    document.body.classList.toggle('is-start', !isShown);
    byId('results').hidden = !isShown;
    byId('start').hidden = isShown;
    if (isShown) this.showListing();
    else {
      this.showStart();
      // A keyboard on the screen would cover the page.
      if (matchMedia('(hover: hover)').matches) this.field.focus({ preventScroll: true });
    }
    this.field.value = query.text;
    this.showImage();
    this.showState();
  }

  async showStart() {
    this.leaveListing();
    this.listing = null;
    document.title = 'imgscript gallery';
    scrollTo(0, 0);
    if (!this.providers.length) return;
    const { showStartPage } = await styled('start-page', import('./start-page.js'));
    if (!this.listing) showStartPage(byId('start'), this.providers, {
      follow: (event) => this.follow(event),
      open: (collection) => this.go({ query: { ...noQuery(), collection }, filters: noFilters() }),
    });
  }

  // MARK: The listing

  showListing() {
    const key = String(listingQuery(this.state.query));
    const kept = this.kept.get(key);
    if (kept && kept.listing === this.listing) {
      this.refilter();
      return;
    }
    this.leaveListing();
    const { listing, facets } = kept ?? { listing: new Listing(this.state.query), facets: new Facets() };
    this.kept.delete(key);
    this.kept.set(key, { listing, facets });
    if (this.kept.size > KEPT_LISTINGS) this.kept.delete(this.kept.keys().next().value ?? '');
    this.listing = listing;
    this.facets = facets;
    this.shownFilters = '';
    if (!kept) this.watch(listing, facets);
    this.selection.clear();
    this.keepRecent();
    document.title = `${this.title()} – imgscript gallery`;
    this.refilter();
    this.showNotices();
  }

  leaveListing() {
    this.listing?.stop();
    clearTimeout(this.quietTimer);
  }

  /** @param {Listing} listing @param {Facets} facets */
  watch(listing, facets) {
    listing.addEventListener('entries', (event) => {
      const first = /** @type {CustomEvent<number>} */ (event).detail;
      facets.add(listing.entries, first);
      if (listing !== this.listing) return;
      const { filters } = this.state;
      const fitting = listing.entries.slice(first).filter((entry) => admits(filters, entry));
      if (fitting.length) {
        this.barrenParts = 0;
        this.grid.append(fitting);
      }
      this.entriesCame();
    });
    listing.addEventListener('note', () => listing === this.listing && this.showNotices());
    listing.addEventListener('state', () => {
      if (listing !== this.listing) return;
      if (listing.state === 'loading') this.barrenParts += 1;
      if (listing.state === 'ended') this.grid.placeWaiting();
      if (listing.state === 'idle' || listing.state === 'ended') speak(this.statusText());
      this.entriesCame();
      if (listing.state === 'idle') this.loadAhead();
    });
  }

  entriesCame() {
    this.findPlace();
    this.images?.update();
    // Images come one by one; what stands around them changes once in a frame.
    this.statusFrame ||= requestAnimationFrame(() => {
      this.statusFrame = 0;
      this.showStatus();
    });
    clearTimeout(this.quietTimer);
    this.quietTimer = window.setTimeout(() => this.placeWaiting(), QUIET);
    if (!this.panelTimer) {
      this.panelTimer = window.setTimeout(() => {
        this.panelTimer = 0;
        this.showFilters();
      }, 250);
    }
  }

  placeWaiting() {
    if (this.grid.waitsInView || this.listing?.state === 'ended') this.grid.placeWaiting();
  }

  /** Shows what meets the filters, unless that is what is shown. */
  refilter() {
    const { listing } = this;
    if (!listing) return;
    const { filters } = this.state;
    const shown = JSON.stringify(filters);
    if (this.shownFilters !== shown) {
      this.shownFilters = shown;
      this.barrenParts = 0;
      this.grid.show(listing.entries.filter((entry) => admits(filters, entry))).then(() => {
        if (listing.state === 'ended') this.grid.placeWaiting();
        if (!this.returnTo) scrollTo(0, 0);
        this.findPlace();
        this.placeWaiting();
        this.loadAhead();
      });
    } else this.returnTo = null; // Nothing went away: an image was closed.
    this.showFilters();
    this.showStatus();
  }

  /** Loads more where the end is near. */
  loadAhead() {
    const { listing } = this;
    if (!listing || listing.state !== 'idle') return;
    const isReturning = this.returnTo !== null;
    if (!isReturning && this.grid.windowsBelow > WINDOWS_AHEAD) return;
    if (this.barrenParts > BARREN_PARTS) return this.showStatus();
    listing.loadMore();
  }

  /** Goes back to the place that was left, as soon as it is there. */
  findPlace() {
    const place = this.returnTo;
    if (!place) return;
    if (this.grid.isPlaced(place.position) || this.listing?.state === 'ended') {
      this.returnTo = null;
      this.grid.restore(place);
    } else if (place.position > FURTHEST_RETURN) this.returnTo = null;
  }

  // MARK: One image

  async loadImages() {
    const { ImageNavigation } = await styled('detail-view', import('./image-navigation.js'));
    return (this.images ??= new ImageNavigation(this));
  }

  async showImage() {
    if (this.images) await this.images.show();
    else if (this.state.image) await (await this.loadImages()).show();
  }

  /** @param {Entry} entry */
  entryAddress({ item }) {
    if (item.type === 'collection') return writeAddress({ query: { ...noQuery(), collection: item.ref }, filters: noFilters(), image: '' });
    return writeAddress({ ...this.state, image: item.ref });
  }

  /** @param {number} position */
  open(position) {
    const entry = this.grid.entries[position];
    if (!entry) return;
    if (entry.item.type === 'collection') this.go({ query: { ...noQuery(), collection: entry.item.ref }, filters: noFilters() });
    else {
      this.rememberPlace();
      this.go({ image: entry.item.ref }, { memory: { isOpened: true } });
    }
  }

  // MARK: Selection

  async showSelection() {
    this.grid.showSelection();
    this.images?.showSelection();
    this.choose(this.selection.size > 0);
    const { showSelectionBar } = await styled('panels', import('./selection-bar.js'));
    showSelectionBar(this.selection, this.grid);
  }

  /**
   * Lets clicks select; where nothing hovers, no image has a mark before.
   * @param {boolean} isOn
   */
  choose(isOn) {
    document.body.classList.toggle('is-choosing', isOn);
    byId('choose').setAttribute('aria-pressed', String(isOn));
    if (!isOn) this.selection.clear();
  }

  // MARK: What stands around the grid

  get wantsFilters() {
    return filterCount(this.state.filters) > 0 && matchMedia(WIDE).matches;
  }

  /** @param {boolean} [isOpen] */
  async toggleFilters(isOpen) {
    const { toggleFilters } = await styled('panels', import('./filter-panel.js'));
    toggleFilters(this, isOpen);
  }

  showFilters() {
    this.panel?.show(this.state.filters, this.facets);
    const number = filterCount(this.state.filters);
    fill(byId('filter-count'), number ? String(number) : null);
    this.showTags();
  }

  /** Tags above the grid: those chosen, and the most frequent in the order in which they came, so that none moves away. */
  showTags() {
    const { tags } = this.state.filters;
    const { tags: counts } = this.facets.counts;
    const order = this.facets.tagOrder;
    for (const [tag] of this.facets.ranked('tags')) {
      if (order.length >= MOST_TAGS) break;
      if (!order.includes(tag)) order.push(tag);
    }
    const keys = [...tags, ...order.filter((tag) => !tags.includes(tag))];
    fillByKey(byId('tag-strip'), keys, (tag) => this.tagChip(tag), (node, tag) => {
      node.firstElementChild?.setAttribute('aria-pressed', String(tags.includes(tag)));
      const amount = node.querySelector('.amount');
      if (amount) amount.textContent = count(counts.get(tag) ?? 0);
    });
  }

  /** @param {string} tag */
  tagChip(tag) {
    const onclick = () => {
      const { tags } = this.state.filters;
      this.go({ filters: { ...this.state.filters, tags: tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag] } });
    };
    return element('li', {}, element('button', { class: 'chip', type: 'button', 'data-tag': tag, onclick }, isolated(tag, 40), element('span', { class: 'amount' })));
  }

  showStatus() {
    const { listing } = this;
    if (!listing) return;
    byId('status').textContent = this.statusText();
    byId('skeleton').hidden = !(listing.state === 'loading' || listing.state === 'idle') || this.barrenParts > BARREN_PARTS;
    byId('grid').setAttribute('aria-busy', String(listing.state === 'loading'));
    const shown = this.grid.entries.length;
    const isBarren = listing.state === 'idle' && this.barrenParts > BARREN_PARTS;
    if (listing.state === 'failed' || isBarren || (listing.state === 'ended' && !shown)) this.showEnd();
    else fill(byId('end'), listing.state === 'ended' ? element('p', { class: 'end-line' }, `End of results: ${counted(shown, 'image')}`) : null);
  }

  async showEnd() {
    const { showEnd } = await styled('panels', import('./end-states.js'));
    showEnd(this);
  }

  statusText() {
    const { listing } = this;
    if (!listing) return '';
    const shown = this.grid.entries.length;
    if (listing.state === 'loading' && !listing.entries.length) return 'Searching…';
    if (filterCount(this.state.filters)) return `${count(shown)} of ${counted(listing.entries.length, 'image')} found`;
    const total = [...listing.totals.values()].reduce((sum, value) => sum + value, 0);
    return total > shown && listing.state !== 'ended' ? `${count(shown)} of about ${counted(total, 'image')}` : counted(shown, 'image');
  }

  showState() {
    this.showSaved();
    byId('listing-title').textContent = isListing(this.state.query) ? this.title() : '';
    byId('listing-title').classList.toggle('visually-hidden', Boolean(this.state.query.text));
    this.showSources();
  }

  /** The words for what is listed. */
  title() {
    const { text, isFeed, collection, near } = this.state.query;
    if (collection) {
      const [provider, ...id] = collection.split(':');
      return `${oneLine(id.join(':'), 80)} – ${this.sourceName(provider)}`;
    }
    if (isFeed) return `Images from ${this.sourcesText()}`;
    return oneLine(text, 80) || `Around ${oneLine(near, 40)}`;
  }

  sourcesText() {
    const ids = this.state.query.providers;
    if (ids.length === 1 && ids[0] !== 'all') return this.sourceName(ids[0]);
    if (ids.includes('all')) return 'all sources';
    return ids.length ? counted(ids.length, 'source') : 'default sources';
  }

  showSources() {
    const text = this.sourcesText();
    byId('sources-text').textContent = text.charAt(0).toUpperCase() + text.slice(1);
    byId('sources-button').setAttribute('aria-label', `Sources: ${text}`);
  }

  async showNotices() {
    const { listing } = this;
    if (byId('notices').hidden && !this.isOffline && !listing?.failures.size && !listing?.notices.size) return;
    const { showNotices } = await styled('panels', import('./notices.js'));
    if (listing === this.listing) showNotices(this);
  }

  async keepRecent() {
    const { keep, searchAddress } = await import('./stored.js');
    keep('recent', { address: searchAddress({ ...this.state, filters: noFilters() }), title: this.title() });
  }

  async toggleSaved() {
    const [{ toggleSaved }, { announce }] = await Promise.all([import('./saved-searches.js'), import('./toast.js')]);
    announce(toggleSaved(this.state, this.title()) ? 'Search saved' : 'Removed from saved searches');
    this.showSaved();
  }

  async showSaved() {
    const { isSaved } = await import('./stored.js');
    const pressed = isSaved(this.state);
    byId('save-search').setAttribute('aria-pressed', String(pressed));
    byId('save-search').title = pressed ? 'Remove from saved searches' : 'Save this search';
  }

  async chooseSources() {
    const { chooseSources } = await styled('panels', import('./source-picker.js'));
    chooseSources(this);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('input, select, textarea, dialog:modal') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      this.field.focus();
      this.field.select();
    }
  }

  // MARK: Providers

  async loadProviders() {
    try {
      const list = await api.providers();
      this.providers = list.providers.filter(({ error }) => !error);
      this.isOffline = Boolean(list.offline);
      if (!isListing(this.state.query)) this.showStart();
    } catch (error) {
      const { emptyState } = await styled('panels', import('./end-states.js'));
      fill(byId('start'), emptyState('warning', 'The gallery cannot be used', error instanceof Error ? error.message : String(error)));
    }
  }

  /** @param {string} id */
  provider(id) {
    return this.providers.find((provider) => provider.id === id);
  }

  /** @param {string} id */
  sourceName(id) {
    return oneLine(this.provider(id)?.name ?? id, 60);
  }
}

new Gallery().start();
