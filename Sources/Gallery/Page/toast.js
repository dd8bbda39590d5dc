// @ts-check
// Short messages, shown at the bottom and read aloud.

import { element, styled } from './elements.js';

const LIFETIME = 4000;
let timer = 0;

/** @param {string} text */
export async function announce(text) {
  await styled('panels', Promise.resolve());
  // In a modal dialog only what is within it is seen and read.
  const place = document.querySelector('dialog[open]:modal') ?? document.body;
  let node = document.querySelector('.toast');
  if (!(node instanceof HTMLElement)) node = element('div', { class: 'toast', role: 'status' });
  if (node.parentNode !== place) place.append(node);
  clearTimeout(timer);
  node.textContent = text;
  node.classList.add('is-shown');
  timer = window.setTimeout(() => node?.classList.remove('is-shown'), LIFETIME);
}
