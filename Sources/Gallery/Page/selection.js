// @ts-check
// Which images are selected, and how pointer and keyboard select them.

import { element } from './elements.js';

/** @typedef {import('./types.js').Entry} Entry */

export class Selection extends EventTarget {
  /**
   * By ref.
   *
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

/** How far the pointer moves before a click becomes a rubber band. */
const THRESHOLD = 6;

/**
 * Lets a mouse draw a band around images.
 *
 * @param {HTMLElement} surface Where it may begin. @param {import('./grid.js').Grid} grid @param {Selection} selection
 */
export function enableRubberBand(surface, grid, selection) {
  surface.addEventListener('pointerdown', (down) => {
    const target = /** @type {Element} */ (down.target);
    if (down.pointerType !== 'mouse' || down.button !== 0 || target.closest('button, input, select, .no-band')) return;
    const start = grid.contentPoint(down.clientX, down.clientY);
    const before = down.shiftKey || down.ctrlKey || down.metaKey ? new Map(selection.entries) : new Map();
    /** @type {HTMLElement | null} */
    let band = null;
    let pointer = { x: down.clientX, y: down.clientY };
    let frame = 0;

    const draw = () => {
      const end = grid.contentPoint(pointer.x, pointer.y);
      const area = {
        left: Math.min(start.x, end.x), right: Math.max(start.x, end.x),
        top: Math.min(start.y, end.y), bottom: Math.max(start.y, end.y),
      };
      if (!band) return;
      band.style.left = `${area.left}px`;
      band.style.width = `${area.right - area.left}px`;
      band.style.top = `${grid.elementTop(area.top)}px`;
      band.style.height = `${area.bottom - area.top}px`;
      selection.replace(grid.positionsIn(area).map((position) => grid.entries[position]), before);
    };
    const follow = () => {
      const edge = 60;
      const speed = pointer.y < edge ? pointer.y - edge : pointer.y > innerHeight - edge ? pointer.y - innerHeight + edge : 0;
      if (speed) scrollBy({ top: speed / 3, behavior: /** @type {ScrollBehavior} */ ('instant') });
      draw();
      frame = requestAnimationFrame(follow);
    };
    /** @param {PointerEvent} move */
    const moved = (move) => {
      pointer = { x: move.clientX, y: move.clientY };
      if (band || Math.hypot(pointer.x - down.clientX, pointer.y - down.clientY) < THRESHOLD) return;
      band = element('div', { class: 'rubber-band', 'aria-hidden': 'true' });
      grid.root.append(band);
      document.body.classList.add('is-banding');
      getSelection()?.removeAllRanges();
      frame = requestAnimationFrame(follow);
    };
    const ended = () => {
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', ended);
      removeEventListener('pointercancel', ended);
      cancelAnimationFrame(frame);
      if (!band) return;
      band.remove();
      document.body.classList.remove('is-banding');
      // The click that follows is the band's end, not an image's.
      const swallow = (/** @type {Event} */ click) => {
        click.preventDefault();
        click.stopPropagation();
      };
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    };
    addEventListener('pointermove', moved);
    addEventListener('pointerup', ended);
    addEventListener('pointercancel', ended);
  });
  surface.addEventListener('dragstart', (event) => event.preventDefault());
}

/**
 * Clicks and keys of the grid.
 *
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
    else if (isCheck || event.ctrlKey || event.metaKey || event.shiftKey || selection.size) {
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
