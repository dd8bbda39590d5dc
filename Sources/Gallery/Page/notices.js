// @ts-check
// Quiet lines about sources that gave nothing, with the reason and what helps. They open over the grid and never move
// it.

import { button } from './button.js';
import { byId, element, fill, fillByKey, icon } from './elements.js';
import { outwardLink } from './formats.js';
import { keyForm } from './key-form.js';
import { announce } from './toast.js';
import { count, counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Notice} Notice */
/** @typedef {import('./gallery.js').Gallery} Gallery */

/** Failures that a mend of the source's file ends: the source has changed, or the file is wrong. */
const FAULTS = new Set(['changed', 'script', 'result']);

/** @param {Gallery} gallery */
export function showNotices(gallery) {
  const { listing } = gallery.results;
  const root = /** @type {HTMLDetailsElement} */ (byId('notices'));
  const failures = [...(listing?.failures.values() ?? [])];
  const notices = combined([...(listing?.notices.values() ?? [])]);
  /** @type {Map<string, () => HTMLElement>} */
  const lines = new Map();
  for (const failure of failures) {
    const provider = gallery.provider(failure.provider);
    const key = JSON.stringify([failure, provider?.name, provider?.hasKey]);
    lines.set(key, () => failureLine(failure, gallery));
  }
  for (const notice of notices) lines.set(JSON.stringify(notice), () => noticeLine(notice, gallery));
  root.hidden = lines.size === 0;
  if (!root.childElementCount) root.append(element('summary', { class: 'button' }), element('ul', { role: 'list' }));
  const [summary, list] = /** @type {[HTMLElement, HTMLElement]} */ ([...root.children]);
  // Lines that stay are the same nodes: what people are typing into one stays.
  fillByKey(list, [...lines.keys()], (key) => /** @type {() => HTMLElement} */ (lines.get(key))(), () => {});
  const text = element('span', {}, summaryText(gallery, failures, notices));
  fill(summary, icon(failures.length ? 'warning' : 'info'), text, icon('down'));
}

/**
 * One sentence for what several sources say.
 * @param {Notice[]} notices @returns {(Notice & { providers: string[] })[]}
 */
function combined(notices) {
  /** @type {Map<string, Notice & { providers: string[] }>} */
  const lines = new Map();
  for (const notice of notices) {
    const message = notice.code === 'leftOut'
      ? 'some details of its images were not valid, and are left out' : notice.message;
    const known = lines.get(message);
    const providers = [...(known?.providers ?? []), ...(notice.provider ? [notice.provider] : [])];
    lines.set(message, { ...notice, message, providers });
  }
  return [...lines.values()];
}

/** @param {Gallery} gallery @param {Failure[]} failures @param {unknown[]} notices */
function summaryText(gallery, failures, notices) {
  if (failures.length === 1) {
    return [isolated(gallery.sourceName(failures[0].provider), 40), ` ${state(gallery, failures[0])}`];
  }
  const empty = [...(gallery.results.listing?.answered ?? [])].filter(([, amount]) => amount === 0).length;
  const rest = empty ? `; ${count(empty)} found nothing` : '';
  if (failures.length) return [`${counted(failures.length, 'source')} failed${rest}`];
  return [counted(notices.length, 'notice')];
}

/** @param {Gallery} gallery @param {Failure} failure */
function state(gallery, { provider, code, needsKey }) {
  if (code === 'leftOut') return 'was left out';
  if (!needsKey) return 'failed';
  return gallery.provider(provider)?.hasKey ? 'refused the key' : 'needs a key';
}

/** @param {Notice & { providers: string[] }} notice @param {Gallery} gallery */
function noticeLine({ providers, message, hint }, gallery) {
  const names = providers.map((id) => gallery.sourceName(id)).join(', ');
  return element('li', { class: 'notice' }, icon('info'), element(
    'p', { dir: 'auto' },
    names ? [element('strong', {}, isolated(names, 200)), ': '] : null, isolated(message, 300), '.',
    hint ? [' ', isolated(sentence(hint), 300)] : null));
}

/** @param {Failure} failure @param {Gallery} gallery */
function failureLine(failure, gallery) {
  const provider = gallery.provider(failure.provider);
  const name = element('strong', {}, isolated(provider?.name ?? failure.provider, 60));
  const { listing } = gallery.results;
  const reason = oneLine(failure.message, 300).replace(/\.$/, '');
  const isTold = failure.needsKey || failure.code === 'leftOut';
  return element(
    'li',
    { class: 'notice', 'data-provider': failure.provider },
    icon(failure.needsKey ? 'key' : 'warning'),
    element(
      'div',
      {},
      element('p', { dir: 'auto' },
        name, ` ${state(gallery, failure)}`, isTold ? '.' : [': ', isolated(reason, 300), '.'],
        failure.hint && !isTold ? [' ', isolated(sentence(failure.hint), 300)] : null),
      failure.needsKey && provider ? keyPart(provider, failure, gallery) : null,
      FAULTS.has(`${failure.code}`) && provider ? faultLine(provider) : null,
      failure.retry !== undefined && failure.retry !== null && !failure.needsKey
        ? button({ label: 'Try again', class: 'is-quiet', onclick: () => listing?.retry(failure) }) : null,
    ),
    button({
      icon: 'close', isIconOnly: true, class: 'is-small',
      label: `Dismiss the notice about ${oneLine(provider?.name ?? failure.provider, 60)}`,
      onclick: () => {
        listing?.failures.delete(failure.provider);
        showNotices(gallery);
      },
    }),
  );
}

/** @param {import('./types.js').Provider} provider @param {Failure} failure @param {Gallery} gallery */
function keyPart(provider, failure, gallery) {
  if (provider.keyOrigin === 'environment') {
    return element('p', {}, 'Its key is set by the environment of the server: change it there.');
  }
  const onstored = () => keyStored(gallery);
  return element('details', { class: 'notice-key' },
    element('summary', { class: 'link' }, provider.hasKey ? 'Enter another key' : 'Enter a key'),
    keyForm(provider, { keyPage: failure.keyPage ?? provider.keyPage, onstored }));
}

/**
 * A source that answers otherwise than its file expects.
 * @param {import('./types.js').Provider} provider
 */
function faultLine({ id, version, bugs }) {
  const start = `The source may have changed since version ${oneLine(version, 20) || '?'} of `;
  return element('p', {}, start, element('code', {}, id), ' was written. ',
    bugs ? outwardLink(bugs, 'Report it') : 'imgscript update may have a newer one.');
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/**
 * Begins the search again, with the source that could not be used.
 * @param {Gallery} gallery
 */
async function keyStored(gallery) {
  await gallery.loadProviders();
  announce('Key stored');
  gallery.results.forget();
}
