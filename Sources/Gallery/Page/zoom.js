// @ts-check
// Zooming and panning of one image by wheel, pinch, double click and keys; a swipe of what is not zoomed moves on.

const LARGEST = 12;
const SWIPE = 60;

export class Zoom extends EventTarget {
  scale = 1;
  #x = 0;
  #y = 0;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  #start = { x: 0, y: 0, at: 0 };
  #isSwipe = false;

  /**
   * @param {HTMLElement} stage @param {HTMLElement} content What is moved within the stage.
   * @param {() => { width: number, height: number, full: number }} picture How large the picture in it is while it is
   *   not zoomed, and how many pixels wide its file.
   */
  constructor(stage, content, picture) {
    super();
    this.picture = picture;
    this.stage = stage;
    this.content = content;
    stage.addEventListener('wheel', (event) => this.#wheeled(event), { passive: false });
    stage.addEventListener('dblclick', (event) => this.#doubleClicked(event));
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#moved(event));
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      stage.addEventListener(end, (event) => this.#up(event));
    }
  }

  /** How large the picture is shown, 1 for a pixel of the file on one of the page. */
  get level() {
    const { width, full } = this.picture();
    return full ? (width * this.scale) / full : this.scale;
  }

  /** Shows a pixel of the file on one of the page; a second time, the whole picture. */
  toggleFull() {
    const { width, full } = this.picture();
    if (this.scale > 1 || !full || full <= width) this.reset();
    else this.by(full / width);
  }

  reset() {
    this.#apply(1, 0, 0);
  }

  /**
   * Zooms around the middle, or a point of the window.
   * @param {number} factor @param {{ x: number, y: number }} [point]
   */
  by(factor, point) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    const x = point ? point.x - left - width / 2 : 0;
    const y = point ? point.y - top - height / 2 : 0;
    const scale = Math.min(LARGEST, Math.max(1, this.scale * factor));
    const change = scale / this.scale;
    this.#apply(scale, x - (x - this.#x) * change, y - (y - this.#y) * change);
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    this.#apply(this.scale, this.#x + x, this.#y + y);
  }

  /** @param {number} scale @param {number} x @param {number} y */
  #apply(scale, x, y) {
    const { width, height } = this.stage.getBoundingClientRect();
    const picture = this.picture();
    // No further than its edges: what is smaller than the stage stays in its middle.
    const slackX = Math.max(0, (picture.width * scale - width) / 2);
    const slackY = Math.max(0, (picture.height * scale - height) / 2);
    const isChanged = scale !== this.scale;
    this.scale = scale;
    this.#x = scale === 1 ? 0 : Math.min(slackX, Math.max(-slackX, x));
    this.#y = scale === 1 ? 0 : Math.min(slackY, Math.max(-slackY, y));
    this.content.style.transform = scale === 1 ? '' : `translate(${this.#x}px, ${this.#y}px) scale(${scale})`;
    this.stage.classList.toggle('is-zoomed', scale > 1);
    if (isChanged) this.dispatchEvent(new Event('zoom'));
  }

  /** @param {WheelEvent} event */
  #wheeled(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.by(Math.exp((-event.deltaY * lines) / (event.ctrlKey ? 120 : 400)), { x: event.clientX, y: event.clientY });
  }

  /** @param {MouseEvent} event */
  #doubleClicked(event) {
    if (/** @type {Element} */ (event.target).closest('button')) return;
    if (this.scale > 1) this.reset();
    else this.by(3, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || /** @type {Element} */ (event.target).closest('button')) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#isSwipe = this.#pointers.size === 1 && this.scale === 1 && event.pointerType !== 'mouse';
    this.#start = { x: event.clientX, y: event.clientY, at: event.timeStamp };
    this.stage.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      if (was > 0) this.by(is / was, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else if (this.scale > 1) {
      this.pan(now.x - before.x, now.y - before.y);
    } else if (this.#isSwipe) {
      this.content.style.transform = `translateX(${now.x - this.#start.x}px)`;
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || !this.#isSwipe) return;
    this.#isSwipe = false;
    if (this.scale > 1) return;
    this.content.style.transform = '';
    const x = event.clientX - this.#start.x;
    const y = event.clientY - this.#start.y;
    if (event.type === 'pointercancel') return;
    const isSideways = Math.abs(x) > SWIPE && Math.abs(x) > 1.5 * Math.abs(y);
    if (isSideways) this.dispatchEvent(new CustomEvent('swipe', { detail: x < 0 ? 1 : -1 }));
    else if (y > 2 * SWIPE && y > 2 * Math.abs(x)) this.dispatchEvent(new CustomEvent('swipe', { detail: 0 }));
  }
}
