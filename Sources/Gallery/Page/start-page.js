// @ts-check
// What people see before they search: where to start.

import { noFilters, noQuery, writeAddress } from './address.js';
import { button } from './button.js';
import { element, fill, icon } from './elements.js';
import { forget, forgetAll } from './saved-searches.js';
import { stored } from './stored.js';
import { counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Provider} Provider */

const SUGGESTIONS = ['lighthouse', 'botanical illustration', 'market at night', 'old maps', 'brutalist architecture', 'fog'];

/** @param {HTMLElement} root @param {Provider[]} providers
 * @param {{ follow: (event: MouseEvent) => void, open: (collection: string) => void }} options
 */
export function showStartPage(root, providers, { follow, open }) {
  const recent = stored('recent');
  const again = () => showStartPage(root, providers, { follow, open });
  const feeds = providers.filter((provider) => provider.operations.some(({ kind, parameters }) => kind === 'feed' && parameters) && isReady(provider));
  fill(
    root,
    element(
      'div',
      { class: 'hero' },
      element('h1', {}, 'Find images'),
      element('p', {}, `One search across ${counted(providers.length, 'source')}: museums, libraries, archives and photographers.`),
      element('ul', { class: 'chips', role: 'list', 'aria-label': 'Suggestions' }, SUGGESTIONS.map((text) => element('li', {}, element('a', { class: 'chip', href: searchLink(text), onclick: follow }, text)))),
    ),
    searches('Saved searches', 'star', stored('saved'), follow, (address) => {
      forget('saved', address);
      again();
    }),
    searches('Recent searches', 'clock', recent, follow, (address) => {
      forget('recent', address);
      again();
    }, recent.length > 1 ? button({ label: 'Clear all', class: 'is-quiet', onclick: () => {
      forgetAll('recent');
      again();
    } }) : null),
    feeds.length ? feedList(feeds, follow) : null,
    collectionForm(providers, open),
  );
}

/** @param {Provider} provider */
const isReady = (provider) => (provider.key !== 'required' || provider.hasKey) && !provider.needsServer;

/** @param {string} text */
const searchLink = (text) => writeAddress({ query: { ...noQuery(), text }, filters: noFilters(), image: '' });

/**
 * @param {string} title @param {string} iconName @param {import('./stored.js').StoredSearch[]} list
 * @param {(event: MouseEvent) => void} follow @param {(address: string) => void} remove @param {HTMLElement | null} [action]
 */
function searches(title, iconName, list, follow, remove, action) {
  if (!list.length) return null;
  return element(
    'section',
    { class: 'start-section', 'aria-label': title },
    element('header', {}, element('h2', {}, title), action),
    element('ul', { class: 'search-list', role: 'list' }, list.map(({ address, title: text }) =>
      element('li', {},
        element('a', { href: address, onclick: follow }, icon(iconName), isolated(text, 80)),
        button({ icon: 'close', label: `Remove ${oneLine(text, 60)}`, isIconOnly: true, class: 'is-small', onclick: () => remove(address) })))),
  );
}

/** @param {Provider[]} feeds @param {(event: MouseEvent) => void} follow */
function feedList(feeds, follow) {
  return element(
    'section',
    { class: 'start-section', 'aria-label': 'Feeds' },
    element('header', {}, element('h2', {}, 'Browse a source'), element('p', {}, 'Its newest or featured images, without a search.')),
    element('ul', { class: 'feed-list', role: 'list' }, feeds.map((provider) => {
      const href = writeAddress({ query: { ...noQuery(), isFeed: true, providers: [provider.id] }, filters: noFilters(), image: '' });
      return element('li', {}, element('a', { class: 'feed', href, onclick: follow },
        element('span', { class: 'feed-name' }, isolated(provider.name, 60)),
        element('span', { class: 'feed-summary', dir: 'auto' }, oneLine(provider.summary, 110))));
    })),
  );
}

/** @param {Provider[]} providers @param {(collection: string) => void} open */
function collectionForm(providers, open) {
  const known = providers.filter((provider) => provider.operations.some(({ kind }) => kind === 'collection'));
  if (!known.length) return null;
  return element(
    'section',
    { class: 'start-section', 'aria-label': 'Collections' },
    element('header', {}, element('h2', {}, 'Open a collection'), element('p', {}, 'An album, a gallery, or all images of one author.')),
    element('form', {
      class: 'collection-form',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const values = new FormData(/** @type {HTMLFormElement} */ (event.target));
        open(`${values.get('provider')}:${String(values.get('id')).trim()}`);
      },
    },
      element('select', { name: 'provider', 'aria-label': 'Source of the collection' }, known.map(({ id, name }) => element('option', { value: id }, oneLine(name, 60)))),
      element('input', { name: 'id', type: 'text', required: true, 'aria-label': 'Name or id of the collection', placeholder: 'Name or ID at the source', autocomplete: 'off', spellcheck: 'false' }),
      element('button', { class: 'button', type: 'submit' }, 'Open')),
  );
}
