// @ts-check
// A page may be no taller than 2^24 device pixels: what is taller is scrolled through a window that moves along the
// content.

/** Half of what browsers allow at twice the density. */
export const MAXIMUM_HEIGHT = 2 ** 22;

export class ScrollWindow {
  /** The height in the content at which the page begins. */
  base = 0;
  contentHeight = 0;

  /** @param {number} [maximumHeight] */
  constructor(maximumHeight = MAXIMUM_HEIGHT) {
    this.maximumHeight = maximumHeight;
  }

  /** The height of what is scrolled. */
  get pageHeight() {
    return Math.min(this.contentHeight - this.base, this.maximumHeight);
  }

  /**
   * Moves the window so that there is way in both directions.
   * @param {number} offset How far the page is scrolled into the content. @param {number} viewport
   * @param {number} before Where it was.
   * @returns {number} How far the page has to be scrolled so that nothing moves on the screen.
   */
  follow(offset, viewport, before) {
    const furthest = Math.max(0, this.contentHeight - this.maximumHeight);
    const quarter = this.maximumHeight / 4;
    const isLeap = Math.abs(offset - before) > quarter;
    if (isLeap && offset <= 0) {
      this.base = 0; // The Home key: the content's begin is meant, not the window's.
      return offset;
    }
    if (isLeap && this.base < furthest && offset + viewport >= this.maximumHeight) {
      this.base = furthest;
      return this.maximumHeight - viewport;
    }
    let shift = 0;
    if (offset > 3 * quarter) shift = Math.min(2 * quarter, furthest - this.base);
    else if (offset < quarter) shift = -Math.min(2 * quarter, this.base);
    this.base += shift;
    return offset - shift;
  }

  /**
   * Where the page has to be scrolled to for a height of the content.
   * @param {number} top
   */
  show(top) {
    if (top < this.base || top > this.base + (this.maximumHeight * 3) / 4) {
      const furthest = Math.max(0, this.contentHeight - this.maximumHeight);
      this.base = Math.max(0, Math.min(furthest, Math.round(top - this.maximumHeight / 2)));
    }
    return top - this.base;
  }
}
