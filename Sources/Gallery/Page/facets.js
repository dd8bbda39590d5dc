// @ts-check
// What images can be filtered by: one entry for each filter, of which the address, the panel and the counts are made.

import { COLORS, colorName, colorsOf } from './colors.js';
import { longestEdge } from './image-size.js';
import { oneLine } from './text.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Item} Item */
/** @typedef {import('./types.js').Filters} Filters */

/**
 * @typedef {object} Facet
 * @property {string} name Its name among the filters.
 * @property {string[]} keys Its names in the address: one for a list, two for a range.
 * @property {string} title
 * @property {'tags' | 'checks' | 'colors' | 'dates'} look
 * @property {(entry: Entry) => string[]} values What an entry counts for.
 * @property {Record<string, string>} [choices] All there is to choose, by value; else what was found.
 * @property {(value: string) => string} [label]
 * @property {boolean} [isEach] An entry has to have each of the chosen values, not one of them.
 * @property {(values: string[]) => boolean} [isOffered] Whether there is anything to choose, from the values found.
 */

/** @type {Facet[]} */
export const FACETS = [
  {
    name: 'tags', keys: ['tag'], title: 'Tags', look: 'tags', isEach: true,
    values: ({ item }) => [...new Set((item.tags ?? []).slice(0, 100).map(normalTag))].filter(Boolean),
  },
  {
    name: 'orientations', keys: ['orientation'], title: 'Orientation', look: 'checks',
    choices: { landscape: 'Landscape', portrait: 'Portrait', square: 'Square' },
    values: ({ ratio, isGuess }) => (isGuess ? [] : [ratio > 1.1 ? 'landscape' : ratio < 0.9 ? 'portrait' : 'square']),
  },
  {
    name: 'colors', keys: ['color'], title: 'Colour', look: 'colors',
    choices: Object.fromEntries(
      Object.keys(COLORS).map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)])),
    values: ({ item }) => [...new Set(colorsOf(item).map((color) => colorName(`${color}`) ?? ''))].filter(Boolean),
    // Sources may tell no colours, and the pictures have not been seen yet.
    isOffered: (values) => values.length > 0,
  },
  {
    name: 'sizes', keys: ['size'], title: 'Size', look: 'checks',
    choices: {
      huge: '4,000 pixels and more', large: '2,000 to 3,999 pixels', medium: '800 to 1,999 pixels',
      small: 'Under 800 pixels', unknown: 'Unknown',
    },
    values: ({ item }) => [sizeName(longestEdge(item))],
  },
  {
    name: 'licenses', keys: ['license'], title: 'Licence', look: 'checks', label: licenseName,
    values: ({ item }) => [licenseFamily(item)],
  },
  { name: 'dates', keys: ['from', 'to'], title: 'Date', look: 'dates', values: ({ item }) => [item.created ?? ''] },
  {
    name: 'kinds', keys: ['kind'], title: 'Kind', look: 'checks',
    choices: { image: 'Images', animation: 'Animations', video: 'Films', collection: 'Collections' },
    values: ({ item }) => [item.type ?? 'image'],
    isOffered: (values) => values.some((value) => value !== 'image'),
  },
  {
    name: 'origins', keys: ['ai'], title: 'AI', look: 'checks',
    choices: { no: 'Not marked as AI-generated', yes: 'Marked as AI-generated' },
    values: ({ item }) => [item.aiGenerated ? 'yes' : 'no'],
    isOffered: (values) => values.includes('yes'),
  },
  { name: 'sources', keys: ['source'], title: 'Source', look: 'checks', values: ({ item }) => [item.provider] },
];

/** @returns {Filters} */
export const noFilters = () => Object.fromEntries(FACETS.map(({ name }) => [name, []]));

/**
 * The filters of an address.
 * @param {URLSearchParams} address @returns {Filters}
 */
export function readFilters(address) {
  return Object.fromEntries(FACETS.map(({ name, keys, look }) => {
    if (look !== 'dates') return [name, [...new Set(address.getAll(keys[0]))]];
    const range = keys.map((key) => address.get(key) ?? '');
    return [name, range.some(Boolean) ? range : []];
  }));
}

/** @param {Filters} filters @param {URLSearchParams} address */
export function writeFilters(filters, address) {
  for (const { name, keys, look } of FACETS) {
    filters[name].forEach((value, place) => {
      if (value) address.append(keys[look === 'dates' ? place : 0], value);
    });
  }
}

/**
 * How many conditions are set.
 * @param {Filters} filters
 */
export function filterCount(filters) {
  const counts = FACETS.map(({ name, look }) => Math.min(look === 'dates' ? 1 : Infinity, filters[name].length));
  return counts.reduce((sum, number) => sum + number, 0);
}

/**
 * What an entry counts for, by facet; looked at once.
 * @param {Entry} entry @returns {Record<string, string[]>}
 */
export function facetsOf(entry) {
  return (entry.facets ??= Object.fromEntries(FACETS.map(({ name, values }) => [name, values(entry)])));
}

/**
 * Whether an entry meets all conditions.
 * @param {Filters} filters @param {Entry} entry
 */
export function admits(filters, entry) {
  return FACETS.every((facet) => !filters[facet.name].length || meets(facet, filters[facet.name], entry));
}

/** @param {Facet} facet @param {string[]} wanted @param {Entry} entry */
function meets({ name, look, isEach }, wanted, entry) {
  const present = facetsOf(entry)[name];
  if (look === 'dates') return isWithin(wanted, present[0]);
  return isEach ? wanted.every((value) => present.includes(value)) : wanted.some((value) => present.includes(value));
}

