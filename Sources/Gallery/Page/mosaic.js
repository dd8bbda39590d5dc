// @ts-check
// Pictures of the day on the start page: the feeds of a few sources that are asked by default and need no key.

import { noQuery, writeAddress } from './address.js';
import { send } from './api.js';
import { button } from './button.js';
import { mainColor } from './colors.js';
import { loadPicture } from './connections.js';
import { element, fill } from './elements.js';
import { noFilters } from './facets.js';
import { knownRatio } from './image-size.js';
import { keep } from './kept.js';
import { itemTitle, isolated } from './text.js';

/** @typedef {import('./types.js').Item} Item */
/** @typedef {import('./types.js').Provider} Provider */
/** @typedef {import('./gallery.js').Gallery} Gallery */

const SOURCES = 3;
const IMAGES = 6;
const DAY = 86_400_000;

/** @param {Gallery} gallery @param {HTMLElement} root */
export function showMosaic(gallery, root) {
  const { store } = gallery;
  store.watch(
    ({ kept, areProvidersKnown }) => (areProvidersKnown ? kept.settings.showsPictures ?? true : null),
    (isWanted) => {
      if (isWanted === null) return;
      const sources = sourcesOfTheDay(store.state.providers);
      if (!sources.length) return fill(root);
      const list = element('ul', { class: 'mosaic', role: 'list' });
      const names = sources.map(({ name }) => isolated(name, 40));
      const toggle = button({
        label: isWanted ? 'Hide' : 'Show', class: 'is-quiet',
        title: `${isWanted ? 'Hide' : 'Show'} pictures on this page`,
        onclick: () => keep(store, 'settings', { ...store.state.kept.settings, showsPictures: !isWanted }),
      });
      fill(root, element('section', { class: 'start-section', 'aria-label': 'Pictures of the day' },
        element('header', {}, element('h2', {}, 'Today'),
          element('p', {}, 'From ', names.flatMap((name, place) => (place ? [', ', name] : [name]))), toggle),
        isWanted ? list : null));
      if (!isWanted) return;
      // What stands below stays where it is while the pictures come.
      list.classList.add('is-waiting');
      Promise.all(sources.map((provider) => fillMosaic(gallery, list, provider)))
        .then(() => list.classList.remove('is-waiting'));
    });
}

/**
 * Others every day.
 * @param {Provider[]} providers
 */
function sourcesOfTheDay(providers) {
  const open = providers.filter(({ isDefault, adult, key, needsServer, operations }) =>
    isDefault && !adult && key === 'none' && !needsServer && operations.some(({ kind }) => kind === 'feed'));
  const first = open.length ? Math.floor(Date.now() / DAY) % open.length : 0;
  return [...open.slice(first), ...open.slice(0, first)].slice(0, SOURCES);
}

/** @param {Gallery} gallery @param {HTMLElement} list @param {Provider} provider */
async function fillMosaic(gallery, list, { id }) {
  /** @type {Item[]} */
  let images = [];
  try {
    images = (await (await send('GET', `/images?feed=true&provider=${id}&limit=${IMAGES}`)).json()).images;
  } catch {
    return; // A page without pictures is a page.
  }
  for (const item of images) if (isShowable(item)) list.append(tile(gallery, item));
}

/** @param {Item} item */
const isShowable = (item) =>
  item.type === 'image' && item.pictures?.thumbnail && (!item.rating || item.rating === 'safe');

/**
 * A row of images of a listing.
 * @param {Gallery} gallery @param {Item[]} images
 */
export function imageStrip(gallery, images) {
  const tiles = images.filter(isShowable).map((item) => tile(gallery, item, { ...noQuery(), isLibrary: true }));
  return element('ul', { class: 'image-strip', role: 'list' }, tiles);
}

/** @param {Gallery} gallery @param {Item} item @param {import('./types.js').Query} [query] */
function tile(gallery, item, query = { ...noQuery(), isFeed: true, providers: [item.provider] }) {
  const picture = item.pictures?.thumbnail;
  const image = element('img', { alt: itemTitle(item), draggable: 'false' });
  const node = element('li', { class: query.isLibrary ? 'strip-tile' : 'mosaic-tile' }, element('a', {
    href: writeAddress({ query, filters: noFilters(), image: item.ref }), title: itemTitle(item),
    onclick: (/** @type {MouseEvent} */ event) => gallery.navigation.follow(event),
  }, image));
  node.style.setProperty('--ratio', String(Math.min(2.4, Math.max(0.6, knownRatio(item) || 1.4))));
  node.style.backgroundColor = mainColor(item) ?? '';
  image.addEventListener('error', () => node.remove());
  if (picture) loadPicture(image, picture.url);
  return node;
}
