// @ts-check
// Downloads into the server's folder, with progress and a way to cancel.

import * as api from './api-actions.js';
import { button } from './button.js';
import { element, fill, icon } from './elements.js';
import { announce } from './toast.js';
import { bytes } from './formats.js';
import { counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Item} Item */

/**
 * Starts a download and shows it.
 * @param {HTMLElement} root @param {Item[]} items
 */
export async function download(root, items) {
  const abort = new AbortController();
  const title = element('p', { class: 'download-title', role: 'status' }, `Downloading ${counted(items.length, 'image')}`);
  const amount = element('p', { class: 'download-amount' }, 'Starting…');
  const bar = element('progress', { max: items.length, value: 0, 'aria-label': 'Download progress' });
  const problems = element('ul', { role: 'list' });
  const controls = element('div', { class: 'form-bar' });
  const card = element('section', { class: 'download-card', 'aria-label': 'Download' }, title, bar, amount, controls);
  root.append(card);
  const dismiss = button({ label: 'Dismiss', class: 'is-quiet', onclick: () => card.remove() });
  /** @param {string} text @param {string} detail @param {boolean} isFailed */
  const end = (text, detail, isFailed) => {
    card.dataset.state = isFailed ? 'failed' : 'finished';
    bar.hidden = true;
    fill(title, icon(isFailed ? 'warning' : 'check'), text);
    amount.textContent = detail;
    fill(controls, dismiss);
    if (problems.childElementCount) controls.before(element('details', { class: 'download-problems' }, element('summary', { class: 'link' }, counted(problems.childElementCount, 'problem')), problems));
  };
  let isDone = false;
  try {
    const id = await api.startDownload(items);
    const cancel = button({ label: 'Cancel', onclick: () => {
      cancel.disabled = true;
      amount.textContent = 'Cancelling…';
      api.cancelDownload(id).catch((error) => announce(String(error.message)));
    } });
    fill(controls, cancel);
    let isEnded = false;
    for await (const batch of api.downloadEvents(id, abort.signal)) {
      for (const { event, data } of batch) {
        if (event === 'progress') {
          bar.max = data.total || items.length;
          bar.value = data.done;
          if (!cancel.disabled) amount.textContent = `${data.done} of ${data.total}, ${bytes(data.bytes ?? 0)}`;
        } else if (event === 'file' && data.error) {
          problems.append(element('li', { dir: 'auto' }, isolated(data.ref, 80), ': ', isolated(data.error, 200)));
        } else if (event === 'end') {
          isEnded = true;
          isDone = !data.cancelled && !data.error;
          end(...summary(data));
        }
      }
    }
    if (!isEnded) throw new Error('The connection to the gallery’s server was lost.');
  } catch (error) {
    end('The download failed', error instanceof Error ? error.message : String(error), true);
  }
  return isDone;
}

/**
 * @param {{ done: number, failed: number, skipped?: number, cancelled: boolean, folder: string, error?: string | null }} end
 * @returns {[string, string, boolean]}
 */
function summary({ done, failed, skipped = 0, cancelled, folder, error }) {
  const saved = Math.max(0, done - failed);
  const before = skipped ? `, ${skipped === saved ? 'all' : skipped} of which ${skipped === 1 ? 'was' : 'were'} there already` : '';
  const where = saved ? `in ${oneLine(folder, 300)}${before}` : '';
  const amount = saved ? `${counted(saved, 'image')} saved ${where}` : 'Nothing was saved.';
  if (cancelled) return ['Download cancelled', amount, false];
  if (error) return ['The download stopped', `${oneLine(error, 300)}. ${amount}`, true];
  if (failed) return [`${counted(failed, 'image')} could not be downloaded`, amount, true];
  return [`${counted(saved, 'image')} saved`, where, false];
}
