// @ts-check
// The listing that is shown: asked for, filtered, laid out, and gone on with as people scroll.

import { isListing, listingAddress, listingQuery, noQuery, writeAddress } from './address.js';
import { mainColor } from './colors.js';
import { byId, whenThere } from './elements.js';
import { admits, FacetCounts, filterCount, noFilters } from './facets.js';
import { Grid } from './grid.js';
import { keep, keepSeen, savedSearch, searchAddress } from './kept.js';
import { Listing } from './listing.js';
import { Selection } from './selection.js';
import { sourceName } from './titles.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Item} Item */

/** How many listings stay in memory, so that going back shows them at once. */
const KEPT_LISTINGS = 6;
/** Further than this a place is not looked for again after a reload. */
const FURTHEST_RETURN = 5000;
/** More is loaded while less than this is below the window. */
const WINDOWS_AHEAD = 2.5;
/** Parts without anything that meets the filters, before people are asked whether to go on. */
const BARREN_PARTS = 6;
/** How long a listing is quiet before images that fill no row are shown. */
const QUIET = 150;
/** How many images are counted before the browser may do something else. */
const SLICE = 8000;

export class Results {
  /** @type {Listing | null} */
  listing = null;
  facets = new FacetCounts();
  selection = new Selection();
  /**
   * By what the server is asked for.
   * @type {Map<string, { listing: Listing, facets: FacetCounts }>}
   */
  #kept = new Map();
  #barrenParts = 0;
  #shownFilters = '';
  #countRun = 0;
  #quietTimer = 0;
  #facetTimer = 0;
  #frame = 0;
  #notes = 0;
  /**
   * The images of a saved search that were there the last time.
   * @type {Set<string>}
   */
  #known = new Set();

