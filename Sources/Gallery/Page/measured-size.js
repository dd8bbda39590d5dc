// @ts-check
// The proportions of images of which no source tells them: the pictures are asked.

import { dropPicture, loadPicture } from './connections.js';

/** How long an image may wait for its size, its turn included, before it gets a place of a default shape. */
const PATIENCE = 2000;
const SIDE_BY_SIDE = 4;

/** @type {(() => void)[]} */
const queue = [];
let running = 0;

/**
 * Asks the picture itself; 0 where it does not answer in time.
 * @param {import('./types.js').Item} item @returns {Promise<number>}
 */
export function measuredRatio(item) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(0), PATIENCE);
    const begin = async () => {
      running += 1;
      resolve(await ratioOfPicture(item));
      clearTimeout(timer);
      running -= 1;
      queue.shift()?.();
    };
    if (running < SIDE_BY_SIDE) begin();
    else queue.push(begin);
  });
}

/** @param {import('./types.js').Item} item @returns {Promise<number>} */
function ratioOfPicture(item) {
  const { thumbnail, preview, full } = item.pictures ?? {};
  const picture = thumbnail ?? preview ?? full;
  return new Promise((resolve) => {
    const image = new Image();
    const timer = setTimeout(() => {
      dropPicture(image);
      resolve(0);
    }, PATIENCE);
    image.onload = image.onerror = () => {
      clearTimeout(timer);
      resolve(image.naturalWidth && image.naturalHeight ? image.naturalWidth / image.naturalHeight : 0);
    };
    if (picture) loadPicture(image, picture.url);
    else image.dispatchEvent(new Event('error'));
  });
}
