// @ts-check
// The images of one query, part by part, each once. A source that is slow holds up nobody: the others go on.

import * as api from './api.js';
import { listingQuery } from './address.js';
import { knownRatio } from './image-size.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Item} Item */
/** @typedef {import('./types.js').Failure} Failure */

/**
 * A request for the next images of some sources.
 * @typedef {object} Stream
 * @property {AbortController} abort
 * @property {Map<string, string>} cursors Where each of them goes on; none at the beginning.
 * @property {Map<string, number> | null} pending Those that have not answered yet, and since when; null before they are
 *   known.
 */

/** After this a source that has not answered is named. */
const PATIENCE = 1000;
/** Requests side by side: of the browser's few connections pictures need some. */
const MOST_STREAMS = 3;
/** The shape of a place whose picture does not tell its own in time. */
const DEFAULT_RATIO = 4 / 3;

export class Listing extends EventTarget {
  /** @type {Entry[]} */
  entries = [];
  /**
   * Why the server gave nothing.
   * @type {Error | null}
   */
  error = null;
  /**
   * By provider.
   * @type {Map<string, Failure>}
   */
  failures = new Map();
  /**
   * The latest of each kind, by provider and code.
   * @type {Map<string, import('./types.js').Notice>}
   */
  notices = new Map();
  /**
   * How many images each provider says it has.
   * @type {Map<string, number>}
   */
  totals = new Map();
  /**
   * How many images each provider that answered has given.
   * @type {Map<string, number>}
   */
  answered = new Map();

  #isBegun = false;
  /** @type {Set<Stream>} */
  #streams = new Set();
  /**
   * Where each provider that has more goes on.
   * @type {Map<string, string>}
   */
  #cursors = new Map();
  /**
   * Images of each provider that wait for their shapes, in its order.
   * @type {Map<string, Entry[]>}
   */
  #unmeasured = new Map();
  /**
   * What has been seen: items by their ref, and by their page and largest file, which several providers may share.
   * @type {Set<string>}
   */
  #seen = new Set();
  /** @type {Set<string>} */
  #leftOut = new Set();
  #timer = 0;

  /** @param {import('./types.js').Query} query */
  constructor(query) {
    super();
    this.query = query;
  }

