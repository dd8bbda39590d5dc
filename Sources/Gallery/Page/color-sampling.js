// @ts-check
// The main colour of pictures of which no source tells it.

import { keepColor } from './colors.js';

/** @typedef {(learn: () => void) => void} Learned Hears that a colour can be learned, and lets it. */

/** @type {{ ref: string, image: HTMLImageElement, onlearned: Learned }[]} */
const waiting = [];
/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/**
 * Learns the main colour of a picture that is there, when there is time.
 * @param {import('./types.js').Item} item @param {HTMLImageElement} image @param {Learned} onlearned
 */
export function learnColor(item, image, onlearned) {
  if (waiting.length > 200) return;
  waiting.push({ ref: item.ref, image, onlearned });
  if (waiting.length === 1) requestIdle(learnNext);
}

function learnNext() {
  const next = waiting.shift();
  if (!next) return;
  const { ref, image, onlearned } = next;
  const element = document.createElement('canvas');
  canvas ??= Object.assign(element, { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  if (canvas && image.isConnected && image.naturalWidth) {
    try {
      canvas.drawImage(image, 0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
      onlearned(() => keepColor(ref, color));
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