  /** @param {import('./store.js').Store} store */
  constructor(store) {
    this.store = store;
    this.grid = new Grid(byId('grid'), {
      isSelected: (entry) => this.selection.has(entry),
      href: (entry) => this.addressOf(entry),
      sourceName: (id) => sourceName(store.state, id),
    });
    this.grid.addEventListener('scrolled', () => this.loadAhead());
    this.grid.addEventListener('relayout', () => {
      this.#placeWaiting();
      this.loadAhead();
    });
    this.grid.root.addEventListener('picture', (event) => this.#learn(/** @type {CustomEvent} */ (event).detail));
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      addEventListener(name, () => store.state.place && store.change({ place: null }), { passive: true });
    }
    store.watch(({ address }) => address.query, () => this.#show());
    store.watch(({ address }) => address.filters, () => this.#refilter());
    store.watch(({ providers }) => providers, () => this.grid.showNames());
  }

  /** @param {Entry} entry */
  addressOf({ item }) {
    if (item.type === 'collection') return listingAddress({ collection: item.ref });
    return writeAddress({ ...this.store.state.address, image: item.ref });
  }

  // MARK: The listing

  #show() {
    const { query } = this.store.state.address;
    if (!isListing(query)) return this.#leave();
    const key = String(listingQuery(query));
    const kept = this.#kept.get(key);
    // Nothing went away: an image was closed.
    if (kept && kept.listing === this.listing) return this.store.change({ place: null });
    this.#leave();
    const { listing, facets } = kept ?? { listing: new Listing(query), facets: new FacetCounts() };
    this.#kept.delete(key);
    this.#kept.set(key, { listing, facets });
    if (this.#kept.size > KEPT_LISTINGS) this.#kept.delete(this.#kept.keys().next().value ?? '');
    this.listing = listing;
    this.facets = facets;
    this.#shownFilters = '';
    if (!kept) {
      this.#known = new Set(savedSearch(this.store.state)?.seen);
      this.#watch(listing);
    }
    this.selection.clear();
    this.#refilter();
  }

  #leave() {
    const { listing } = this;
    if (!listing) return;
    listing.stop();
    clearTimeout(this.#quietTimer);
    this.listing = null;
    this.selection.clear();
    this.store.change({ results: null });
  }

  /**
   * Takes out images that are gone, where they are.
   * @param {Set<string>} refs
   */
  remove(refs) {
    for (const key of this.#kept.keys()) if (this.#kept.get(key)?.listing !== this.listing) this.#kept.delete(key);
    this.selection.clear();
    if (!this.listing || !refs.size) return;
    this.listing.remove(refs);
    this.store.change({ place: this.grid.anchor() });
    this.#shownFilters = '';
    this.#refilter();
  }

  /** Begins all searches anew: a source may have a key now. */
  forget() {
    this.#kept.clear();
    this.#leave();
    this.#show();
  }

  /** @param {Listing} listing */
  #watch(listing) {
    const { facets } = this;
    listing.addEventListener('entries', (event) => {
      const first = /** @type {CustomEvent<number>} */ (event).detail;
      const fresh = listing.entries.slice(first);
      for (const entry of fresh) facets.add(entry);
      if (listing !== this.listing) return;
      this.#mark(fresh);
      const { filters } = this.store.state.address;
      const fitting = fresh.filter((entry) => admits(filters, entry));
      if (fitting.length) {
        this.#barrenParts = 0;
        this.grid.append(fitting);
      }
      this.#learnTitle(fresh[0].item);
      this.#came();
    });
    listing.addEventListener('note', () => {
      this.#notes += 1;
      this.#came();
    });
    listing.addEventListener('state', () => {
      if (listing !== this.listing) return;
      if (listing.state === 'ended') this.grid.placeWaiting();
      if (listing.state === 'idle' || listing.state === 'ended') this.#seen();
      this.#came();
      this.loadAhead();
    });
  }

  #came() {
    this.findPlace();
    // Images come one by one; what stands around them changes once in a frame.
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#tell();
    });
    clearTimeout(this.#quietTimer);
    this.#quietTimer = window.setTimeout(() => this.#placeWaiting(), QUIET);
    this.#facetTimer ||= window.setTimeout(() => {
      this.#facetTimer = 0;
      this.#tellFacets();
    }, 250);
  }

  #tell() {
    const { listing } = this;
    if (!listing) return;
    this.store.change({
      results: {
        state: listing.state, found: listing.entries.length, shown: this.grid.entries.length,
        total: [...listing.totals.values()].reduce((sum, value) => sum + value, 0), isBarren: this.#isBarren,
        awaited: listing.awaited.join(' '), error: listing.error?.message ?? '', notes: this.#notes,
      },
    });
  }

  #tellFacets() {
    this.store.change({ facets: this.store.state.facets + 1 });
  }

  #placeWaiting() {
    if (this.grid.waitsInView || this.listing?.state === 'ended') this.grid.placeWaiting();
  }

  get #isBarren() {
    return this.#barrenParts > BARREN_PARTS;
  }

  /** Shows what meets the filters, unless that is what is shown. */
  async #refilter() {
    const { listing, facets } = this;
    if (!listing) return;
    const { filters } = this.store.state.address;
    const wanted = JSON.stringify(filters);
    if (this.#shownFilters === wanted) return;
    this.#shownFilters = wanted;
    this.#barrenParts = 0;
    const isCounted = this.#recount(listing, facets, filters);
    const shown = this.grid.show(listing.entries.filter((entry) => admits(filters, entry)));
    this.#tell();
    await Promise.all([shown, isCounted]);
    if (listing !== this.listing) return;
    if (listing.state === 'ended') this.grid.placeWaiting();
    if (!this.store.state.place) scrollTo(0, 0);
    this.findPlace();
    this.#placeWaiting();
    this.#tell();
    this.loadAhead();
  }

  /**
   * @param {Listing} listing @param {FacetCounts} facets @param {import('./types.js').Filters} filters
   */
  async #recount(listing, facets, filters) {
    this.#countRun += 1;
    const run = this.#countRun;
    facets.reset(filters);
    const { length } = listing.entries;
    // What comes meanwhile counts itself.
    const entries = listing.entries.slice(0, length);
    for (let from = 0; from < length; from += SLICE) {
      if (from > 0) await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.#countRun) return;
      for (const entry of entries.slice(from, from + SLICE)) facets.recount(entry);
    }
    this.#tellFacets();
  }

  /** Loads more where the end is near. */
  loadAhead() {
    const { listing } = this;
    if (!listing?.canLoadMore) return;
    if (!this.store.state.place && this.grid.windowsBelow > WINDOWS_AHEAD) return;
    if (this.#isBarren) return this.#tell();
    this.#barrenParts += 1;
    listing.loadMore();
  }

  /** Goes on, though nothing of much that came meets the filters, or though the server gave nothing. */
  goOn() {
    this.#barrenParts = 0;
    this.listing?.loadMore();
  }

  /** Goes back to the place that was left, as soon as it is there. */
  findPlace() {
    const { listing, store: { state: { place } } } = this;
    if (!place || !listing) return;
    const isThere = this.grid.isPlaced(place.position);
    // Sources answer in another order the next time: one that answers soon may have the image itself.
    const mayCome = listing.state === 'loading' && !listing.awaited.length;
    if (this.grid.isShown(place) || (isThere && !mayCome) || listing.state === 'ended') {
      this.store.change({ place: null });
      this.grid.restore(place);
    } else if (place.position > FURTHEST_RETURN) this.store.change({ place: null });
  }

  // MARK: What is learned on the way

  /**
   * A picture was seen: its proportions, and its colour where nobody told it.
   * @param {{ entry: Entry, image: HTMLImageElement }} seen
   */
  async #learn({ entry, image }) {
    const { facets } = this;
    if (entry.isGuess && image.naturalWidth && image.naturalHeight) {
      facets.replace(entry, () => {
        entry.ratio = image.naturalWidth / image.naturalHeight;
        entry.isGuess = false;
      });
      this.#came();
    }
    if (mainColor(entry.item)) return;
    const { learnColor } = await whenThere(import('./color-sampling.js'));
    learnColor(entry.item, image, (learn) => {
      facets.replace(entry, learn);
      this.#came();
    });
  }

  /**
   * Keeps what a collection is called: its address has an id at most.
   * @param {Item} item
   */
  #learnTitle(item) {
    const { collection } = this.store.state.address.query;
    if (collection && item.moreByAuthor === collection) this.nameCollection(collection, item.author?.name);
  }

  /** @param {string} collection @param {string | undefined} title */
  nameCollection(collection, title) {
    const { settings } = this.store.state.kept;
    if (!title || settings.titles?.[collection] === title) return;
    const titles = Object.fromEntries([...Object.entries(settings.titles ?? {}), [collection, title]].slice(-200));
    keep(this.store, 'settings', { ...settings, titles });
  }

  /**
   * Marks what is new since somebody looked at a saved search.
   * @param {Entry[]} entries
   */
  #mark(entries) {
    // What is further down than people have looked is not new, but unknown.
    for (const entry of entries) {
      entry.isNew = entry.index < this.#known.size && !this.#known.has(entry.item.ref);
    }
  }

  #seen() {
    const { address } = this.store.state;
    if (!savedSearch(this.store.state)?.seen) return;
    const refs = (this.listing?.entries ?? []).slice(0, 400).map(({ item }) => item.ref);
    keepSeen(this.store, searchAddress(address), refs);
  }

  /** How many that are selected the filters hide. */
  get hiddenSelected() {
    const { filters } = this.store.state.address;
    if (!filterCount(filters)) return 0;
    return [...this.selection.entries.values()].filter((entry) => !admits(filters, entry)).length;
  }

  /**
   * The query of a collection.
   * @param {Item} item
   */
  collectionOf(item) {
    this.nameCollection(item.ref, item.title);
    return { query: { ...noQuery(), collection: item.ref }, filters: noFilters() };
  }
}
