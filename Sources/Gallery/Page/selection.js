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
    this.#changed();
  }

  /** @param {Entry[]} entries @param {Map<string, Entry>} [beside] What stays selected as well. */
  replace(entries, beside = new Map()) {
    this.entries = new Map([...beside, ...entries.map((entry) => /** @type {[string, Entry]} */ ([entry.item.ref, entry]))]);
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
    if (event.shiftKey && (selection.size || isCheck)) selectRange(grid, selection, position);
    else if (isCheck || event.ctrlKey || event.metaKey || event.shiftKey || document.body.classList.contains('is-choosing')) {
      selection.origin = position;
      selection.set(grid.entries[position]);
    } else open(position);
  });
  root.addEventListener('focusin', (event) => {
    const tile = /** @type {Element} */ (event.target).closest('.tile');
    if (tile instanceof HTMLElement && Number(tile.dataset.position) !== grid.active) grid.activate(Number(tile.dataset.position));
  });
  root.addEventListener('keydown', (event) => {
    const { active } = grid;
    const isRightToLeft = getComputedStyle(root).direction === 'rtl';
    const row = grid.rowsPerWindow;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowLeft: active + (isRightToLeft ? 1 : -1), ArrowRight: active + (isRightToLeft ? -1 : 1),
      ArrowUp: grid.neighbour(active, -1), ArrowDown: grid.neighbour(active, 1),
      PageUp: grid.neighbour(active, -row), PageDown: grid.neighbour(active, row), Home: 0, End: grid.entries.length - 1,
    };
    if (event.altKey) return;
    if (event.key in moves) {
      event.preventDefault();
      grid.activate(moves[event.key], { focus: true });
      if (event.shiftKey) selectRange(grid, selection, grid.active);
      else selection.origin = grid.active;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(active);
    } else if (event.key === ' ') {
      event.preventDefault();
      if (event.shiftKey) selectRange(grid, selection, active);
      else {
        selection.origin = active;
        selection.set(grid.entries[active]);
      }
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selection.replace(grid.entries);
    } else if (event.key === 'Escape') {
      selection.clear();
    }
  });
}

/** @param {import('./grid.js').Grid} grid @param {Selection} selection @param {number} position */
function selectRange(grid, selection, position) {
  const from = Math.min(selection.origin, position);
  const to = Math.max(selection.origin, position);
  selection.replace(grid.entries.slice(from, to + 1), new Map(selection.entries));
}
