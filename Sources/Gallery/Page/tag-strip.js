// @ts-check
// The tags above the grid: one stop for the keyboard, with arrows, and buttons where they are wider than the page.

import { byId, element, fillByKey } from './elements.js';
import { count, isolated } from './text.js';

/** How many tags stand above the grid. */
const MOST_TAGS = 24;

/** @param {import('./gallery.js').Gallery} gallery */
export function showTags(gallery) {
  const { store, results } = gallery;
  const strip = byId('tag-strip');
  /** @param {string} tag */
  const toggle = (tag) => {
    const { filters } = store.state.address;
    const tags = filters.tags.includes(tag) ? filters.tags.filter((other) => other !== tag) : [...filters.tags, tag];
    gallery.go({ filters: { ...filters, tags } });
  };
  /** @param {string} tag */
  const chip = (tag) => element('li', {}, element(
    'button', { class: 'chip', type: 'button', 'data-tag': tag, tabindex: -1, onclick: () => toggle(tag) },
    isolated(tag, 40), element('span', { class: 'amount' })));
  const show = () => {
    const { tags } = store.state.address.filters;
    const { counts: { tags: counts }, tagOrder: order } = results.facets;
    // In the order in which they came, the most frequent first, so that none moves away.
    for (const [tag] of results.facets.ranked('tags')) {
      if (order.length >= MOST_TAGS) break;
      if (!order.includes(tag)) order.push(tag);
    }
    const keys = [...tags, ...order.filter((tag) => !tags.includes(tag))];
    fillByKey(strip, keys, chip, (node, tag) => {
      node.firstElementChild?.setAttribute('aria-pressed', String(tags.includes(tag)));
      const amount = node.querySelector('.amount');
      if (amount) amount.textContent = count(counts.get(tag) ?? 0);
    });
    enter(strip.querySelector('[tabindex="0"]') ?? strip.querySelector('button'));
    showButtons();
  };
  const back = byId('tags-back');
  const forth = byId('tags-forth');
  const showButtons = () => {
    back.hidden = strip.scrollLeft < 4;
    forth.hidden = strip.scrollLeft + strip.clientWidth > strip.scrollWidth - 4;
  };
  /** @param {number} direction */
  const move = (direction) => strip.scrollBy({ left: direction * strip.clientWidth * 0.8, behavior: 'smooth' });
  back.addEventListener('click', () => move(-1));
  forth.addEventListener('click', () => move(1));
  strip.addEventListener('scroll', showButtons, { passive: true });
  new ResizeObserver(showButtons).observe(strip);
  strip.addEventListener('wheel', (event) => {
    if (Math.abs(event.deltaY) <= Math.abs(event.deltaX) || strip.scrollWidth <= strip.clientWidth) return;
    event.preventDefault();
    strip.scrollBy({ left: event.deltaY * (event.deltaMode === 1 ? 16 : 1) });
  }, { passive: false });
  strip.addEventListener('keydown', (event) => {
    const chips = [...strip.querySelectorAll('button')];
    const place = chips.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const places = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: chips.length - 1 };
    const next = chips[places[/** @type {keyof typeof places} */ (event.key)]];
    if (!next) return;
    event.preventDefault();
    enter(next);
    next.focus();
  });
  strip.addEventListener('focusin', ({ target }) => enter(/** @type {Element} */ (target)));
  /**
   * Makes one of them the stop of the keyboard.
   * @param {Element | null} chosen
   */
  const enter = (chosen) => {
    for (const other of strip.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    chosen?.setAttribute('tabindex', '0');
  };
  store.watch(({ facets }) => facets, show);
  store.watch(({ address }) => address.filters.tags, show);
  store.watch(({ address }) => address.query, show);
}
