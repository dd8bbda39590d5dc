// @ts-check
// The images of one query, part by part, each once, in the order in which they came.

import * as api from './api.js';
import { listingQuery } from './address.js';
import { knownRatio } from './image-size.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Item} Item */

export class Listing extends EventTarget {
  /** @type {Entry[]} */
  entries = [];
  /** @type {'idle' | 'loading' | 'ended' | 'failed'} */
  state = 'idle';
  /**
   * Why the server gave nothing, where the state is failed.
   * @type {Error | null}
   */
  error = null;
  /**
   * By provider.
   * @type {Map<string, import('./types.js').Failure>}
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
  /** Whether any provider gave results, even none. */
  isAnswered = false;

  /**
   * What has been seen: items by their ref, and by their page and largest file, which several providers may share.
   * @type {Set<string>}
   */
  #seen = new Set();
  /**
   * Where to go on: one cursor for all, and one for each provider that is asked again. None is the beginning.
   * @type {string[]}
   */
  #cursors = [''];
  #abort = new AbortController();

  /** @param {import('./types.js').Query} query */
  constructor(query) {
    super();
    this.query = query;
  }

  /** Loads the next part. Events: `entries` as they come (their first index as detail), `state` when it ends. */
  async loadMore() {
    if (this.state === 'loading' || this.state === 'ended') return;
    this.#setState('loading');
    const { signal } = this.#abort;
    const query = listingQuery(this.query);
    const cursor = this.#cursors.shift() ?? '';
    if (cursor) query.set('cursor', cursor);
    /** @type {Promise<void>[]} */
    const measured = [];
    /** @type {string | null | undefined} */
    let next;
    try {
      for await (const batch of api.listing(query, signal)) {
        const items = batch.filter(({ event }) => event === 'image').map(({ data }) => data);
        this.#add(items, measured);
        for (const { event, data } of batch) {
          if (event === 'end') next = data.next;
          else if (event !== 'image') this.#note(event, data);
        }
      }
      if (next === undefined) throw new api.APIError(0, 'cut', 'The connection to the gallery’s server was lost.');
      await Promise.all(measured);
    } catch (error) {
      this.#cursors.unshift(cursor);
      if (signal.aborted) return;
      this.error = error instanceof Error ? error : new Error(String(error));
      this.#setState('failed');
      return;
    }
    if (next) this.#cursors.push(next);
    if (signal.aborted) return;
    this.#setState(this.#cursors.length ? 'idle' : 'ended');
  }

  /**
   * Asks a provider that failed once more, beside what is under way.
   * @param {import('./types.js').Failure} failure
   */
  async retry({ provider, retry }) {
    this.failures.delete(provider);
    this.#tell('note');
    if (this.state === 'loading') await new Promise((resolve) => this.addEventListener('state', resolve, { once: true }));
    this.#cursors.unshift(retry ?? '');
    this.state = 'idle';
    await this.loadMore();
  }

  /** Ends all that is under way, here and in the server; what has come stays. */
  stop() {
    this.#abort.abort();
    this.#abort = new AbortController();
    if (this.state === 'loading') this.state = 'idle';
  }

  /** @param {Item[]} items @param {Promise<void>[]} measured */
  #add(items, measured) {
    const first = this.entries.length;
    for (const item of items) {
      if (!this.#isNew(item)) continue;
      const ratio = knownRatio(item);
      if (ratio) this.#push(item, ratio);
      else {
        measured.push(this.#measure(item));
      }
    }
    if (this.entries.length > first) this.#tell('entries', first);
  }

  /**
   * What has come is not asked for again: it gets its place though nobody may look any more.
   * @param {Item} item
   */
  async #measure(item) {
    const { measuredRatio } = await import('./measured-size.js');
    this.#push(item, await measuredRatio(item));
    this.#tell('entries', this.entries.length - 1);
  }

  /** @param {Item} item @param {number} ratio */
  #push(item, ratio) {
    this.entries.push({ item, ratio, index: this.entries.length });
  }

  /** @param {Item} item */
  #isNew(item) {
    const keys = [item.ref, item.type === 'image' && item.page, item.media?.[0]?.url].filter((key) => typeof key === 'string');
    // Pages that hold several images of one provider are no repeats.
    const isRepeat = this.#seen.has(item.ref)
      || keys.slice(1).some((key) => this.#seen.has(`${key}`) && !this.#seen.has(`${item.provider} ${key}`));
    if (isRepeat) return false;
    for (const key of keys) this.#seen.add(`${key}`).add(`${item.provider} ${key}`);
    return true;
  }

  /** @param {string} event @param {any} data */
  #note(event, data) {
    // Whoever was waited for has answered.
    if (event !== 'notice') this.notices.delete(`${data.provider} waiting`);
    if (event === 'provider') this.isAnswered = true;
    if (event === 'failure') this.failures.set(data.provider, data);
    else if (event === 'provider' && typeof data.total === 'number') this.totals.set(data.provider, data.total);
    else if (event === 'notice') this.notices.set(`${data.provider ?? data.message} ${data.code}`, data);
    else if (event !== 'provider') return;
    this.#tell('note');
  }

  /** @param {Listing['state']} state */
  #setState(state) {
    this.state = state;
    this.#tell('state');
  }

  /** @param {string} name @param {number} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
