// @ts-check
// Remote text as people may see it, and values in words.

import { element } from './elements.js';

// Characters that reorder what stands around them, and those that are not seen.
export const CONTROLS = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e'
    + '\\u2060-\\u2069\\ufeff]', 'g');

/**
 * A remote text on one line of at most `limit` characters.
 * @param {unknown} text @param {number} [limit]
 */
export function oneLine(text, limit = 200) {
  const start = String(text ?? '').slice(0, limit * 8);
  const clean = start.replace(/[\s\u2028\u2029]+/g, ' ').replace(CONTROLS, '').trim();
  return clip(clean, limit);
}

/** @param {string} text @param {number} limit */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  return `${Array.from(text.slice(0, limit)).slice(0, -1).join('')}…`;
}

/**
 * Remote text that its own direction keeps to itself.
 * @param {unknown} text @param {number} [limit]
 */
export const isolated = (text, limit) => element('bdi', {}, oneLine(text, limit));

/**
 * An item's name for people.
 * @param {import('./types.js').Item} item
 */
export function itemTitle(item) {
  const tags = (item.tags ?? []).slice(0, 3).join(', ');
  return oneLine(item.title) || oneLine(tags) || `Untitled, ${oneLine(item.id, 40)}`;
}

const grouped = new Intl.NumberFormat('en');

/**
 * `12,345`
 * @param {number} value
 */
export const count = (value) => grouped.format(value);

/**
 * `1 image`, `12 images`
 * @param {number} value @param {string} noun @param {string} [plural]
 */
export const counted = (value, noun, plural = `${noun}s`) => `${count(value)} ${value === 1 ? noun : plural}`;
