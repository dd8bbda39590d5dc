// @ts-check
// The grid: of any number of images, those near the window are in the page.

import { element } from './elements.js';
import { JustifiedLayout } from './justified-layout.js';
import { ScrollWindow } from './scroll-window.js';
import { dropPictures, label, loadPictures, tile } from './tile.js';

/** @typedef {import('./types.js').Entry} Entry */

/** How many images are laid out before the browser may do something else. */
const SLICE = 4000;
/** How many rows out of sight are put into the page in one frame. */
const ROWS_AHEAD = 2;
/** Faster than this, in windows per second, pictures that fly past are not asked for. */
const FLIGHT = 8;

export class Grid extends EventTarget {
  /**
   * What is shown, in order.
   * @type {Entry[]}
   */
  entries = [];
  /** The place of the entry that the keyboard is at. */
  active = 0;

  layout = new JustifiedLayout({ width: 1, gap: 0, rowHeight: 1 });
  /**
   * The rows in the page by their index.
   * @type {Map<number, HTMLElement>}
   */
  #shown = new Map();
  view = new ScrollWindow();
  #lastOffset = 0;
  /**
   * The height of the content at the top of the window, within a frame.
   * @type {number | null}
   */
  #frameTop = null;
  #lastScroll = { at: 0, top: 0, speed: 0 };
  #frame = 0;
  #renderFrame = 0;
  #changeFrame = 0;
  #layoutRun = 0;
  #settle = 0;

  /**
   * @param {HTMLElement} root
   * @param {{
   *   isSelected: (entry: Entry) => boolean, href: (entry: Entry) => string, sourceName: (provider: string) => string,
   * }} options
   */
  constructor(root, options) {
    super();
    this.root = root;
    this.options = options;
    addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(root);
  }

  // MARK: What is shown

  /**
   * Shows other entries, from the top.
   * @param {Entry[]} entries
   */
  async show(entries) {
    this.entries = entries;
    this.active = 0;
    await this.#layOut();
  }

