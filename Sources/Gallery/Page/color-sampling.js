// @ts-check
// The main colour of pictures of which no source tells it.

import { keepColor } from './colors.js';

/** @type {[string, HTMLImageElement][]} */
const waiting = [];
/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/**
 * Learns the main colour of a picture that is there, when there is time.
 * @param {import('./types.js').Item} item @param {HTMLImageElement} image
 */
export function learnColor(item, image) {
  if (waiting.length > 200) return;
  waiting.push([item.ref, image]);
  if (waiting.length === 1) requestIdle(learnNext);
}

function learnNext() {
  const next = waiting.shift();
  if (!next) return;
  const [ref, image] = next;
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  if (canvas && image.isConnected && image.naturalWidth) {
    try {
      canvas.drawImage(image, 0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      keepColor(ref, `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`);
    } catch {
      // A picture that cannot be read stays without a colour.
    }
  }
  if (waiting.length) requestIdle(learnNext);
}

/**
 * Safari has no idle callbacks.
 * @param {() => void} work
 */
const requestIdle = (work) => ('requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, 50));
