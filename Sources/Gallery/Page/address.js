// @ts-check
// What is shown, and its address.

import { noFilters, readFilters, writeFilters } from './facets.js';

/** @typedef {import('./types.js').PageState} PageState */

/** @returns {import('./types.js').Query} */
export const noQuery = () => ({
  text: '', isFeed: false, isLibrary: false, order: '', collection: '', providers: [], near: '', parameters: {},
});

/** @param {string} search @returns {PageState} */
export function readAddress(search) {
  const values = new URLSearchParams(search);
  const query = noQuery();
  query.text = values.get('q') ?? '';
  query.isFeed = values.has('feed');
  query.collection = values.get('collection') ?? '';
  query.isLibrary = values.has('library');
  query.order = values.get('order') ?? '';
  query.providers = values.getAll('provider');
  query.near = values.get('near') ?? '';
  for (const [name, value] of values) {
    if (name.startsWith('param.') && value) query.parameters[name.slice('param.'.length)] = value;
  }
  return { query, filters: readFilters(values), image: values.get('image') ?? '' };
}

/**
 * What the server is asked for, without a cursor.
 * @param {import('./types.js').Query} query
 */
export function listingQuery(query) {
  const values = new URLSearchParams();
  if (query.isLibrary) {
    values.set('library', 'true');
    if (query.text) values.set('q', query.text);
    if (query.order) values.set('order', query.order);
    return values;
  }
  if (query.collection) values.set('collection', query.collection);
  else if (query.isFeed) values.set('feed', 'true');
  else if (query.text || query.near) values.set('q', query.text);
  for (const id of query.providers) values.append('provider', id);
  if (query.near) values.set('near', query.near);
  for (const [name, value] of Object.entries(query.parameters)) values.set(`param.${name}`, value);
  return values;
}

/** @param {PageState} state @returns {string} The address, which begins with a slash. */
export function writeAddress({ query, filters, image }) {
  const values = listingQuery(query);
  writeFilters(filters, values);
  if (image) values.set('image', image);
  const text = String(values);
  return text ? `/?${text}` : '/';
}

/**
 * The address of a listing alone.
 * @param {Partial<import('./types.js').Query>} query
 */
export const listingAddress = (query) =>
  writeAddress({ query: { ...noQuery(), ...query }, filters: noFilters(), image: '' });

/**
 * Whether anything is listed.
 * @param {import('./types.js').Query} query
 */
export const isListing = (query) =>
  Boolean(query.text || query.isFeed || query.isLibrary || query.collection || query.near);
