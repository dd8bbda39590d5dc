// @ts-check
// Longer texts, links to other sites, and values in words.

import { element } from './elements.js';
import { clip, CONTROLS, oneLine } from './text.js';

/**
 * A remote text with its line breaks.
 * @param {unknown} text @param {number} [limit]
 */
export function paragraph(text, limit = 4000) {
  const start = String(text ?? '').slice(0, limit * 2);
  const clean = start.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(CONTROLS, '').replace(/\n{3,}/g, '\n\n').trim();
  return clip(clean, limit);
}

/**
 * The address where it is one of the web, else null: `javascript:` and the like lead nowhere.
 * @param {unknown} text
 */
export function webAddress(text) {
  if (typeof text !== 'string' || text.length > 4096) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * A link to another site; only its text where the address is none.
 * @param {unknown} address @param {...(Node | string)} children
 */
export function outwardLink(address, ...children) {
  const href = webAddress(address);
  if (!href) return element('span', {}, children);
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, children);
}

/**
 * `1.2 MB`
 * @param {number} value
 */
export function bytes(value) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let step = 0;
  while (value >= 1000 && step < units.length - 1) {
    value /= 1000;
    step += 1;
  }
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/**
 * An ISO 8601 date as far as it is known: `4 May 2021`.
 * @param {string} text
 */
export function date(text) {
  const match = /^(-?\d{4,6})(?:-(\d\d))?(?:-(\d\d))?/.exec(text);
  if (!match) return oneLine(text, 40);
  const [, year, month, day] = match;
  if (!month) return year;
  const shown = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  if (Number.isNaN(shown.getTime())) return oneLine(text, 40);
  return shown.toLocaleDateString(
    'en-GB', { year: 'numeric', month: 'long', day: day ? 'numeric' : undefined, timeZone: 'UTC' });
}

/**
 * A name from code as words: `min_width` → `Min width`.
 * @param {string} name
 */
export function words(name) {
  const spaced = oneLine(name, 60).replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
