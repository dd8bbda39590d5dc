// @ts-check
// Quiet lines about sources that gave nothing, with the reason and what helps.

import { button, element, fill, icon } from './elements.js';
import { keyForm } from './key-form.js';
import { isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Failure} Failure */

/**
 * @param {HTMLElement} root @param {{ failures: Failure[], notices: string[] }} content
 * @param {{ provider: (id: string) => import('./types.js').Provider | undefined, onkey: () => void, onretry: (failure: Failure) => void, ondismiss: (provider: string) => void }} options
 */
export function showNotices(root, { failures, notices }, options) {
  // What people are typing into stays.
  const content = JSON.stringify([failures, notices, failures.map(({ provider }) => options.provider(provider)?.name)]);
  if (root.dataset.content === content) return;
  root.dataset.content = content;
  const isOpen = root.querySelector('details')?.open ?? false;
  const lines = [
    ...failures.map((failure) => failureLine(failure, options)),
    ...notices.map((text) => element('li', { class: 'notice' }, icon('info'), element('p', { dir: 'auto' }, oneLine(text, 300)))),
  ];
  root.hidden = lines.length === 0;
  const list = element('ul', { role: 'list' }, lines);
  if (lines.length <= 2) fill(root, list);
  else {
    fill(root, element('details', { open: isOpen }, element('summary', {}, icon('info'), failures.length ? `${failures.length} sources could not be used` : `${lines.length} notices`), list));
  }
}

/** @param {Failure} failure @param {Parameters<typeof showNotices>[2]} options */
function failureLine(failure, { provider: find, onkey, onretry, ondismiss }) {
  const provider = find(failure.provider);
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
      element('p', { dir: 'auto' }, name, needsKey ? ' needs a key to be searched.' : [' gave nothing: ', isolated(reason, 300), '.'], failure.hint && !needsKey ? [' ', isolated(failure.hint, 300)] : null),
      needsKey ? element('details', { class: 'notice-key' }, element('summary', { class: 'link' }, 'Enter a key'), keyForm(provider, { keyPage: failure.keyPage ?? provider.keyPage, onstored: onkey })) : null,
      failure.retry && !needsKey ? button({ label: 'Try again', class: 'is-quiet', onclick: () => onretry(failure) }) : null,
    ),
    button({ icon: 'close', label: `Dismiss the notice about ${oneLine(provider?.name ?? failure.provider, 60)}`, isIconOnly: true, class: 'is-small', onclick: () => ondismiss(failure.provider) }),
  );
}