  /** @returns {'idle' | 'loading' | 'ended' | 'failed'} */
  get state() {
    if (this.#streams.size || this.#unmeasured.size) return 'loading';
    if (this.error) return 'failed';
    return this.#isBegun && !this.#cursors.size ? 'ended' : 'idle';
  }

  /** The providers that have been waited for so long that somebody may ask, the slowest first. */
  get awaited() {
    const now = performance.now();
    return [...this.#streams].flatMap(({ pending }) => [...(pending ?? [])])
      .filter(([, since]) => now - since >= PATIENCE).sort((a, b) => a[1] - b[1]).map(([provider]) => provider);
  }

  /** Whether there is more to ask for, beside what those are asked that keep everybody waiting. */
  get canLoadMore() {
    if (this.error || this.#streams.size >= MOST_STREAMS || (this.#isBegun && !this.#cursors.size)) return false;
    const awaited = new Set(this.awaited);
    return [...this.#streams].every(({ pending }) => pending && [...pending.keys()].every((name) => awaited.has(name)));
  }

  /** Loads the next part. Events: `entries` as they come (their first index as detail), `state`, and `note`. */
  async loadMore() {
    this.error = null;
    if (this.canLoadMore) await this.#load(this.#take());
  }

  /** @param {Map<string, string>} cursors */
  async #load(cursors) {
    /** @type {Stream} */
    const stream = { abort: new AbortController(), cursors, pending: null };
    this.#streams.add(stream);
    this.#isBegun = true;
    this.#tell('state');
    try {
      await this.#read(stream);
    } catch (error) {
      if (!this.#streams.delete(stream)) return; // It was stopped, and what it was for is kept.
      if (!this.#knowsUnknown(error)) {
        this.#restore(stream);
        this.error = error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#streams.delete(stream);
    this.#tell('state');
  }

  /** Those that go on, or those that begin: they are asked in different ways. */
  #take() {
    const from = [...this.#cursors].filter(([, cursor]) => cursor);
    const chosen = new Map(from.length ? from : this.#cursors);
    for (const name of chosen.keys()) this.#cursors.delete(name);
    return chosen;
  }

  /** @param {Stream} stream */
  async #read(stream) {
    const query = listingQuery(this.query);
    const names = [...stream.cursors.keys()];
    if (names.length) {
      query.delete('provider');
      for (const name of names) query.append('provider', name);
    }
    for (const cursor of stream.cursors.values()) if (cursor) query.append('cursor', cursor);
    let isWhole = false;
    for await (const batch of api.listing(query, stream.abort.signal)) {
      if (!this.#streams.has(stream)) return;
      const items = batch.filter(({ event }) => event === 'image').map(({ data }) => data);
      this.#add(items.filter(({ provider }) => !this.#leftOut.has(provider)));
      for (const { event, data } of batch) {
        if (event === 'end') isWhole = true;
        else if (event !== 'image') this.#note(stream, event, data);
      }
    }
    if (!isWhole) throw api.connectionLost();
  }

  /**
   * Goes on without providers that are no longer installed; whether that was the error.
   * @param {unknown} error
   */
  #knowsUnknown(error) {
    if (!(error instanceof api.APIError) || error.code !== 'unknownProvider' || !error.providers.length) return false;
    for (const provider of error.providers) {
      this.failures.set(provider, { provider, code: 'provider', message: 'there is no such source' });
    }
    const rest = this.query.providers.filter((name) => !error.providers.includes(name));
    this.query = { ...this.query, providers: rest };
    for (const name of rest) this.#cursors.set(name, '');
    this.#tell('note');
    queueMicrotask(() => this.loadMore());
    return true;
  }

  /**
   * Takes out images that are gone.
   * @param {Set<string>} refs
   */
  remove(refs) {
    this.entries = this.entries.filter(({ item }) => !refs.has(item.ref));
    this.entries.forEach((entry, index) => (entry.index = index));
    for (const [name, total] of this.totals) this.totals.set(name, Math.max(total - refs.size, 0));
  }

  /**
   * Asks a provider that failed once more, beside what is under way.
   * @param {Failure} failure
   */
  retry({ provider, retry }) {
    this.failures.delete(provider);
    this.#leftOut.delete(provider);
    this.error = null;
    this.#tell('note');
    return this.#load(new Map([[provider, retry ?? '']]));
  }

  /**
   * Goes on without a provider that keeps everybody waiting.
   * @param {string} provider
   */
  leaveOut(provider) {
    this.#leftOut.add(provider);
    this.#cursors.delete(provider);
    for (const stream of this.#streams) {
      if (!stream.pending?.delete(provider)) continue;
      this.failures.set(provider, {
        provider, code: 'leftOut', message: 'was left out', retry: stream.cursors.get(provider) ?? '',
      });
      if (stream.pending.size) continue;
      this.#streams.delete(stream);
      stream.abort.abort();
    }
    this.#tell('note');
    this.#tell('state');
  }

  /** Ends all that is under way, here and in the server; what has come stays. */
  stop() {
    clearTimeout(this.#timer);
    for (const stream of this.#streams) {
      this.#streams.delete(stream);
      this.#restore(stream);
      stream.abort.abort();
    }
  }

  /**
   * Keeps what a request was for, to ask for it later.
   * @param {Stream} stream
   */
  #restore({ cursors, pending }) {
    for (const name of pending ? pending.keys() : cursors.keys()) this.#cursors.set(name, cursors.get(name) ?? '');
    if (!pending && !cursors.size) this.#isBegun = false;
  }

  /** @param {Item[]} items */
  #add(items) {
    const first = this.entries.length;
    for (const item of items) {
      if (!this.#isNew(item)) continue;
      const ratio = knownRatio(item);
      const line = this.#unmeasured.get(item.provider);
      const entry = { item, ratio, isGuess: !ratio, index: 0 };
      if (ratio && !line) this.#push(entry);
      else if (line) line.push(entry);
      else this.#unmeasured.set(item.provider, [entry]);
      if (!ratio) this.#measure(entry);
    }
    if (this.entries.length > first) this.#tell('entries', first);
  }

  /**
   * What has come is not asked for again: it gets its place though nobody may look any more.
   * @param {Entry} entry
   */
  async #measure(entry) {
    const { measuredRatio } = await import('./measured-size.js').catch(() => ({ measuredRatio: async () => 0 }));
    const ratio = await measuredRatio(entry.item);
    entry.isGuess = !ratio;
    entry.ratio = ratio || DEFAULT_RATIO;
    this.#placeMeasured(entry.item.provider);
  }

  /**
   * A source's images keep its order: what has a shape waits for those before it.
   * @param {string} provider
   */
  #placeMeasured(provider) {
    const line = this.#unmeasured.get(provider);
    if (!line) return;
    const first = this.entries.length;
    while (line[0]?.ratio) this.#push(/** @type {Entry} */ (line.shift()));
    if (!line.length) this.#unmeasured.delete(provider);
    if (this.entries.length > first) this.#tell('entries', first);
    if (!line.length) this.#tell('state');
  }

  /** @param {Entry} entry */
  #push(entry) {
    entry.index = this.entries.length;
    this.entries.push(entry);
  }

  /** @param {Item} item */
  #isNew(item) {
    // Several files of one page are as many files.
    const keys = item.file ? [item.ref] : [item.ref, item.type === 'image' && item.page, item.media?.[0]?.url]
      .filter((key) => typeof key === 'string');
    // Pages that hold several images of one provider are no repeats.
    const isRepeat = this.#seen.has(item.ref)
      || keys.slice(1).some((key) => this.#seen.has(`${key}`) && !this.#seen.has(`${item.provider} ${key}`));
    if (isRepeat) return false;
    for (const key of keys) this.#seen.add(`${key}`).add(`${item.provider} ${key}`);
    return true;
  }

  /** @param {Stream} stream @param {string} event @param {any} data */
  #note(stream, event, data) {
    const { provider } = data;
    if (event === 'start') {
      const now = performance.now();
      const names = data.providers.filter((/** @type {string} */ name) => !this.#leftOut.has(name));
      stream.pending = new Map(names.map((/** @type {string} */ name) => [name, now]));
      this.#timer = window.setTimeout(() => this.#tell('state'), PATIENCE + 1);
      return;
    }
    if (this.#leftOut.has(provider)) return;
    if (event === 'provider' || event === 'failure') {
      stream.pending?.delete(provider);
      // Whoever was waited for has answered.
      this.notices.delete(`${provider} waiting`);
    }
    if (event === 'provider') {
      this.answered.set(provider, (this.answered.get(provider) ?? 0) + data.count);
      if (typeof data.total === 'number') this.totals.set(provider, data.total);
      if (data.next) this.#cursors.set(provider, data.next);
    } else if (event === 'failure') this.failures.set(provider, data);
    else if (event === 'notice') this.notices.set(`${provider ?? data.message} ${data.code}`, data);
    this.#tell('note');
    this.#tell('state');
  }

  /** @param {string} name @param {number} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