/** What was found, counted by what can be filtered: how many a choice would show together with all other filters. */
export class FacetCounts {
  /** @type {Record<string, Map<string, number>>} */
  counts = emptyCounts();
  /**
   * Every value that was found, whatever the filters.
   * @type {Record<string, Set<string>>}
   */
  found = Object.fromEntries(FACETS.map(({ name }) => [name, new Set()]));
  /**
   * The tags that are shown as they were first shown.
   * @type {string[]}
   */
  tagOrder = [];
  #filters = noFilters();
  /**
   * The facets that are filtered by.
   * @type {Facet[]}
   */
  #active = [];

  /**
   * Begins again with other filters.
   * @param {Filters} filters
   */
  reset(filters) {
    this.counts = emptyCounts();
    this.#filters = filters;
    this.#active = FACETS.filter(({ name }) => filters[name].length);
  }

  /**
   * Counts an entry once more, after a reset.
   * @param {Entry} entry
   */
  recount(entry) {
    this.#count(entry, 1);
  }

  /** @param {Entry} entry */
  add(entry) {
    this.#count(entry, 1);
    for (const { name } of FACETS) for (const value of facetsOf(entry)[name]) this.found[name].add(value);
  }

  /**
   * Counts an entry anew, of which more is known now.
   * @param {Entry} entry @param {() => void} learn
   */
  replace(entry, learn) {
    this.#count(entry, -1);
    learn();
    entry.facets = undefined;
    this.add(entry);
  }

  /** @param {Entry} entry @param {1 | -1} amount */
  #count(entry, amount) {
    const values = facetsOf(entry);
    /** @type {Facet | null} */
    let failing = null;
    for (const facet of this.#active) {
      if (meets(facet, this.#filters[facet.name], entry)) continue;
      // What two filters leave out, no other choice of one of them shows.
      if (failing || facet.isEach) return;
      failing = facet;
    }
    for (const { name } of failing ? [failing] : FACETS) {
      const counts = this.counts[name];
      for (const value of values[name]) counts.set(value, (counts.get(value) ?? 0) + amount);
    }
  }

  /**
   * The values with their counts, the most frequent first.
   * @param {string} name @returns {[string, number][]}
   */
  ranked(name) {
    return [...this.counts[name]].filter(([, number]) => number > 0)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }
}

/** @returns {Record<string, Map<string, number>>} */
const emptyCounts = () => Object.fromEntries(FACETS.map(({ name }) => [name, new Map()]));

/**
 * A tag as it is compared and shown.
 * @param {string} tag
 */
export const normalTag = (tag) => oneLine(tag, 60).toLowerCase();

/** @param {number} edge */
function sizeName(edge) {
  if (!edge) return 'unknown';
  if (edge >= 4000) return 'huge';
  return edge >= 2000 ? 'large' : edge >= 800 ? 'medium' : 'small';
}

/**
 * A licence without its version: `cc-by-4.0` → `cc-by`.
 * @param {Item} item
 */
function licenseFamily(item) {
  const id = oneLine(item.license?.id, 40).toLowerCase();
  return id.replace(/-\d+(\.\d+)*(-[a-z]{2,3})?$/, '') || 'unknown';
}

/** @param {string} family */
function licenseName(family) {
  if (family === 'unknown') return 'Not stated';
  if (family === 'cc0') return 'CC0';
  if (family === 'pdm' || family === 'public-domain') return 'Public domain';
  if (family.startsWith('cc-')) return `CC ${family.slice(3).toUpperCase()}`;
  return family.charAt(0).toUpperCase() + family.slice(1).replace(/-/g, ' ');
}

/** @param {string[]} range @param {string} created */
function isWithin([from, to], created) {
  const date = dateParts(created);
  if (!date) return false;
  return compareDates(date, dateParts(from)) >= 0 && compareDates(date, dateParts(to)) <= 0;
}

/**
 * Year, month and day as far as they are said: `2021`, `2021-05`, `2021-05-04`, `-0450`.
 * @param {string} text @returns {number[] | null}
 */
function dateParts(text) {
  const match = /^\s*(-?\d{1,6})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?!\d)/.exec(text);
  return match && match.slice(1).filter((part) => part !== undefined).map(Number);
}

/**
 * Below, above or, as far as both dates are known, at the other one.
 * @param {number[]} date @param {number[] | null} other
 */
function compareDates(date, other) {
  const place = (other ?? []).findIndex((part, index) => date[index] !== undefined && date[index] !== part);
  return place < 0 ? 0 : date[place] - (other ?? [])[place];
}

/**
 * What is wrong with a range of dates; empty where nothing is.
 * @param {string} from @param {string} to
 */
export function dateProblem(from, to) {
  for (const text of [from, to]) {
    if (text && !/^-?\d{1,6}(-\d{1,2}){0,2}$/.test(text)) {
      return `“${text}” is not a date: write 1890, 2021-05 or 2021-05-04.`;
    }
    const [, month = 1, day = 1] = dateParts(text) ?? [];
    if (month < 1 || month > 12) return `“${text}” has no such month.`;
    if (day < 1 || day > 31) return `“${text}” has no such day.`;
  }
  const [first, last] = [dateParts(from), dateParts(to)];
  return first && last && compareDates(first, last) > 0 ? `${from} is after ${to}.` : '';
}
