// @ts-check
// Colours by name, and the main colour of pictures that were seen, for the next time.

/** The names, with what stands for each of them. */
export const COLORS = /** @type {const} */ ({
  red: '#c8372d', orange: '#e07b26', yellow: '#e6bf2e', green: '#4f9a4a', teal: '#2f9c95', blue: '#3b74c9',
  purple: '#7d55b5', pink: '#d86a9b', brown: '#80583a', black: '#1d1d1f', gray: '#8d8d90', white: '#f5f5f2',
});

/**
 * The name of a colour written `#rrggbb`; null for anything else.
 * @param {string} hex @returns {keyof typeof COLORS | null}
 */
export function colorName(hex) {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (!match) return null;
  const [red, green, blue] = match.slice(1).map((part) => parseInt(part, 16) / 255);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  const lightness = (most + least) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  if (lightness < 0.12) return 'black';
  if (saturation < 0.14 || range < 0.06) return lightness > 0.85 ? 'white' : 'gray';
  const sixth = most === red ? ((green - blue) / range + 6) % 6
    : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  const hue = sixth * 60;
  if ((hue < 45 || hue > 345) && hue > 12 && lightness < 0.42) return 'brown';
  if (hue < 15 || hue >= 345) return lightness > 0.72 ? 'pink' : 'red';
  if (hue < 42) return 'orange';
  if (hue < 68) return 'yellow';
  if (hue < 160) return 'green';
  if (hue < 195) return 'teal';
  if (hue < 255) return 'blue';
  return hue < 295 ? 'purple' : 'pink';
}

const STORE = 'imgscript.colors';
const MOST = 4000;

/** @type {Map<string, string>} */
const learned = new Map(readLearned());

/** @returns {[string, string][]} */
function readLearned() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? '[]');
  } catch {
    return [];
  }
}

addEventListener('pagehide', () => {
  try {
    localStorage.setItem(STORE, JSON.stringify([...learned].slice(-MOST)));
  } catch {
    // A full store forgets the colours and nothing else.
  }
});

/**
 * An item's main colour as `#rrggbb`, as the source or an earlier look tells it.
 * @param {import('./types.js').Item} item
 */
export const mainColor = (item) =>
  safeColor(item.color) ?? safeColor(item.colors?.[0]) ?? learned.get(item.ref) ?? null;

/**
 * All its colours.
 * @param {import('./types.js').Item} item
 */
export function colorsOf(item) {
  const main = mainColor(item);
  return [...new Set([main, ...(item.colors ?? [])])].filter((color) => safeColor(color)).slice(0, 6);
}

/** @param {unknown} text */
const safeColor = (text) => (typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text) ? text : null);

/**
 * Keeps the main colour of a picture that was seen.
 * @param {string} ref @param {string} color
 */
export function keepColor(ref, color) {
  learned.delete(ref);
  learned.set(ref, color);
}
