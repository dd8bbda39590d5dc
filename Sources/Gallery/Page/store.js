// @ts-check
// The state of the page. It goes one way: actions change it, and what shows a part of it hears of that part's changes.

/** @typedef {import('./types.js').State} State */

export class Store {
  /** @type {State} */
  #state;
  /** @type {{ select: (state: State) => unknown, show: (value: any, state: State) => void, shown: unknown }[]} */
  #watchers = [];
  #isTelling = false;

  /** @param {State} state */
  constructor(state) {
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  /**
   * Puts other values in place of some.
   * @param {Partial<State>} change
   */
  change(change) {
    this.#state = { ...this.#state, ...change };
    if (this.#isTelling) return; // Those that are told see this change in the same round or in the next.
    this.#isTelling = true;
    try {
      while (this.#tell());
    } finally {
      this.#isTelling = false;
    }
  }

  /**
   * Shows a part of the state, now and whenever it has changed.
   * @template Value @param {(state: State) => Value} select @param {(value: Value, state: State) => void} show
   */
  watch(select, show) {
    const watcher = { select, show, shown: /** @type {unknown} */ (select(this.#state)) };
    this.#watchers.push(watcher);
    show(/** @type {Value} */ (watcher.shown), this.#state);
  }

  /** Whether anything had changed. */
  #tell() {
    let hasChanged = false;
    for (const watcher of this.#watchers) {
      const value = watcher.select(this.#state);
      if (Object.is(value, watcher.shown)) continue;
      watcher.shown = value;
      hasChanged = true;
      watcher.show(value, this.#state);
    }
    return hasChanged;
  }
}
