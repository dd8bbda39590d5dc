// @ts-check
// Quiet lines about sources that gave nothing, with the reason and what helps.

import { button } from './button.js';
import { byId, element, fill, fillByKey, icon } from './elements.js';
import { keyForm } from './key-form.js';
import { announce } from './toast.js';
import { isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Failure} Failure */

/** How many lines stand open; more are folded. */
const MOST_OPEN = 2;

/** @param {import('./gallery.js').Gallery} gallery */
export function showNotices(gallery) {
  const root = byId('notices');
  const failures = [...(gallery.listing?.failures.values() ?? [])];
  const notices = [...(gallery.listing?.notices.values() ?? [])];
  if (gallery.isOffline) notices.unshift({ message: 'Offline: only images seen before are shown.' });
  /** @type {Map<string, () => HTMLElement>} */
  const lines = new Map();
  for (const failure of failures) lines.set(JSON.stringify([failure, gallery.sourceName(failure.provider)]), () => failureLine(failure, gallery));
  for (const notice of notices) lines.set(JSON.stringify(notice), () => noticeLine(notice, gallery));
  root.hidden = lines.size === 0;
  if (!root.childElementCount) root.append(element('details', { open: true }, element('summary', { hidden: true }), element('ul', { role: 'list' })));
  const [fold, summary, list] = /** @type {[HTMLDetailsElement, HTMLElement, HTMLElement]} */ ([...root.querySelectorAll(':scope > details, :scope > details > *')]);
  // Lines that stay are the same nodes: what people are typing into one stays.
  fillByKey(list, [...lines.keys()], (key) => /** @type {() => HTMLElement} */ (lines.get(key))(), () => {});
  const isFolded = lines.size > MOST_OPEN;
  if (summary.hidden === isFolded) {
    summary.hidden = !isFolded;
    fold.open = !isFolded || fold.contains(document.activeElement);
  }
  fill(summary, icon('info'), failures.length ? `${failures.length} sources gave no images` : `${lines.size} notices`, icon('down'));
}

/** @param {import('./types.js').Notice} notice @param {import('./gallery.js').Gallery} gallery */
function noticeLine({ provider, message, hint }, gallery) {
  const name = provider ? [element('strong', {}, isolated(gallery.sourceName(provider), 60)), ': '] : null;
  return element('li', { class: 'notice' }, icon('info'), element('p', { dir: 'auto' }, name, isolated(message, 300), hint ? ['. ', isolated(sentence(hint), 300)] : null));
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
      element('p', { dir: 'auto' }, name, needsKey ? ' needs a key.' : [' failed: ', isolated(reason, 300), '.'], failure.hint && !needsKey ? [' ', isolated(sentence(failure.hint), 300)] : null),
      needsKey ? element('details', { class: 'notice-key' }, element('summary', { class: 'link' }, 'Enter a key'), keyForm(provider, { keyPage: failure.keyPage ?? provider.keyPage, onstored: () => keyStored(gallery) })) : null,
      failure.retry && !needsKey ? button({ label: 'Try again', class: 'is-quiet', onclick: () => gallery.listing?.retry(failure) }) : null,
    ),
    button({ icon: 'close', label: `Dismiss the notice about ${oneLine(provider?.name ?? failure.provider, 60)}`, isIconOnly: true, class: 'is-small', onclick: () => {
      gallery.listing?.failures.delete(failure.provider);
      showNotices(gallery);
    } }),
  );
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

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
