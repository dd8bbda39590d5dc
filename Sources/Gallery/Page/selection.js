// @ts-check
// Which images are selected, and how clicks and keys select them.

/** @typedef {import('./types.js').Entry} Entry */

export class Selection extends EventTarget {
  /**
   * By ref.
   * @type {Map<string, Entry>}
   */
  entries = new Map();
  /** Where a range begins. */
  origin = 0;
  /**
   * What was selected before the range that is being drawn.
   * @type {Map<string, Entry> | null}
   */
  #before = null;

  get size() {
    return this.entries.size;
  }

  /** @param {Entry} entry */
  has(entry) {
    return this.entries.has(entry.item.ref);
  }

  /** @param {Entry} entry @param {boolean} [isSelected] */
  set(entry, isSelected = !this.has(entry)) {
    if (isSelected) this.entries.set(entry.item.ref, entry);
    else this.entries.delete(entry.item.ref);
    this.#before = null;
    this.#changed();
  }

  /** @param {Entry[]} entries @param {Map<string, Entry>} [beside] What stays selected as well. */
  replace(entries, beside = new Map()) {
    this.#before = null;
    this.#put(entries, beside);
  }

  /**
   * Selects a range, in place of the one that was drawn from the same origin.
   * @param {Entry[]} entries
   */
  selectRange(entries) {
    const before = (this.#before ??= new Map(this.entries));
    this.#put(entries, before);
  }

  /** @param {number} position */
  begin(position) {
    this.origin = position;
    this.#before = null;
  }

  /** @param {Entry[]} entries @param {Map<string, Entry>} beside */
  #put(entries, beside) {
    this.entries = new Map(beside);
    for (const entry of entries) this.entries.set(entry.item.ref, entry);
    this.#changed();
  }

  clear() {
    if (this.size) this.replace([]);
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * Clicks and keys of the grid.
 * @param {import('./grid.js').Grid} grid @param {Selection} selection @param {(position: number) => void} open
 */
export function enableGridControls(grid, selection, open) {
  const { root } = grid;
  root.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target);
    const tile = target.closest('.tile');
    if (!(tile instanceof HTMLElement) || event.button !== 0) return;
    event.preventDefault();
    const position = Number(tile.dataset.position);
    const isCheck = Boolean(target.closest('.tile-check'));
    grid.activate(position);
    const isChoosing = document.body.classList.contains('is-choosing');
    if (event.shiftKey && (selection.size || isCheck)) selectRange(grid, selection, position);
    else if (isCheck || event.ctrlKey || event.metaKey || event.shiftKey || isChoosing) {
      selection.begin(position);
      selection.set(grid.entries[position]);
    } else open(position);
  });
  root.addEventListener('focusin', (event) => {
    const tile = /** @type {Element} */ (event.target).closest('.tile');
    const position = tile instanceof HTMLElement ? Number(tile.dataset.position) : grid.active;
    if (position !== grid.active) grid.activate(position);
  });
  root.addEventListener('keydown', (event) => {
    const { active } = grid;
    const isRightToLeft = getComputedStyle(root).direction === 'rtl';
    const row = grid.rowsPerWindow;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowLeft: active + (isRightToLeft ? 1 : -1), ArrowRight: active + (isRightToLeft ? -1 : 1),
      ArrowUp: grid.neighbour(active, -1), ArrowDown: grid.neighbour(active, 1),
      PageUp: grid.neighbour(active, -row), PageDown: grid.neighbour(active, row), Home: 0,
      End: grid.entries.length - 1,
    };
    if (event.altKey || /** @type {Element} */ (event.target).closest('button')) return;
    if (event.key in moves) {
      event.preventDefault();
      grid.activate(moves[event.key], { focus: true });
      if (event.shiftKey) selectRange(grid, selection, grid.active);
      else selection.begin(grid.active);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(active);
    } else if (event.key === ' ') {
      event.preventDefault();
      if (event.shiftKey) selectRange(grid, selection, active);
      else {
        selection.begin(active);
        selection.set(grid.entries[active]);
      }
    }
  });
}

/** @param {import('./grid.js').Grid} grid @param {Selection} selection @param {number} position */
function selectRange(grid, selection, position) {
  const from = Math.min(selection.origin, position);
  const to = Math.max(selection.origin, position);
  selection.selectRange(grid.entries.slice(from, to + 1));
}
