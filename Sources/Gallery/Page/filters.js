// @ts-check
// Which of what was found is shown, and what there is to choose from.

import { colorName, colorsOf } from './colors.js';
import { longestEdge } from './image-size.js';
import { oneLine } from './text.js';

/** @typedef {import('./types.js').Entry} Entry */
/** @typedef {import('./types.js').Filters} Filters */
/** @typedef {'tags' | 'orientations' | 'sizes' | 'colors' | 'licenses' | 'sources'} FacetName */

/**
 * What an entry counts for.
 * @param {Entry} entry @returns {Record<FacetName, string[]>}
 */
function facetsOf({ item, ratio }) {
  return {
    tags: [...new Set((item.tags ?? []).slice(0, 100).map(normalTag))].filter(Boolean),
    orientations: [ratio > 1.1 ? 'landscape' : ratio < 0.9 ? 'portrait' : 'square'],
    sizes: [sizeName(longestEdge(item))],
    colors: [...new Set(colorsOf(item).map((color) => colorName(`${color}`) ?? ''))].filter(Boolean),
    licenses: [licenseFamily(item)],
    sources: [item.provider],
  };
}

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
 * @param {import('./types.js').Item} item
 */
export function licenseFamily(item) {
  return oneLine(item.license?.id, 40).toLowerCase().replace(/-\d+(\.\d+)*(-[a-z]{2,3})?$/, '') || 'unknown';
}

/**
 * Whether an entry meets all conditions: all of the tags, one of each other list.
 * @param {Filters} filters @param {Entry} entry
 */
export function admits(filters, entry) {
  const facets = facetsOf(entry);
  return filters.tags.every((tag) => facets.tags.includes(tag))
    && meets(filters.orientations, facets.orientations) && meets(filters.sizes, facets.sizes)
    && meets(filters.colors, facets.colors) && meets(filters.licenses, facets.licenses)
    && meets(filters.sources, facets.sources) && isWithin(filters, entry.item.created);
}

/** @param {string[]} wanted @param {string[]} present */
const meets = (wanted, present) => wanted.length === 0 || wanted.some((value) => present.includes(value));

/** @param {Filters} filters @param {string | undefined} created */
function isWithin({ from, to }, created) {
  if (!from && !to) return true;
  const date = dateParts(created ?? '');
  if (!date) return false;
  return compareDates(date, dateParts(from)) >= 0 && compareDates(date, dateParts(to)) <= 0;
}

/**
 * Year, month and day as far as they are said: `2021`, `2021-05`, `2021-05-04`, `-0450`.
 * @param {string} text @returns {number[] | null}
 */
export function dateParts(text) {
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

/** What was found, counted by what can be filtered. */
export class Facets {
  /** @type {Record<FacetName, Map<string, number>>} */
  counts = {
    tags: new Map(), orientations: new Map(), sizes: new Map(), colors: new Map(), licenses: new Map(), sources: new Map(),
  };

  /**
   * The tags that are shown as they were first shown.
   * @type {string[]}
   */
  tagOrder = [];

  /** @param {Entry[]} entries @param {number} [from] */
  add(entries, from = 0) {
    for (const entry of entries.slice(from)) {
      const facets = facetsOf(entry);
      for (const name of /** @type {FacetName[]} */ (Object.keys(facets))) {
        const counts = this.counts[name];
        for (const value of facets[name]) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
  }

  /**
   * The values with their counts, the most frequent first.
   * @param {FacetName} name @returns {[string, number][]}
   */
  ranked(name) {
    return [...this.counts[name]].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }
}
