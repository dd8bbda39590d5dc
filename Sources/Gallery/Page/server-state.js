// @ts-check
// Says that the server is gone, or that the page is signed out, and what helps. All of it comes with the page: a server
// that is gone sends nothing more.

import { reportServer, send, server } from './api.js';
import { byId, isIncomplete } from './elements.js';

const TEXTS = {
  there: '',
  gone: 'The gallery’s server is gone. Start it again, and this page goes on:',
  'signed-out': 'The gallery was started anew, and this page is not signed in. Open the link that this prints:',
};
/** How often a server that is gone is looked for. */
const CHECK = 2000;

/** @param {import('./gallery.js').Gallery} gallery */
export function showServerState(gallery) {
  const { store } = gallery;
  const root = byId('server-state');
  let timer = 0;
  const ask = () => send('GET', '/providers').catch(() => {}); // What comes of it is reported.
  server.addEventListener('state', (event) => store.change({ server: /** @type {CustomEvent} */ (event).detail }));
  addEventListener('incomplete', () => reportServer('gone'));
  byId('server-again').addEventListener('click', ask);
  let wasGone = false;
  store.watch((state) => state.server, (state) => {
    clearInterval(timer);
    root.hidden = state === 'there';
    byId('server-text').textContent = TEXTS[state];
    if (state !== 'there') {
      wasGone = true;
      timer = window.setInterval(ask, CHECK);
    } else if (wasGone) {
      wasGone = false;
      if (isIncomplete) return location.reload();
      // What could not be had meanwhile is asked for again.
      if (!store.state.areProvidersKnown) gallery.loadProviders();
      if (gallery.results.listing?.state === 'failed') gallery.results.goOn();
      document.querySelectorAll('.tile-again').forEach((again) => /** @type {HTMLElement} */ (again).click());
    }
  });
}
