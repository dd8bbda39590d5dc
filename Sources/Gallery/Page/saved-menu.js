// @ts-check
// Saves a search with its filters and sources, and marks what is new in it from then on.

import { button } from './button.js';
import { byId, element } from './elements.js';
import { forgetSearch, keep, keepSearch, savedSearch, searchAddress } from './kept.js';
import { listingTitle } from './titles.js';
import { announce } from './toast.js';

/**
 * Saves the search that is shown; where it is saved, opens what can be done with it.
 * @param {import('./gallery.js').Gallery} gallery
 */
export function showSavedMenu(gallery) {
  const { store } = gallery;
  const refs = () => (gallery.results.listing?.entries ?? []).slice(0, 400).map(({ item }) => item.ref);
  if (!savedSearch(store.state)) {
    const title = listingTitle(store.state);
    keepSearch(store, 'saved', { address: searchAddress(store.state.address), title, seen: null });
  }
  const menu = element('dialog', { class: 'menu', 'aria-label': 'Saved search' });
  const search = () => savedSearch(store.state);
  const follow = element('input', {
    type: 'checkbox', checked: Boolean(search()?.seen),
    onchange: () => {
      const seen = follow.checked ? refs() : null;
      keep(store, 'saved', store.state.kept.saved.map((other) => (other === search() ? { ...other, seen } : other)));
      announce(follow.checked ? 'New images will be marked' : 'New images are no longer marked');
    },
  });
  menu.append(
    element('p', { class: 'menu-title' }, 'Saved, with its filters and sources'),
    element('label', { class: 'check' }, follow, element('span', {}, 'Mark images that are new next time')),
    button({
      label: 'Remove from saved searches', class: 'is-quiet',
      onclick: () => {
        forgetSearch(store, 'saved', searchAddress(store.state.address));
        menu.close();
        announce('Removed from saved searches');
      },
    }),
  );
  byId('save-search').after(menu);
  menu.addEventListener('close', () => menu.remove());
  menu.addEventListener('click', (event) => event.target === menu && menu.close());
  menu.showModal();
}
