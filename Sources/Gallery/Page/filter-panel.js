// @ts-check
// The controls that narrow what was found, with their counts.

import { noFilters } from './address.js';
import { COLORS } from './colors.js';
import { button } from './button.js';
import { byId, element, fill, fillByKey, WIDE } from './elements.js';
import { words } from './formats.js';
import { count, isolated } from './text.js';

/** @typedef {import('./types.js').Filters} Filters */
/** @typedef {import('./filters.js').FacetName} FacetName */

const ORIENTATIONS = { landscape: 'Landscape', portrait: 'Portrait', square: 'Square' };
const SIZES = {
  huge: '4,000 pixels and more', large: '2,000 to 3,999 pixels', medium: '800 to 1,999 pixels', small: 'Under 800 pixels',
  unknown: 'Unknown',
};

/** How many tags are listed before people look for one by name. */
const MOST_TAGS = 30;

export class FilterPanel {
  /** @type {Filters} */
  #filters = noFilters();
  /** @type {import('./filters.js').Facets | null} */
  #facets = null;
  /**
   * The groups by what they filter.
   * @type {Map<FacetName, HTMLElement>}
   */
  #groups = new Map();
  #tagSearch = element('input', { type: 'search', placeholder: 'Find a tag', 'aria-label': 'Find a tag', oninput: () => this.#showGroup('tags') });
  #from = this.#dateField('From', 'from');
  #to = this.#dateField('To', 'to');
  #clear = button({ label: 'Clear', class: 'is-quiet', onclick: () => this.options.onchange(noFilters()) });

