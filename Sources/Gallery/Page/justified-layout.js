// @ts-check
// Rows of equal width in which every image keeps its proportions. A row that has been given out never changes.

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Row} Row */

/** Beyond these a box crops its image: a panorama would be a hair, a scroll a wall. */
const NARROWEST = 0.4;
const WIDEST = 4;

export class JustifiedLayout {
  /** @type {Row[]} */
  rows = [];
  /** Where the next row goes. */
  height = 0;
  /** How many entries have been given a place. */
  placed = 0;

  /**
   * Entries that wait until they fill a row.
   * @type {Entry[]}
   */
  #waiting = [];
  /** The sum of the waiting entries' proportions. */
  #ratios = 0;
  /**
   * A row that was shown before it was full; what comes is put behind what stands.
   * @type {Row | null}
   */
  #open = null;

  /** @param {{ width: number, gap: number, rowHeight: number }} measures In CSS pixels. */
  constructor({ width, gap, rowHeight }) {
    this.width = width;
    this.gap = gap;
    this.rowHeight = rowHeight;
  }

  get hasWaiting() {
    return this.#waiting.length > 0;
  }

  /** @param {Entry[]} entries @param {number} [from] @param {number} [to] */
  append(entries, from = 0, to = entries.length) {
    for (let index = from; index < to; index += 1) {
      if (!this.#continueOpenRow(entries[index])) this.#wait(entries[index]);
    }
  }

  /** Gives the entries that fill no row their place: more may come behind them, but they stay. */
  placeWaiting() {
    if (!this.#waiting.length) return;
    const fitting = this.#fittingHeight(this.#waiting.length, this.#ratios);
    const row = this.#close(this.#waiting, Math.min(this.rowHeight, fitting));
    this.#open = this.#fillsUp(row, 0) ? null : row;
    this.#waiting = [];
    this.#ratios = 0;
  }

  /**
   * The index of the row at or after a height.
   * @param {number} top
   */
  rowIndexAt(top) {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = this.rows[middle];
      if (row.top + row.height < top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The row of an entry by its place in the list; undefined while it waits.
   * @param {number} position
   */
  rowOf(position) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#firstPositions[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return position < this.placed ? low : -1;
  }

  /** @type {number[]} */
  #firstPositions = [];

  /**
   * The place in the list of a row's first entry.
   * @param {number} row
   */
  firstPosition(row) {
    return this.#firstPositions[row];
  }

  /** @param {Entry} entry */
  #wait(entry) {
    const ratio = clamped(entry.ratio);
    const without = this.#waiting.length ? this.#fittingHeight(this.#waiting.length, this.#ratios) : Infinity;
    const height = this.#fittingHeight(this.#waiting.length + 1, this.#ratios + ratio);
    if (height <= this.rowHeight && without / this.rowHeight < this.rowHeight / height) {
      // The row is nearer to the wanted height without this one.
      this.#close(this.#waiting, without);
      this.#waiting = [entry];
      this.#ratios = ratio;
      if (this.#fittingHeight(1, ratio) > this.rowHeight) return;
    } else {
      this.#waiting.push(entry);
      this.#ratios += ratio;
      if (height > this.rowHeight) return;
    }
    this.#close(this.#waiting, this.#fittingHeight(this.#waiting.length, this.#ratios));
    this.#waiting = [];
    this.#ratios = 0;
  }

  /** @param {number} count @param {number} ratios */
  #fittingHeight(count, ratios) {
    return Math.max(1, (this.width - this.gap * (count - 1)) / ratios);
  }

  /** @param {Entry[]} entries @param {number} exactHeight @returns {Row} */
  #close(entries, exactHeight) {
    const height = Math.round(exactHeight);
    /** @type {Row} */
    const row = { top: this.height, height, boxes: [] };
    let exactLeft = 0;
    for (const entry of entries) {
      const exactWidth = exactHeight * clamped(entry.ratio);
      const left = Math.round(exactLeft);
      row.boxes.push({ entry, left, width: Math.max(1, Math.round(exactLeft + exactWidth) - left) });
      exactLeft += exactWidth + this.gap;
    }
    this.rows.push(row);
    this.#firstPositions.push(this.placed);
    this.height += height + this.gap;
    this.placed += entries.length;
    return row;
  }

  /**
   * Puts an entry behind a row that is not full. What does not fit is cut: a hole would stay for good.
   * @param {Entry} entry @returns {boolean} Whether the row took it.
   */
  #continueOpenRow(entry) {
    const row = this.#open;
    if (!row) return false;
    const last = row.boxes[row.boxes.length - 1];
    const left = last.left + last.width + this.gap;
    const width = Math.min(this.width - left, Math.round(row.height * clamped(entry.ratio)));
    row.boxes.push({ entry, left, width });
    this.placed += 1;
    if (this.#fillsUp(row, row.boxes.length - 1)) this.#open = null;
    return true;
  }

  /**
   * Widens a row's boxes to its end where no further one would have room.
   * @param {Row} row @param {number} from The first box that may still change.
   */
  #fillsUp({ height, boxes }, from) {
    const last = boxes[boxes.length - 1];
    const space = this.width - last.left - last.width;
    if (space >= this.gap + height * 0.4) return false;
    const share = space / (boxes.length - from);
    boxes.slice(from).forEach((box, place) => {
      box.left += Math.round(share * place);
      box.width += Math.round(share * (place + 1)) - Math.round(share * place);
    });
    return true;
  }
}

/** @param {number} ratio */
const clamped = (ratio) => Math.min(WIDEST, Math.max(NARROWEST, ratio));
