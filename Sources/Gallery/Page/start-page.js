// @ts-check
// What people see before they search: pictures of the day, their searches, and sources to browse.

import { listingAddress, noQuery } from './address.js';
import { send } from './api.js';
import { button } from './button.js';
import { byId, element, fill, icon } from './elements.js';
import { noFilters } from './facets.js';
import { forgetSearch, keep } from './kept.js';
import { imageStrip, showMosaic } from './mosaic.js';
import { groupsOf, isReady, shownSources } from './source-groups.js';
import { counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Provider} Provider */
/** @typedef {import('./gallery.js').Gallery} Gallery */

const SUGGESTIONS = [
  'lighthouse', 'botanical illustration', 'market at night', 'old maps', 'brutalist architecture', 'fog',
];

let isShown = false;

/**
 * Builds the page once; its parts follow the state.
 * @param {Gallery} gallery
 */
export function showStartPage(gallery) {
  if (isShown) return;
  isShown = true;
  const { store } = gallery;
  const parts = Array.from({ length: 7 }, () => element('div', {}));
  const [suggestions, library, pictures, saved, recent, sources, collection] = parts;
  fill(byId('start'), parts);
  const chips = SUGGESTIONS.map((text) => element('li', {}, link(gallery, listingAddress({ text }), 'chip', text)));
  fill(suggestions, element('ul', { class: 'chips', role: 'list', 'aria-label': 'Suggestions' }, chips));
  showMosaic(gallery, pictures);
  showLibrary(gallery, library);
  store.watch(({ kept }) => kept.saved, (list) => fill(saved, searches(gallery, 'saved', list)));
  store.watch(({ kept }) => kept.recent, (list) => fill(recent, searches(gallery, 'recent', list)));
  const showSources = () => {
    const { providers, areProvidersKnown, kept } = store.state;
    if (!areProvidersKnown) return;
    const shown = shownSources(providers, kept);
    fill(sources, feedList(gallery, shown));
    fill(collection, collectionForm(gallery, shown));
  };
  store.watch(({ providers }) => providers, showSources);
  store.watch(({ kept }) => kept.settings.showsAdult, showSources);
}

/**
 * @param {Gallery} gallery @param {string} href @param {string} className @param {...(Node | string | null)} children
 */
function link(gallery, href, className, ...children) {
  const onclick = (/** @type {MouseEvent} */ event) => gallery.navigation.follow(event);
  return element('a', { class: className, href, onclick }, children);
}

/**
 * The latest of what was downloaded, where there is any.
 * @param {Gallery} gallery @param {HTMLElement} root
 */
async function showLibrary(gallery, root) {
  // A page without them is a page; that the server is gone is told of anyway.
  const part = await send('GET', '/library?limit=12').then((response) => response.json()).catch(() => null);
  if (!part?.images.length) return;
  const total = part.providers[0].total ?? part.images.length;
  const href = listingAddress({ isLibrary: true });
  fill(root, element('section', { class: 'start-section', 'aria-label': 'Your downloads' },
    element('header', {}, element('h2', {}, 'Your downloads'),
      link(gallery, href, 'button is-quiet', `All ${counted(total, 'image')}`)),
    imageStrip(gallery, part.images)));
}

/** @param {Gallery} gallery @param {'recent' | 'saved'} shelf @param {import('./types.js').StoredSearch[]} list */
function searches(gallery, shelf, list) {
  if (!list.length) return null;
  const { store } = gallery;
  const title = shelf === 'saved' ? 'Saved searches' : 'Recent searches';
  const clear = button({ label: 'Clear all', class: 'is-quiet', onclick: () => keep(store, shelf, []) });
  return element(
    'section',
    { class: 'start-section', 'aria-label': title },
    element('header', {}, element('h2', {}, title), shelf === 'recent' && list.length > 1 ? clear : null),
    element('ul', { class: 'search-list', role: 'list' }, list.map(({ address, title: text, seen }) =>
      element('li', {},
        link(gallery, address, '', icon(shelf === 'saved' ? 'star' : 'clock'), isolated(text, 80),
          seen ? element('span', { class: 'search-mark' }, 'marks new') : null),
        button({
          icon: 'close', label: `Remove ${oneLine(text, 60)}`, isIconOnly: true, class: 'is-small',
          onclick: () => forgetSearch(store, shelf, address),
        })))),
  );
}

/** @param {Gallery} gallery @param {Provider[]} providers */
function feedList(gallery, providers) {
  const feeds = providers.filter(isReady).filter(({ operations }) => operations.some(({ kind }) => kind === 'feed'));
  if (!feeds.length) return null;
  return element(
    'section',
    { class: 'start-section', 'aria-label': 'Feeds' },
    element('header', {}, element('h2', {}, 'Browse a source'),
      element('p', {}, 'Its newest or featured images, without a search.')),
    groupsOf(feeds).map(({ title, providers: group }) => element('div', { class: 'feed-group' },
      element('h3', {}, title),
      element('ul', { class: 'feed-list', role: 'list' }, group.map((provider) => element('li', {},
        link(gallery, listingAddress({ isFeed: true, providers: [provider.id] }), 'feed',
          element('span', { class: 'feed-name' }, isolated(provider.name, 60),
            provider.key === 'none' ? null : element('span', { class: 'feed-key', title: 'Uses a key' }, icon('key'))),
          element('span', { class: 'feed-summary', dir: 'auto' }, oneLine(provider.summary, 110)))))))),
  );
}

/** @param {Gallery} gallery @param {Provider[]} providers */
function collectionForm(gallery, providers) {
  const known = providers.filter(({ operations }) => operations.some(({ kind }) => kind === 'collection'))
    .sort((a, b) => a.name.localeCompare(b.name));
  if (!known.length) return null;
  const open = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const values = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const collection = `${values.get('provider')}:${String(values.get('id')).trim()}`;
    gallery.go({ query: { ...noQuery(), collection }, filters: noFilters() });
  };
  return element(
    'section',
    { class: 'start-section', 'aria-label': 'Collections' },
    element('header', {}, element('h2', {}, 'Open a collection'),
      element('p', {}, 'An album, a gallery, or all images of one author.')),
    element('form', { class: 'collection-form', onsubmit: open },
      element('select', { name: 'provider', 'aria-label': 'Source of the collection' },
        known.map(({ id, name }) => element('option', { value: id }, oneLine(name, 60)))),
      element('input', {
        name: 'id', type: 'text', required: true, 'aria-label': 'Name or id of the collection',
        placeholder: 'Name or ID at the source', autocomplete: 'off', spellcheck: 'false',
      }),
      element('button', { class: 'button', type: 'submit' }, 'Open')),
  );
}