  /**
   * @param {HTMLDialogElement} root
   * @param {{ onchange: (filters: Filters) => void, onclose: () => void, sourceName: (id: string) => string }} options
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    /** @param {string} title @param {FacetName} name @param {...Node} before */
    const section = (title, name, ...before) => {
      const group = element('div', { class: name === 'tags' || name === 'colors' ? `choices is-${name}` : 'check-list' });
      this.#groups.set(name, group);
      return element('fieldset', { class: 'filter-group' }, element('legend', {}, title), before, group);
    };
    fill(
      root,
      element('header', { class: 'sheet-header' }, element('h2', { id: 'filter-title' }, 'Filters'), this.#clear, button({ icon: 'close', label: 'Close filters', isIconOnly: true, onclick: () => this.options.onclose() })),
      element(
        'div',
        { class: 'sheet-body', tabindex: -1 },
        section('Tags', 'tags', this.#tagSearch),
        section('Orientation', 'orientations'),
        section('Colour', 'colors'),
        section('Size', 'sizes'),
        section('Licence', 'licenses'),
        element('fieldset', { class: 'filter-group' }, element('legend', {}, 'Date'), element('div', { class: 'date-fields' }, this.#from, this.#to), element('small', {}, 'A year, month or day: 1890, 2021-05, 2021-05-04')),
        section('Source', 'sources'),
      ),
    );
  }

  /** @param {Filters} filters @param {import('./filters.js').Facets} facets */
  show(filters, facets) {
    this.#filters = filters;
    this.#facets = facets;
    if (!this.root.open) return;
    for (const name of this.#groups.keys()) this.#showGroup(name);
    for (const [label, name] of /** @type {const} */ ([[this.#from, 'from'], [this.#to, 'to']])) {
      const input = label.querySelector('input');
      if (input && input !== document.activeElement) input.value = filters[name];
    }
    this.#clear.hidden = JSON.stringify(filters) === JSON.stringify(noFilters());
  }

  /** @param {FacetName} name */
  #showGroup(name) {
    const group = this.#groups.get(name);
    if (!group || !this.#facets) return;
    const chosen = this.#filters[name];
    const counts = this.#facets.counts[name];
    /** @type {[string, number][]} */
    const choices = this.#choices(name, chosen, counts);
    const numbers = new Map(choices);
    group.querySelector('.empty-line')?.remove();
    fillByKey(group, [...numbers.keys()], (value) => this.#choice(name, value), (node, value) => {
      const number = numbers.get(value) ?? 0;
      const input = node.querySelector('input');
      if (input) input.checked = chosen.includes(value);
      node.classList.toggle('is-empty', !number && !chosen.includes(value));
      const amount = node.querySelector('.amount');
      if (amount) amount.textContent = count(number);
    });
    if (!choices.length) fill(group, element('p', { class: 'empty-line' }, name === 'tags' && this.#tagSearch.value ? 'No matching tag.' : 'None found yet.'));
  }

  /** @param {FacetName} name @param {string[]} chosen @param {Map<string, number>} counts @returns {[string, number][]} */
  #choices(name, chosen, counts) {
    /** @param {string} value @returns {[string, number]} */
    const counted = (value) => [value, counts.get(value) ?? 0];
    if (name === 'orientations') return Object.keys(ORIENTATIONS).map(counted);
    if (name === 'sizes') return Object.keys(SIZES).map(counted);
    if (name === 'colors') return Object.keys(COLORS).map(counted);
    const ranked = this.#facets?.ranked(name) ?? [];
    const wanted = name === 'tags' ? this.#tagSearch.value.trim().toLowerCase() : '';
    const found = ranked.filter(([value]) => value.includes(wanted) && !chosen.includes(value));
    return [...chosen.map(counted), ...found.slice(0, name === 'tags' ? MOST_TAGS : 60)];
  }

  /** @param {FacetName} name @param {string} value */
  #choice(name, value) {
    const label = this.#label(name, value);
    const input = element('input', { type: 'checkbox', value, onchange: () => this.#toggle(name, value) });
    const amount = element('span', { class: 'amount' });
    if (name === 'colors') {
      const swatch = element('span', { class: 'color-swatch' });
      swatch.style.backgroundColor = COLORS[/** @type {keyof typeof COLORS} */ (value)];
      amount.classList.add('visually-hidden');
      return element('label', { class: 'color-check', title: label }, input, swatch, element('span', { class: 'visually-hidden' }, label), amount);
    }
    const text = element('span', { class: 'choice-text' }, isolated(label, 60));
    if (name === 'tags') return element('label', { class: 'chip-check' }, input, element('span', {}, text, ' ', amount));
    return element('label', { class: 'check' }, input, text, amount);
  }

  /** @param {FacetName} name @param {string} value */
  #label(name, value) {
    if (name === 'orientations') return ORIENTATIONS[/** @type {keyof typeof ORIENTATIONS} */ (value)];
    if (name === 'sizes') return SIZES[/** @type {keyof typeof SIZES} */ (value)];
    if (name === 'licenses') return licenseName(value);
    if (name === 'sources') return this.options.sourceName(value);
    return name === 'tags' ? value : words(value);
  }

  /** @param {FacetName} name @param {string} value */
  #toggle(name, value) {
    const list = this.#filters[name];
    this.options.onchange({ ...this.#filters, [name]: list.includes(value) ? list.filter((other) => other !== value) : [...list, value] });
  }

  /** @param {string} label @param {'from' | 'to'} name */
  #dateField(label, name) {
    const input = element('input', {
      type: 'text', pattern: '-?\\d{1,4}(-\\d{1,2}){0,2}', maxlength: 11, autocomplete: 'off', spellcheck: 'false', placeholder: 'Year',
      onchange: () => this.options.onchange({ ...this.#filters, [name]: input.validity.valid ? input.value : '' }),
    });
    return element('label', { class: 'field' }, element('span', {}, label), input);
  }
}

/**
 * Opens and closes the filters: beside the grid where there is room, else over it.
 * @param {import('./gallery.js').Gallery} gallery @param {boolean} [isOpen]
 */
export function toggleFilters(gallery, isOpen) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('filters'));
  gallery.panel ??= new FilterPanel(dialog, {
    onchange: (filters) => gallery.go({ filters }),
    onclose: () => toggleFilters(gallery, false),
    sourceName: (id) => gallery.sourceName(id),
  });
  const wanted = isOpen ?? !dialog.open;
  const focused = document.activeElement;
  if (dialog.open) dialog.close();
  if (wanted && matchMedia(WIDE).matches) {
    dialog.show();
    // It stands beside the grid, and asks for no attention.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  } else if (wanted) dialog.showModal();
  byId('filter-button').setAttribute('aria-expanded', String(wanted));
  document.body.classList.toggle('has-filters', wanted);
  gallery.showFilters();
  if (!wanted) byId('filter-button').focus({ preventScroll: true });
}

/** @param {string} family */
function licenseName(family) {
  if (family === 'unknown') return 'Not stated';
  if (family === 'cc0') return 'CC0';
  if (family === 'pdm' || family === 'public-domain') return 'Public domain';
  if (family.startsWith('cc-')) return `CC ${family.slice(3).toUpperCase()}`;
  return family.charAt(0).toUpperCase() + family.slice(1).replace(/-/g, ' ');
}
