// @ts-check
// What leaves the page: the clipboard, the share sheet, one saved file.

import { announce } from './toast.js';
import { element } from './elements.js';
import { webAddress } from './formats.js';
import { itemTitle, oneLine } from './text.js';

/** @param {string} text @param {string} done What is said when it is copied. */
export async function copyText(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    announce(done);
  } catch {
    announce('The browser did not allow copying.');
  }
}

/**
 * Shares the image's page at its source; where the browser has no way to share, its address is copied.
 * @param {import('./types.js').Item} item
 */
export async function share(item) {
  const url = webAddress(item.page) ?? webAddress(item.media?.[0]?.url);
  if (!url) return announce('This image has no link to share.');
  if (!navigator.share) return copyText(url, 'Link to the source copied');
  try {
    await navigator.share({ title: itemTitle(item), url });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (!isClosed) await copyText(url, 'Link to the source copied');
  }
}

/**
 * Saves the best file through the browser.
 * @param {import('./types.js').Item} item
 */
export function save(item) {
  const picture = item.pictures?.film ?? item.pictures?.full ?? item.pictures?.preview ?? item.pictures?.thumbnail;
  if (!picture) return announce('This image has no file that can be saved.');
  const name = fileName(item);
  const separator = picture.url.includes('?') ? '&' : '?';
  const href = `${picture.url}${separator}download=${encodeURIComponent(name)}`;
  const link = element('a', { href, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * A name that every system takes; the server adds the ending that fits the file.
 * @param {import('./types.js').Item} item
 */
function fileName(item) {
  const words = `${item.provider} ${oneLine(item.id, 40)} ${oneLine(item.title, 60)}`;
  return words.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').toLowerCase() || 'image';
}
