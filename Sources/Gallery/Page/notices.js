// @ts-check
// Quiet lines about sources that gave nothing, with the reason and what helps.

import { button } from './button.js';
import { byId, element, fill, icon } from './elements.js';
import { keyForm } from './key-form.js';
import { announce } from './toast.js';
import { isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Failure} Failure */

/** @param {import('./gallery.js').Gallery} gallery */
export function showNotices(gallery) {
  const root = byId('notices');
  const failures = [...(gallery.listing?.failures.values() ?? [])];
  const notices = [...(gallery.listing?.notices.values() ?? [])];
  if (gallery.isOffline) notices.unshift({ message: 'Offline: only images seen before are shown.' });
  // What people are typing into stays.
  const content = JSON.stringify([failures, notices, failures.map(({ provider }) => gallery.provider(provider)?.name)]);
  if (root.dataset.content === content) return;
  root.dataset.content = content;
  const isOpen = root.querySelector('details')?.open ?? false;
  const lines = [
    ...failures.map((failure) => failureLine(failure, gallery)),
    ...notices.map((notice) => noticeLine(notice, gallery)),
  ];
  root.hidden = lines.length === 0;
  const list = element('ul', { role: 'list' }, lines);
  if (lines.length <= 2) fill(root, list);
  else {
    fill(root, element('details', { open: isOpen }, element('summary', {}, icon('info'), failures.length ? `${failures.length} sources gave no images` : `${lines.length} notices`), list));
  }
}

/** @param {import('./types.js').Notice} notice @param {import('./gallery.js').Gallery} gallery */
function noticeLine({ provider, message, hint }, gallery) {
  const name = provider ? [element('strong', {}, isolated(gallery.sourceName(provider), 60)), ': '] : null;
  return element('li', { class: 'notice' }, icon('info'), element('p', { dir: 'auto' }, name, isolated(message, 300), hint ? [' ', isolated(hint, 300)] : null));
}

/** @param {Failure} failure @param {import('./gallery.js').Gallery} gallery */
function failureLine(failure, gallery) {
  const provider = gallery.provider(failure.provider);
  const name = element('strong', {}, isolated(provider?.name ?? failure.provider, 60));
  const needsKey = provider && (failure.needsKey ?? false);
  const reason = oneLine(failure.message, 300).replace(/\.$/, '');
  return element(
    'li',
    { class: 'notice', 'data-provider': failure.provider },
    icon(needsKey ? 'key' : 'warning'),
    element(
      'div',
      {},
      element('p', { dir: 'auto' }, name, needsKey ? ' needs a key.' : [' failed: ', isolated(reason, 300), '.'], failure.hint && !needsKey ? [' ', isolated(failure.hint, 300)] : null),
      needsKey ? element('details', { class: 'notice-key' }, element('summary', { class: 'link' }, 'Enter a key'), keyForm(provider, { keyPage: failure.keyPage ?? provider.keyPage, onstored: () => keyStored(gallery) })) : null,
      failure.retry && !needsKey ? button({ label: 'Try again', class: 'is-quiet', onclick: () => gallery.listing?.retry(failure) }) : null,
    ),
    button({ icon: 'close', label: `Dismiss the notice about ${oneLine(provider?.name ?? failure.provider, 60)}`, isIconOnly: true, class: 'is-small', onclick: () => {
      gallery.listing?.failures.delete(failure.provider);
      showNotices(gallery);
    } }),
  );
}

/**
 * Begins the search again, with the source that could not be used.
 * @param {import('./gallery.js').Gallery} gallery
 */
async function keyStored(gallery) {
  await gallery.loadProviders();
  announce('Key stored');
  gallery.kept.clear();
  gallery.leaveListing();
  gallery.listing = null;
  gallery.apply();
}
