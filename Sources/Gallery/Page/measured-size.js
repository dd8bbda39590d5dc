// @ts-check
// The proportions of images of which no source tells them: the pictures are asked.

import { dropPicture, loadPicture } from './connections.js';

/** How long a picture may take to tell its size before its place is given to it anyway. */
const PATIENCE = 4000;
const SIDE_BY_SIDE = 4;

/** @type {(() => void)[]} */
const queue = [];
let running = 0;

/**
 * Asks the picture itself; a square where it does not answer.
 * @param {import('./types.js').Item} item @returns {Promise<number>}
 */
export async function measuredRatio(item) {
  if (running >= SIDE_BY_SIDE) await new Promise((resolve) => queue.push(() => resolve(null)));
  running += 1;
  try {
    return await ratioOfPicture(item);
  } finally {
    running -= 1;
    queue.shift()?.();
  }
}

/** @param {import('./types.js').Item} item @returns {Promise<number>} */
function ratioOfPicture(item) {
  const { thumbnail, preview, full } = item.pictures ?? {};
  const picture = thumbnail ?? preview ?? full;
  return new Promise((resolve) => {
    const image = new Image();
    const timer = setTimeout(() => {
      dropPicture(image);
      resolve(1);
    }, PATIENCE);
    image.onload = image.onerror = () => {
      clearTimeout(timer);
      resolve(image.naturalWidth && image.naturalHeight ? image.naturalWidth / image.naturalHeight : 1);
    };
    if (picture) loadPicture(image, picture.url);
    else image.dispatchEvent(new Event('error'));
  });
}
