// @ts-check
// One image, large, with everything that is known of it.

import * as api from './api.js';
import { dropPicture, loadPicture } from './connections.js';
import { button } from './button.js';
import { mainColor } from './colors.js';
import { element, fill, icon } from './elements.js';
import { explainMissing } from './missing-picture.js';
import { speak } from './messages.js';
import { metadata } from './metadata.js';
import { save, share } from './sharing.js';
import { itemTitle, oneLine } from './text.js';
import { Zoom } from './zoom.js';

/** @typedef {import('./types.js').Item} Item */

/** How long an image is looked at before its source is asked for more. */
const DWELL = 250;

export class DetailView extends EventTarget {
  /** @type {Item | null} */
  item = null;
  #details = new AbortController();
  #picture = element('div', { class: 'stage-picture', tabindex: 0, role: 'img' });
  #place = element('span', { class: 'stage-place' });
  #panel = element('aside', { class: 'viewer-panel', 'aria-label': 'About this image', tabindex: 0 });
  #stage = element('div', { class: 'stage' }, this.#picture);
  #select = button({
    icon: 'check', label: 'Select', shortcut: 's', class: 'stage-select', onclick: () => this.#tell('select'),
  });
  #dialog = element('dialog', { class: 'viewer', 'aria-labelledby': 'viewer-title' });
  #level = button({
    label: '100 %', title: 'Show every pixel', shortcut: '1', class: 'stage-level wide-only',
    onclick: () => this.#zoom.toggleFull(),
  });
  #zoom = new Zoom(this.#stage, this.#picture, () => this.#size());
  #previous = this.#step('Previous image', 'left', -1);
  #next = this.#step('Next image', 'right', 1);

  /**
   * @param {{
   *   provider: (id: string) => import('./types.js').Provider | undefined, isSelected: (item: Item) => boolean,
   *   linkTo: (change: { tag?: string, collection?: string }) => string, follow: (event: MouseEvent) => void,
   *   creditForm: () => string, keepCreditForm: (form: string) => void,
   * }} options
   */
  constructor(options) {
    super();
    this.options = options;
    const bar = element(
      'div',
      { class: 'stage-bar' },
      this.#tool('close', 'Close', 'Escape', () => this.#tell('close')),
      this.#place,
      element('span', { class: 'spacer' }),
      this.#select,
      this.#level,
      this.#tool('zoom-out', 'Zoom out', '-', () => this.#zoom.by(1 / 1.6), 'wide-only'),
      this.#tool('zoom-in', 'Zoom in', '+', () => this.#zoom.by(1.6), 'wide-only'),
      this.#tool('fullscreen', 'Full screen', 'f', () => this.#toggleFullScreen()),
      this.#tool('share', 'Share', undefined, () => this.item && share(this.item)),
      this.#tool('download', 'Save image', 'd', () => this.item && save(this.item)),
    );
    this.#stage.append(this.#previous, this.#next);
    this.#dialog.append(element('div', { class: 'stage-column' }, bar, this.#stage), this.#panel,
      element('div', { class: 'spoken visually-hidden', 'aria-live': 'polite' }));
    document.body.append(this.#dialog);
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.#tell('close');
    });
    // A browser closes a dialog by itself where its cancel event was refused before.
    this.#dialog.addEventListener('close', () => this.item && this.#tell('close'));
    this.#dialog.addEventListener('keydown', (event) => this.#pressed(event));
    this.#zoom.addEventListener('swipe', (event) => {
      const direction = /** @type {CustomEvent<number>} */ (event).detail;
      this.#tell(direction ? 'move' : 'close', direction);
    });
    this.#zoom.addEventListener('zoom', () => {
      if (this.#zoom.scale > 1.2) this.#showPicture('full');
      this.#showLevel();
    });
    new ResizeObserver(() => this.isOpen && this.#sharpen()).observe(this.#stage);
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /** @param {Item} item @param {{ place: string, hasPrevious: boolean, hasNext: boolean }} options */
  open(item, { place, hasPrevious, hasNext }) {
    const isOther = this.item?.ref !== item.ref;
    this.#place.textContent = place;
    const focused = document.activeElement;
    this.#previous.hidden = !hasPrevious;
    this.#next.hidden = !hasNext;
    this.#show();
    // A button that goes takes the focus of nobody along.
    if (focused instanceof HTMLElement && focused.hidden) this.#picture.focus({ preventScroll: true });
    if (!isOther) return;
    this.item = item;
    this.#dialog.classList.remove('is-empty');
    this.#zoom.reset();
    this.showSelection();
    this.#picture.setAttribute('aria-label', oneLine(item.alt, 300) || itemTitle(item));
    this.#clearPicture();
    this.#showPaper(item);
    if (item.pictures?.film) this.#showFilm(item, item.pictures.film);
    else {
      this.#showPicture('thumbnail');
      this.#showPicture('preview');
    }
    this.#showFacts(item);
    this.#panel.scrollTop = 0;
    this.#dialog.scrollTop = 0;
    speak([itemTitle(item), place].filter(Boolean).join(', '));
    this.#askForDetails(item);
  }

  /**
   * Says why there is no image: it is being asked for, or cannot be shown.
   * @param {string} title @param {string} [reason]
   */
  say(title, reason = '') {
    this.item = null;
    this.#place.textContent = '';
    this.#previous.hidden = this.#next.hidden = true;
    this.#clearPicture(element('p', { class: 'stage-message', role: 'status' }, reason || title));
    this.#picture.setAttribute('aria-label', reason || title);
    const heading = element('h2', { id: 'viewer-title', class: reason ? 'viewer-title' : 'visually-hidden' }, title);
    fill(this.#panel, heading, reason ? element('p', {}, reason) : null);
    this.#dialog.classList.add('is-empty');
    this.#show();
  }

  close() {
    this.#details.abort();
    if (document.fullscreenElement) document.exitFullscreen();
    this.#dialog.close();
    this.item = null;
    this.#clearPicture();
  }

  #show() {
    if (this.isOpen) return;
    this.#dialog.showModal();
    this.#picture.focus({ preventScroll: true });
  }

  showSelection() {
    const isSelected = Boolean(this.item && this.options.isSelected(this.item));
    this.#select.setAttribute('aria-pressed', String(isSelected));
    const label = this.#select.querySelector('span');
    if (label) label.textContent = isSelected ? 'Selected' : 'Select';
  }

  /** @param {Item} item */
  #showFacts(item) {
    const provider = this.options.provider(item.provider);
    fill(this.#panel, metadata(item, { ...this.options, sourceName: provider?.name ?? item.provider }));
  }

  /**
   * Shows colour and proportions of an image at once, before any of its files has come.
   * @param {Item} item
   */
  #showPaper(item) {
    const largest = largestOf(item);
    const { style } = this.#dialog;
    style.setProperty('--ratio', String(largest ? largest.width / largest.height : 1.5));
    if (largest) style.setProperty('--most', `${largest.width}px`);
    else style.removeProperty('--most');
    if (!largest) return;
    const paper = element('div', { class: 'stage-image stage-paper' });
    paper.style.backgroundColor = mainColor(item) ?? '';
    this.#picture.append(paper);
  }

  /** How large the picture is on the stage, and how many pixels wide its largest file is. */
  #size() {
    const image = [...this.#picture.querySelectorAll('.stage-paper, img.is-loaded')].at(-1);
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = image instanceof HTMLElement ? image : {};
    const natural = image instanceof HTMLImageElement ? image.naturalWidth : 0;
    return { width, height, full: Math.max(natural, (this.item && largestOf(this.item)?.width) || 0) };
  }

  #showLevel() {
    const label = this.#level.querySelector('span');
    if (label) label.textContent = this.#zoom.scale > 1 ? `${Math.round(this.#zoom.level * 100)} %` : '100 %';
  }

  /** Asks for the largest file where the one that is there would be enlarged. */
  #sharpen() {
    const image = this.#picture.querySelector('[data-size="preview"].is-loaded');
    if (image instanceof HTMLImageElement && image.offsetWidth > image.naturalWidth * 1.05) this.#showPicture('full');
  }

  /**
   * Shows a file over the smaller ones, when it is there.
   * @param {'thumbnail' | 'preview' | 'full'} size
   */
  #showPicture(size) {
    const item = this.item;
    const file = item?.pictures?.[size] ?? (size === 'preview' ? item?.pictures?.full : undefined);
    const isThere = this.#picture.querySelector(`[data-size="${size}"], [data-size="full"]`);
    if (!item || !file || isThere) return;
    const image = element('img', { alt: '', 'data-size': size, draggable: 'false', class: 'stage-image' });
    image.addEventListener('load', () => {
      this.#arrived(image, item, size);
    });
    image.addEventListener('error', () => {
      image.remove();
      this.#dialog.classList.remove('is-waiting');
      if (this.item === item && !this.#picture.querySelector('img')) this.#sayMissing(file.url);
    });
    if (size !== 'thumbnail') this.#dialog.classList.add('is-waiting');
    this.#picture.append(image);
    loadPicture(image, file.url, { isUrgent: true });
  }

  /**
   * Plays a film without sound; where less motion is wanted, not before somebody asks.
   * @param {Item} item @param {import('./types.js').Picture} file
   */
  #showFilm(item, file) {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const film = element('video', {
      class: 'stage-image stage-film', controls: true, muted: true, loop: true, playsinline: true, preload: 'metadata',
      poster: item.pictures?.preview?.url ?? item.pictures?.thumbnail?.url, 'aria-label': itemTitle(item),
    });
    // The attribute alone counts for the parser.
    film.muted = true;
    film.autoplay = !isStill;
    film.addEventListener('loadedmetadata', () => {
      if (!film.videoWidth || this.item !== item) return;
      this.#dialog.style.setProperty('--ratio', String(film.videoWidth / film.videoHeight));
      this.#picture.querySelector('.stage-paper')?.remove();
    });
    film.addEventListener('error', () => this.item === item && this.#sayMissing(file.url));
    // Its controls are its own.
    for (const name of ['pointerdown', 'dblclick', 'wheel']) {
      film.addEventListener(name, (event) => event.stopPropagation());
    }
    film.src = file.url;
    this.#picture.append(film);
  }

  /**
   * @param {HTMLImageElement} image @param {Item} item @param {'thumbnail' | 'preview' | 'full'} size
   */
  #arrived(image, item, size) {
    const { style } = this.#dialog;
    if (!largestOf(item)) {
      style.setProperty('--ratio', String(image.naturalWidth / image.naturalHeight));
      if (size !== 'thumbnail') style.setProperty('--most', `${image.naturalWidth}px`);
    }
    image.classList.add('is-loaded');
    this.#dialog.classList.remove('is-waiting');
    this.#picture.querySelector('.stage-paper')?.remove();
    for (const smaller of this.#picture.querySelectorAll('img')) {
      if (smaller === image || size === 'thumbnail' || smaller.dataset.size === 'full') continue;
      dropPicture(smaller);
      smaller.remove();
    }
    if (size === 'preview') this.#sharpen();
  }

  /** @param {string} url */
  #sayMissing(url) {
    const message = element('div', { class: 'stage-message tile' });
    const place = element('p', { role: 'status' }, icon('image-off'),
      this.item?.pictures?.film ? 'The film could not be played.' : 'The image could not be loaded.');
    message.append(place);
    fill(this.#picture, message);
    explainMissing(place, url, () => {
      if (!this.item) return;
      this.#clearPicture();
      this.#showPaper(this.item);
      const { film } = this.item.pictures ?? {};
      if (film) this.#showFilm(this.item, film);
      else this.#showPicture('preview');
    });
  }

  /**
   * @param {string} iconName @param {string} label @param {string | undefined} shortcut @param {() => void} onclick
   * @param {string} [className]
   */
  #tool(iconName, label, shortcut, onclick, className) {
    return button({ icon: iconName, label, shortcut, isIconOnly: true, class: className, onclick });
  }

  /** @param {Node[]} others What is shown instead. */
  #clearPicture(...others) {
    for (const image of this.#picture.querySelectorAll('img')) dropPicture(image);
    for (const film of this.#picture.querySelectorAll('video')) {
      film.removeAttribute('src');
      film.load();
    }
    fill(this.#picture, others);
  }

  /** @param {Item} item */
  #askForDetails(item) {
    this.#details.abort();
    this.#details = new AbortController();
    const { signal } = this.#details;
    const hasDetails = this.options.provider(item.provider)?.operations.some(({ kind }) => kind === 'details');
    if (!hasDetails || item.type === 'collection' || item.file) return;
    const timer = setTimeout(async () => {
      try {
        const more = await api.details(item.ref, signal);
        if (this.item !== item) return;
        // The listing's pictures are in the cache already.
        const known = Object.fromEntries(Object.entries(more).filter(([, value]) => (value ?? null) !== null));
        Object.assign(item, known, { pictures: item.pictures ?? more.pictures, ref: item.ref });
        const { scrollTop } = this.#panel;
        if (!this.#panel.contains(document.activeElement)) this.#showFacts(item);
        this.#panel.scrollTop = scrollTop;
      } catch {
        // What the listing said stays; the source may be gone, or offline.
      }
    }, DWELL);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, video')) return;
    const isScrolling = this.#panel === target;
    const isZoomed = this.#zoom.scale > 1;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => (isZoomed ? this.#zoom.pan(80, 0) : this.#tell('move', -1)),
      ArrowRight: () => (isZoomed ? this.#zoom.pan(-80, 0) : this.#tell('move', 1)),
      '+': () => this.#zoom.by(1.6), '=': () => this.#zoom.by(1.6), '-': () => this.#zoom.by(1 / 1.6),
      0: () => this.#zoom.reset(), 1: () => this.#zoom.toggleFull(),
      f: () => this.#toggleFullScreen(), s: () => this.#tell('select'), d: () => this.item && save(this.item),
    };
    if (isZoomed && !isScrolling) {
      keys.ArrowUp = () => this.#zoom.pan(0, 80);
      keys.ArrowDown = () => this.#zoom.pan(0, -80);
    }
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} label @param {string} iconName @param {number} direction */
  #step(label, iconName, direction) {
    const shortcut = direction < 0 ? 'ArrowLeft' : 'ArrowRight';
    return this.#tool(iconName, label, shortcut, () => this.#tell('move', direction), `stage-step is-${iconName}`);
  }

  async #toggleFullScreen() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.#stage.parentElement?.requestFullscreen().catch(() => {}); // Phones may have none.
  }

  /** @param {string} name @param {number} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/**
 * The largest file whose size is known.
 * @param {Item} item @returns {{ width: number, height: number } | undefined}
 */
function largestOf(item) {
  const sizes = [...(item.media ?? []), ...Object.values(item.pictures ?? {})]
    .filter(({ width, height }) => width && height);
  return /** @type {any[]} */ (sizes).sort((a, b) => b.width - a.width)[0];
}