  /**
   * Entries came behind those that are shown.
   * @param {Entry[]} entries
   */
  append(entries) {
    for (const entry of entries) this.entries.push(entry);
    if (this.#layoutRun % 2 === 1) return; // The layout under way takes them along.
    const { placed } = this.layout;
    const isInView = this.layout.height < this.#top + innerHeight;
    this.layout.append(entries);
    if (this.layout.placed === placed) return;
    // What people wait for is shown at once; what is below the window, once in a frame.
    if (isInView) this.#layoutChanged();
    else this.#changeFrame ||= requestAnimationFrame(() => this.#layoutChanged());
  }

  /** Whether images wait for a full row within the window. */
  get waitsInView() {
    return this.layout.hasWaiting && this.layout.height < this.#top + innerHeight;
  }

  /** Shows images that fill no row. */
  placeWaiting() {
    if (!this.layout.hasWaiting) return;
    this.layout.placeWaiting();
    this.#layoutChanged();
  }

  /** How much has not been scrolled to yet, in windows. */
  get windowsBelow() {
    return (this.layout.height - this.#top) / innerHeight - 1;
  }

  // MARK: Places

  /** The place at the top of the window, to come back to. */
  anchor() {
    const index = this.layout.rowIndexAt(this.#top);
    const row = this.layout.rows[index];
    if (!row) return { position: 0, ref: '', offset: this.#top };
    const position = this.layout.firstPosition(index);
    return { position, ref: this.entries[position]?.item.ref ?? '', offset: this.#top - row.top };
  }

  /**
   * Whether a place can be scrolled to.
   * @param {number} position
   */
  isPlaced(position) {
    return position < this.layout.placed;
  }

  /**
   * Where an image is, near the place that it had; -1 where it is not.
   * @param {{ position: number, ref: string }} anchor
   */
  #near({ position, ref }) {
    const from = Math.max(0, position - 100);
    const near = this.entries.slice(from, position + 100).findIndex(({ item }) => item.ref === ref);
    return near < 0 ? -1 : from + near;
  }

  /**
   * Whether an image can be scrolled to near the place that it had.
   * @param {{ position: number, ref: string }} anchor
   */
  isShown(anchor) {
    const position = this.#near(anchor);
    return position >= 0 && this.isPlaced(position);
  }

  /** @param {{ position: number, ref: string, offset: number }} anchor */
  restore(anchor) {
    const near = this.#near(anchor);
    const position = near < 0 ? anchor.position : near;
    const row = this.layout.rows[this.layout.rowOf(Math.min(position, this.layout.placed - 1))];
    if (row) this.#scrollTo(row.top + anchor.offset);
    else scrollTo(0, 0);
  }

  /**
   * Brings an entry into the window with as little movement as possible.
   * @param {number} position
   */
  reveal(position) {
    const row = this.layout.rows[this.layout.rowOf(position)];
    if (!row) return;
    const above = stickyHeight() + 12;
    if (row.top < this.#top + above) this.#scrollTo(row.top - above);
    else if (row.top + row.height > this.#top + innerHeight - 24) {
      this.#scrollTo(row.top + row.height - innerHeight + 24);
    }
  }

  /**
   * Makes an entry the one that the keyboard is at.
   * @param {number} position @param {{ focus?: boolean }} [options]
   */
  activate(position, options = {}) {
    const { focus = false } = options;
    this.active = Math.max(0, Math.min(position, this.layout.placed - 1));
    if (focus) this.reveal(this.active);
    this.#render();
    for (const link of this.root.querySelectorAll('.tile-link[tabindex="0"]')) link.setAttribute('tabindex', '-1');
    const link = this.tileAt(this.active)?.querySelector('.tile-link');
    link?.setAttribute('tabindex', '0');
    if (focus && link instanceof HTMLElement) link.focus({ preventScroll: true });
  }

  /** @param {number} position @returns {HTMLElement | null} */
  tileAt(position) {
    return this.root.querySelector(`.tile[data-position="${position}"]`);
  }

  /**
   * The place above or below: that whose middle is nearest.
   * @param {number} position @param {1 | -1 | number} rows
   */
  neighbour(position, rows) {
    const index = this.layout.rowOf(position);
    const from = this.layout.rows[index];
    if (!from) return position;
    const target = Math.max(0, Math.min(index + rows, this.layout.rows.length - 1));
    if (target === index) return position;
    const own = from.boxes[position - this.layout.firstPosition(index)];
    const middle = own.left + own.width / 2;
    let best = 0;
    let distance = Infinity;
    this.layout.rows[target].boxes.forEach((box, place) => {
      const away = Math.abs(box.left + box.width / 2 - middle);
      if (away < distance) [best, distance] = [place, away];
    });
    return this.layout.firstPosition(target) + best;
  }

  /** How many rows fit into the window. */
  get rowsPerWindow() {
    return Math.max(1, Math.floor(innerHeight / (this.layout.rowHeight + this.layout.gap)) - 1);
  }

  /** Shows what is selected now. */
  showSelection() {
    for (const node of this.root.querySelectorAll('.tile')) {
      const entry = this.entryOf(node);
      node.setAttribute('aria-selected', String(Boolean(entry) && this.options.isSelected(entry)));
    }
  }

  /** Shows the names of the sources, which may come after the images. */
  showNames() {
    for (const node of this.root.querySelectorAll('.tile')) {
      const entry = this.entryOf(node);
      if (entry) label(node, entry, this.options.sourceName(entry.item.provider));
    }
  }

  /** @param {Element} node A tile. */
  entryOf(node) {
    return this.entries[Number(/** @type {HTMLElement} */ (node).dataset.position)];
  }

  // MARK: Layout

  /** The height of the content at the top of the window. */
  get #top() {
    return this.#frameTop ?? this.#offset + this.view.base;
  }

  get #offset() {
    return -this.root.getBoundingClientRect().top;
  }

  #measures() {
    const width = Math.floor(this.root.clientWidth);
    const rowHeight = width < 520 ? 124 : width < 1000 ? 200 : width < 1900 ? 236 : width < 2900 ? 280 : 340;
    return { width, gap: width < 520 ? 4 : 8, rowHeight };
  }

  /** Lays everything out, in slices; what is shown stays until the new places are known. */
  async #layOut() {
    this.#layoutRun += this.#layoutRun % 2 === 0 ? 1 : 2;
    const run = this.#layoutRun;
    const layout = new JustifiedLayout(this.#measures());
    const { entries } = this;
    for (let from = 0; from < entries.length; from += SLICE) {
      if (from > 0) await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.#layoutRun) return;
      layout.append(entries, from, Math.min(from + SLICE, entries.length));
    }
    this.#layoutRun += 1;
    this.layout = layout;
    const hadFocus = this.root.contains(document.activeElement);
    this.#clear();
    this.#layoutChanged();
    if (hadFocus) this.activate(this.active, { focus: true });
  }

  #clear() {
    for (const row of this.#shown.values()) {
      dropPictures(row);
      row.remove();
    }
    this.#shown.clear();
  }

  async #resized() {
    if (this.#measures().width === this.layout.width || this.root.clientWidth === 0) return;
    const isAtTop = scrollY === 0;
    const anchor = this.anchor();
    await this.#layOut();
    this.dispatchEvent(new Event('relayout'));
    if (!isAtTop) this.restore(anchor);
  }

  #layoutChanged() {
    cancelAnimationFrame(this.#changeFrame);
    this.#changeFrame = 0;
    this.view.contentHeight = this.layout.height;
    this.#setHeight();
    this.root.setAttribute('aria-rowcount', String(this.layout.rows.length || -1));
    this.#render();
  }

  #setHeight() {
    this.root.style.height = `${Math.max(0, this.view.pageHeight)}px`;
  }

  // MARK: Scrolling

