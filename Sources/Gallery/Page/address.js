// @ts-check
// The page's state and its address.

/** @typedef {import('./types.js').PageState} PageState */

/** @returns {import('./types.js').Filters} */
export const noFilters = () => (
  { tags: [], orientations: [], sizes: [], colors: [], licenses: [], sources: [], from: '', to: '' });

/** @returns {import('./types.js').Query} */
export const noQuery = () => ({ text: '', isFeed: false, collection: '', providers: [], near: '', parameters: {} });

/** The names in the address of the filters that are lists. */
const LISTS = /** @type {const} */ (
  { tags: 'tag', orientations: 'orientation', sizes: 'size', colors: 'color', licenses: 'license', sources: 'source' });

/** @param {string} search @returns {PageState} */
export function readAddress(search) {
  const values = new URLSearchParams(search);
  const query = noQuery();
  query.text = values.get('q') ?? '';
  query.isFeed = values.has('feed');
  query.collection = values.get('collection') ?? '';
  query.providers = values.getAll('provider');
  query.near = values.get('near') ?? '';
  for (const [name, value] of values) {
    if (name.startsWith('param.') && value) query.parameters[name.slice('param.'.length)] = value;
  }
  const filters = noFilters();
  for (const [name, key] of Object.entries(LISTS)) {
    filters[/** @type {keyof typeof LISTS} */ (name)] = [...new Set(values.getAll(key))];
  }
  filters.from = values.get('from') ?? '';
  filters.to = values.get('to') ?? '';
  return { query, filters, image: values.get('image') ?? '' };
}

/**
 * What the server is asked for, without a cursor.
 * @param {import('./types.js').Query} query
 */
export function listingQuery(query) {
  const values = new URLSearchParams();
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
  for (const [name, key] of Object.entries(LISTS)) {
    for (const value of filters[/** @type {keyof typeof LISTS} */ (name)]) values.append(key, value);
  }
  if (filters.from) values.set('from', filters.from);
  if (filters.to) values.set('to', filters.to);
  if (image) values.set('image', image);
  const text = String(values);
  return text ? `/?${text}` : '/';
}

/**
 * Whether anything is listed.
 * @param {import('./types.js').Query} query
 */
export const isListing = (query) => Boolean(query.text || query.isFeed || query.collection || query.near);

/**
 * How many conditions are set.
 * @param {import('./types.js').Filters} filters
 */
export function filterCount(filters) {
  const lists = Object.keys(LISTS).reduce(
    (sum, name) => sum + filters[/** @type {keyof typeof LISTS} */ (name)].length, 0);
  return lists + (filters.from || filters.to ? 1 : 0);
}
