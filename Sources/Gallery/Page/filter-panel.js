// @ts-check
// The controls that narrow what was found, with their counts.

import { button } from './button.js';
import { COLORS } from './colors.js';
import { byId, element, fill, fillByKey, WIDE } from './elements.js';
import { dateProblem, FACETS, filterCount, noFilters } from './facets.js';
import { count, isolated } from './text.js';

/** @typedef {import('./facets.js').Facet} Facet */
/** @typedef {import('./gallery.js').Gallery} Gallery */

/** How many choices are listed before people look for one by name. */
const MOST = { tags: 30, checks: 60, colors: 60, dates: 0 };

/** @type {FilterPanel | null} */
let panel = null;

/**
 * Makes the panel, which opens and closes with the state: beside the grid where there is room, else over it.
 * @param {Gallery} gallery
 */
export function showFilters(gallery) {
  panel ??= new FilterPanel(/** @type {HTMLDialogElement} */ (byId('filters')), gallery);
}

class FilterPanel {
  /**
   * The groups by their facet.
   * @type {Map<Facet, { section: HTMLElement, list: HTMLElement }>}
   */
  #groups = new Map();
  #tagSearch = element('input', {
    type: 'search', placeholder: 'Find a tag', 'aria-label': 'Find a tag', oninput: () => this.#show(),
  });
  #clear = button({ label: 'Clear', class: 'is-quiet', onclick: () => this.gallery.go({ filters: noFilters() }) });

  /** @param {HTMLDialogElement} root @param {Gallery} gallery */
  constructor(root, gallery) {
    this.root = root;
    this.gallery = gallery;
    const close = () => gallery.toggleFilters(false);
    fill(
      root,
      element('header', { class: 'sheet-header' }, element('h2', { id: 'filter-title' }, 'Filters'), this.#clear,
        button({ icon: 'close', label: 'Close filters', isIconOnly: true, onclick: close })),
      element('div', { class: 'sheet-body', tabindex: -1 }, FACETS.map((facet) => this.#section(facet))),
    );
    root.addEventListener('cancel', (event) => {
      event.preventDefault();
      close();
    });
    matchMedia(WIDE).addEventListener('change', () => this.#open(gallery.state.areFiltersOpen));
    const { store } = gallery;
    store.watch(({ facets }) => facets, () => this.#show());
    store.watch(({ address }) => address.filters, () => this.#show());
    store.watch(({ providers }) => providers, () => this.#show());
    store.watch(({ areFiltersOpen }) => areFiltersOpen, (areOpen) => this.#open(areOpen));
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    const { root } = this;
    const wasOpen = root.open;
    const focused = document.activeElement;
    if (root.open) root.close();
    if (isOpen && matchMedia(WIDE).matches) {
      root.show();
      // It stands beside the grid, and asks for no attention.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    } else if (isOpen) root.showModal();
    byId('filter-button').setAttribute('aria-expanded', String(isOpen));
    document.body.classList.toggle('has-filters', isOpen);
    this.#show();
    if (wasOpen && !isOpen) byId('filter-button').focus({ preventScroll: true });
  }

  /** @param {Facet} facet */
  #section(facet) {
    const isChips = facet.look === 'tags' || facet.look === 'colors';
    const list = element('div', { class: isChips ? `choices is-${facet.look}` : 'check-list' });
    if (facet.look === 'dates') list.append(this.#dateFields(facet));
    const section = element('fieldset', { class: 'filter-group' }, element('legend', {}, facet.title),
      facet.look === 'tags' ? this.#tagSearch : null, list);
    this.#groups.set(facet, { section, list });
    return section;
  }

  #show() {
    if (!this.root.open) return;
    const { filters } = this.gallery.state.address;
    for (const [facet, group] of this.#groups) {
      const chosen = filters[facet.name];
      const values = [...this.gallery.results.facets.found[facet.name]];
      group.section.hidden = !chosen.length && facet.isOffered !== undefined && !facet.isOffered(values);
      if (facet.look !== 'dates') this.#showChoices(facet, group.list, chosen);
    }
    const fields = this.root.querySelectorAll('.date-fields input');
    fields.forEach((field, place) => {
      if (field instanceof HTMLInputElement && field !== document.activeElement && !field.matches('[aria-invalid]')) {
        field.value = filters.dates[place] ?? '';
      }
    });
    this.#clear.hidden = filterCount(filters) === 0;
  }

  /** @param {Facet} facet @param {HTMLElement} list @param {string[]} chosen */
  #showChoices(facet, list, chosen) {
    const numbers = new Map(this.#choices(facet, chosen));
    list.querySelector('.empty-line')?.remove();
    fillByKey(list, [...numbers.keys()], (value) => this.#choice(facet, value), (node, value) => {
      const number = numbers.get(value) ?? 0;
      const input = node.querySelector('input');
      if (input) input.checked = chosen.includes(value);
      node.classList.toggle('is-empty', !number && !chosen.includes(value));
      const amount = node.querySelector('.amount');
      if (amount) amount.textContent = count(number);
      const text = node.querySelector('.choice-text bdi');
      if (text) text.textContent = this.#label(facet, value);
    });
    const isSought = facet.look === 'tags' && this.#tagSearch.value;
    // The tags may all stand above the grid.
    if (numbers.size || (!isSought && this.gallery.results.facets.found[facet.name].size)) return;
    fill(list, element('p', { class: 'empty-line' }, isSought ? 'No matching tag.' : 'None found yet.'));
  }

  /** @param {Facet} facet @param {string[]} chosen @returns {[string, number][]} */
  #choices(facet, chosen) {
    const { facets } = this.gallery.results;
    /** @param {string} value @returns {[string, number]} */
    const counted = (value) => [value, facets.counts[facet.name].get(value) ?? 0];
    if (facet.choices) return Object.keys(facet.choices).map(counted);
    const wanted = facet.look === 'tags' ? this.#tagSearch.value.trim().toLowerCase() : '';
    // What stands above the grid needs no second place, unless it is looked for.
    const above = facet.look === 'tags' && !wanted ? facets.tagOrder : [];
    const found = facets.ranked(facet.name)
      .filter(([value]) => value.includes(wanted) && !chosen.includes(value) && !above.includes(value))
      .slice(0, MOST[facet.look]);
    if (facet.look === 'tags') found.sort(([a], [b]) => (a < b ? -1 : 1));
    return [...chosen.map(counted), ...found];
  }

  /** @param {Facet} facet @param {string} value */
  #choice(facet, value) {
    const label = this.#label(facet, value);
    const input = element('input', { type: 'checkbox', value, onchange: () => this.#toggle(facet, value) });
    const amount = element('span', { class: 'amount' });
    if (facet.look === 'colors') {
      const swatch = element('span', { class: 'color-swatch' });
      swatch.style.backgroundColor = COLORS[/** @type {keyof typeof COLORS} */ (value)];
      amount.classList.add('visually-hidden');
      const name = element('span', { class: 'visually-hidden' }, label);
      return element('label', { class: 'color-check', title: label }, input, swatch, name, amount);
    }
    const text = element('span', { class: 'choice-text' }, isolated(label, 60));
    if (facet.look === 'tags') {
      return element('label', { class: 'chip-check' }, input, element('span', {}, text, ' ', amount));
    }
    return element('label', { class: 'check' }, input, text, amount);
  }

  /** @param {Facet} facet @param {string} value */
  #label({ name, choices, label }, value) {
    if (name === 'sources') return this.gallery.sourceName(value);
    return choices?.[value] ?? label?.(value) ?? value;
  }

  /** @param {Facet} facet @param {string} value */
  #toggle({ name }, value) {
    const { filters } = this.gallery.state.address;
    const list = filters[name];
    const values = list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
    this.gallery.go({ filters: { ...filters, [name]: values } });
  }

  /** @param {Facet} facet */
  #dateFields({ name }) {
    const problem = element('p', { class: 'form-error', id: 'date-problem', role: 'alert' });
    const inputs = ['From', 'To'].map((label) => element('input', {
      type: 'text', maxlength: 11, autocomplete: 'off', spellcheck: 'false', placeholder: 'Year', 'aria-label': label,
      'aria-describedby': 'date-problem date-help', onchange: () => changed(),
    }));
    const changed = () => {
      const [from, to] = inputs.map((input) => input.value.trim());
      problem.textContent = dateProblem(from, to);
      for (const input of inputs) {
        if (problem.textContent) input.setAttribute('aria-invalid', 'true');
        else input.removeAttribute('aria-invalid');
      }
      // What cannot be meant filters nothing.
      const range = problem.textContent || !(from || to) ? [] : [from, to];
      this.gallery.go({ filters: { ...this.gallery.state.address.filters, [name]: range } });
    };
    return element('div', { class: 'date-block' },
      element('div', { class: 'date-fields' }, inputs.map((input, place) =>
        element('label', { class: 'field' }, element('span', {}, place ? 'To' : 'From'), input))),
      problem, element('small', { id: 'date-help' }, 'A year, month or day: 1890, 2021-05, 2021-05-04'));
  }
}