  /** @param {number} top A height of the content. */
  #scrollTo(top) {
    if (this.#changeFrame) this.#layoutChanged(); // The page may not be high enough yet.
    const base = this.view.base;
    const offset = this.view.show(Math.max(0, top));
    if (base !== this.view.base) this.#rebase();
    this.#lastOffset = offset;
    const start = scrollY + this.root.getBoundingClientRect().top;
    scrollTo({ top: start + offset, behavior: /** @type {ScrollBehavior} */ ('instant') });
    this.#render();
  }

  #scrolled() {
    if (!this.#frame) this.#frame = requestAnimationFrame((now) => this.#framed(now));
  }

  /** @param {number} now */
  #framed(now) {
    this.#frame = 0;
    const offset = this.#offset;
    const top = offset + this.view.base;
    const elapsed = Math.max(1, now - this.#lastScroll.at);
    const speed = elapsed > 200 ? 0 : (Math.abs(top - this.#lastScroll.top) / innerHeight / elapsed) * 1000;
    this.#lastScroll = { at: now, top, speed };
    // To ask again after rows came would have the browser lay out the page twice.
    this.#frameTop = top;
    clearTimeout(this.#settle);
    this.#settle = window.setTimeout(() => this.#settled(), 90);
    const base = this.view.base;
    const wanted = this.view.follow(offset, innerHeight, this.#lastOffset);
    this.#lastOffset = wanted;
    if (base !== this.view.base) {
      this.#frameTop = wanted + this.view.base;
      this.#rebase();
      scrollBy({ top: wanted - offset, behavior: /** @type {ScrollBehavior} */ ('instant') });
    }
    this.#render();
    this.dispatchEvent(new Event('scrolled'));
    this.#frameTop = null;
  }

  #settled() {
    this.#lastScroll.speed = 0;
    this.#loadPictures();
    this.dispatchEvent(new Event('settled'));
  }

  #rebase() {
    this.#setHeight();
    for (const [index, row] of this.#shown) row.style.top = `${this.layout.rows[index].top - this.view.base}px`;
  }

  // MARK: Rows in the page

  #render() {
    const { rows } = this.layout;
    const top = this.#top;
    const over = Math.min(innerHeight, 1200);
    const first = this.layout.rowIndexAt(top - over);
    const bottom = top + innerHeight + over;
    /** @type {Set<number>} */
    const wanted = new Set();
    for (let index = first; index < rows.length && rows[index].top < bottom; index += 1) wanted.add(index);
    // The row that has the focus keeps it, however far it is away.
    const active = this.layout.rowOf(this.active);
    if (active >= 0 && (this.#shown.get(active)?.contains(document.activeElement) ?? false)) wanted.add(active);
    for (const [index, row] of this.#shown) {
      if (wanted.has(index) && row.childElementCount === rows[index].boxes.length) continue;
      if (wanted.has(index)) {
        this.#completeRow(index, row);
        continue;
      }
      dropPictures(row);
      row.remove();
      this.#shown.delete(index);
    }
    const isFlying = this.#lastScroll.speed > FLIGHT;
    let ahead = 0;
    for (const index of wanted) {
      if (this.#shown.has(index)) continue;
      const { top: start, height } = rows[index];
      const isInView = start < top + innerHeight && start + height > top;
      if (isInView || ahead < ROWS_AHEAD) this.#insert(index);
      if (!isInView) ahead += 1;
    }
    // After a leap the window is filled first, and what is around it frame by frame.
    if (ahead > ROWS_AHEAD) this.#renderFrame ||= requestAnimationFrame(() => {
      this.#renderFrame = 0;
      this.#render();
    });
    if (!isFlying) this.#loadPictures();
  }

  /** Lets pictures come: those in the window, then those below it, then those above. */
  #loadPictures() {
    const first = this.layout.rowIndexAt(this.#top);
    const order = [...this.#shown].sort(([a], [b]) => Number(a < first) - Number(b < first) || a - b);
    for (const [, row] of order) loadPictures(row);
  }

  /** @param {number} index */
  #insert(index) {
    const { top, height } = this.layout.rows[index];
    const node = element('div', { class: 'row', role: 'row', 'aria-rowindex': index + 1 });
    node.style.top = `${top - this.view.base}px`;
    node.style.height = `${height}px`;
    this.#completeRow(index, node);
    let after = Infinity;
    for (const other of this.#shown.keys()) if (other > index && other < after) after = other;
    this.root.insertBefore(node, this.#shown.get(after) ?? null);
    this.#shown.set(index, node);
  }

  /**
   * Adds the tiles that a row does not have yet.
   * @param {number} index @param {HTMLElement} node
   */
  #completeRow(index, node) {
    const { boxes, height } = this.layout.rows[index];
    const first = this.layout.firstPosition(index);
    for (let place = node.childElementCount; place < boxes.length; place += 1) {
      const { entry } = boxes[place];
      node.append(
        tile(boxes[place], {
          position: first + place, column: place + 1, height, isSelected: this.options.isSelected(entry),
          isActive: first + place === this.active, href: this.options.href(entry),
          source: this.options.sourceName(entry.item.provider),
        }),
      );
    }
  }
}

/** What covers the top of the window. */
function stickyHeight() {
  return document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0;
}
