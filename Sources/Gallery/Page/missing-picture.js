// @ts-check
// Says in a picture's place why it could not be loaded, and offers to ask again.

import { problemOf } from './api.js';
import { beginCall } from './connections.js';
import { element, fill, icon } from './elements.js';
import { oneLine } from './text.js';

/** Reasons are asked for one after another: many pictures of one source fail together. */
let queue = Promise.resolve();

/**
 * @param {HTMLElement} place Where the picture would be. @param {string} url @param {() => void} again
 */
export function explainMissing(place, url, again) {
  const reason = element('span', { class: 'tile-reason', dir: 'auto' }, 'Could not be loaded');
  const retry = element('button', {
    type: 'button', class: 'tile-again', tabindex: -1,
    onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      retry.remove();
      again();
    },
  }, 'Try again');
  fill(place, icon('image-off'), reason);
  // A button within a link would be none.
  place.closest('.tile')?.append(retry);
  queue = queue.then(async () => {
    if (!place.isConnected) return;
    const text = await reasonOf(url);
    reason.textContent = oneLine(text, 160);
    place.title = text;
  });
}

/** @param {string} url */
async function reasonOf(url) {
  const endCall = beginCall();
  try {
    const response = await fetch(url);
    if (!response.ok) return (await problemOf(response)).message;
    await response.body?.cancel();
    return 'The browser cannot show this picture';
  } catch {
    return 'The gallery’s server does not answer';
  } finally {
    endCall();
  }
}
