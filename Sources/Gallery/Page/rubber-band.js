// @ts-check
// A mouse draws a band around images, which are selected.

import { element } from './elements.js';

/** @typedef {import('./grid.js').Grid} Grid */

/** How far the pointer moves before a click becomes a rubber band. */
const THRESHOLD = 6;

/**
 * Draws a band from where a mouse was pressed until it is let go.
 * @param {PointerEvent} down It may be over already, and what it pressed gone. @param {Grid} grid
 * @param {import('./selection.js').Selection} selection
 */
export function drawBand(down, grid, selection) {
  const target = /** @type {Element} */ (down.target);
  if (down.pointerType !== 'mouse' || down.button !== 0 || target.closest('button, input, select, .no-band')) return;
  const start = pointOf(grid, down.clientX, down.clientY);
  const before = down.shiftKey || down.ctrlKey || down.metaKey ? new Map(selection.entries) : new Map();
  /** @type {HTMLElement | null} */
  let band = null;
  let pointer = { x: down.clientX, y: down.clientY };
  let frame = 0;

  const draw = () => {
    const end = pointOf(grid, pointer.x, pointer.y);
    const area = {
      left: Math.min(start.x, end.x), right: Math.max(start.x, end.x),
      top: Math.min(start.y, end.y), bottom: Math.max(start.y, end.y),
    };
    if (!band) return;
    band.style.left = `${area.left}px`;
    band.style.width = `${area.right - area.left}px`;
    band.style.top = `${area.top - grid.view.base}px`;
    band.style.height = `${area.bottom - area.top}px`;
    selection.replace(positionsIn(grid, area).map((position) => grid.entries[position]), before);
  };
  const follow = () => {
    const edge = 60;
    const speed = Math.min(0, pointer.y - edge) + Math.max(0, pointer.y - innerHeight + edge);
    if (speed) scrollBy({ top: speed / 3, behavior: /** @type {ScrollBehavior} */ ('instant') });
    draw();
    frame = requestAnimationFrame(follow);
  };
  /** @param {PointerEvent} move */
  const moved = (move) => {
    if (!(move.buttons & 1)) return ended();
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
    draw();
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
}

/**
 * A point of the window in the grid's content.
 * @param {Grid} grid @param {number} x @param {number} y
 */
function pointOf(grid, x, y) {
  const { left, top } = grid.root.getBoundingClientRect();
  return { x: x - left, y: y - top + grid.view.base };
}

/**
 * The places whose boxes touch a rectangle of the content.
 * @param {Grid} grid @param {{ left: number, top: number, right: number, bottom: number }} area
 */
function positionsIn({ layout }, area) {
  /** @type {number[]} */
  const positions = [];
  for (let index = layout.rowIndexAt(area.top); index < layout.rows.length; index += 1) {
    const row = layout.rows[index];
    if (row.top > area.bottom) break;
    row.boxes.forEach((box, place) => {
      if (box.left > area.right || box.left + box.width < area.left) return;
      positions.push(layout.firstPosition(index) + place);
    });
  }
  return positions;
}
