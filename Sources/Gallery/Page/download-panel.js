// @ts-check
// All downloads of the server in one panel, which a reload finds again. Finished ones leave by themselves.

import * as api from './api-actions.js';
import { button } from './button.js';
import { byId, element, fill, icon, styled } from './elements.js';
import { bytes } from './formats.js';
import { counted, isolated, oneLine } from './text.js';
import { announce } from './toast.js';

/** @typedef {import('./types.js').Download} Download */
/** @typedef {{ ref: string, path?: string, skipped?: string, error?: string }} File */

/** How long a download that succeeded stays. */
const FAREWELL = 12_000;
const SKIPPED = {
  present: ['was there already', 'were there already'], repeated: ['came twice', 'came twice'],
  duplicate: ['has the same content as another', 'have the same content as others'],
  nearDuplicate: ['looks like another', 'look like others'],
  otherProcess: ['is being downloaded elsewhere', 'are being downloaded elsewhere'],
  failedBefore: ['failed before and was not asked for', 'failed before and were not asked for'],
};

/** @type {Map<string, DownloadLine>} */
const lines = new Map();

/** Shows what goes on already, and what has failed. */
export async function showDownloads() {
  /** @type {Download[]} */
  const known = await api.downloads().catch(() => []); // That the server is gone is told of anyway.
  const shown = known.filter(({ state }) => state !== 'finished' && state !== 'cancelled');
  await Promise.all(shown.map((download) => follow(download, '')));
}

/**
 * Downloads images.
 * @param {import('./types.js').Item[]} items @param {string} note What has to be told besides.
 */
export async function download(items, note) {
  try {
    await follow(await api.startDownload(items), note);
  } catch (error) {
    announce(`The download did not begin: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {Download} download @param {string} note */
async function follow(download, note) {
  await styled('panels', Promise.resolve());
  const root = byId('downloads');
  if (!root.childElementCount) {
    root.append(element('details', { class: 'download-panel', open: true },
      element('summary', {}, icon('download'), element('span', { role: 'status' }),
        element('progress', { 'aria-label': 'All downloads' })),
      element('ul', { role: 'list' })));
  }
  const line = new DownloadLine(download, note);
  lines.set(download.id, line);
  root.querySelector('ul')?.prepend(line.node);
  showAll();
  await line.follow();
}

/** Says how far all of them are. */
function showAll() {
  const root = byId('downloads');
  root.hidden = lines.size === 0;
  const states = [...lines.values()].map(({ state }) => state);
  const running = states.filter(({ state }) => state === 'running');
  const failed = states.filter(({ state, failed: files }) => state === 'failed' || files).length;
  const text = running.length ? `Downloading ${counted(sum(running, 'total'), 'image')}`
    : failed ? `${counted(failed, 'download')} with problems` : 'Downloads';
  const label = root.querySelector('summary span');
  if (label && label.textContent !== text) label.textContent = text;
  const bar = root.querySelector('progress');
  if (!bar) return;
  bar.hidden = !running.length;
  bar.max = Math.max(1, sum(running, 'total'));
  bar.value = sum(running, 'done');
}

/** @param {Download[]} list @param {'total' | 'done'} name */
const sum = (list, name) => list.reduce((total, download) => total + download[name], 0);

class DownloadLine {
  #title = element('p', { class: 'download-title', role: 'status' });
  #amount = element('p', { class: 'download-amount' });
  #bar = element('progress', { 'aria-label': 'Download progress' });
  #problems = element('ul', { role: 'list' });
  #more = element('details', { class: 'download-problems', hidden: true });
  #controls = element('div', { class: 'form-bar' });
  /** @type {Map<string, number>} */
  #skipped = new Map();
  #abort = new AbortController();
  #isCancelling = false;

  /** @param {Download} state @param {string} note */
  constructor(state, note) {
    this.state = state;
    this.note = note;
    this.node = element('li', { class: 'download' }, this.#title, this.#bar, this.#amount, this.#more, this.#controls);
    this.#more.append(element('summary', { class: 'link' }), this.#problems);
  }

  async follow() {
    this.#show();
    try {
      let hasEnded = false;
      for await (const batch of api.downloadEvents(this.state.id, this.#abort.signal)) {
        for (const { event, data } of batch) {
          if (event === 'file') this.#noteFile(data);
          else this.state = data;
          hasEnded ||= event === 'end';
        }
        this.#show();
      }
      if (!hasEnded) throw new Error('the connection to the gallery’s server was lost');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.state = { ...this.state, state: /** @type {const} */ ('failed'), error: reason };
      this.#show();
    }
    if (this.state.state === 'finished' && !this.state.failed) setTimeout(() => this.#leave(), FAREWELL);
  }

  /** @param {File} file */
  #noteFile({ ref, error, skipped }) {
    if (skipped) this.#skipped.set(skipped, (this.#skipped.get(skipped) ?? 0) + 1);
    if (!error) return;
    this.#problems.append(element('li', { dir: 'auto' }, isolated(ref, 80), ': ', isolated(error, 200)));
    this.#more.hidden = false;
    fill(this.#more.children[0], counted(this.#problems.childElementCount, 'problem'));
  }

  #show() {
    const { state, total, done, failed } = this.state;
    const isRunning = state === 'running';
    const isBad = state === 'failed' || failed > 0;
    this.node.dataset.state = isRunning ? 'running' : isBad ? 'failed' : state;
    const title = isRunning ? `Downloading ${counted(total, 'image')}` : this.#outcome();
    const mark = isRunning ? null : icon(isBad ? 'warning' : 'check');
    if (this.#title.textContent !== title) fill(this.#title, mark, title);
    this.#bar.hidden = !isRunning;
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
    const amount = this.#isCancelling && isRunning ? 'Cancelling…'
      : isRunning ? `${done} of ${total}, ${bytes(this.state.bytes)}` : this.#whatCame();
    this.#amount.textContent = amount;
    this.#showControls();
    showAll();
  }

  /** What has come of it, in a few words. */
  #outcome() {
    const { state, done, failed } = this.state;
    const saved = Math.max(0, done - failed);
    if (state === 'cancelled') return 'Download cancelled';
    if (state === 'failed') return saved ? 'The download stopped' : 'The download failed';
    return failed ? `${counted(failed, 'image')} could not be downloaded` : `${counted(saved, 'image')} saved`;
  }

  #whatCame() {
    const { done, failed, finished, folder, error } = this.state;
    const saved = Math.max(0, done - failed);
    const parts = [error && oneLine(error, 300), saved ? `In ${oneLine(folder, 300)}` : 'Nothing was saved'];
    if (this.#skipped.size) parts.push(`${finished} new`);
    for (const [reason, amount] of this.#skipped) {
      const words = SKIPPED[/** @type {keyof typeof SKIPPED} */ (reason)] ?? ['was left out', 'were left out'];
      parts.push(`${amount} ${words[amount === 1 ? 0 : 1]}`);
    }
    if (this.note) parts.push(this.note);
    return `${parts.filter(Boolean).join('; ')}.`;
  }

  #showControls() {
    const { state, done, failed } = this.state;
    const kind = state === 'running' ? 'running' : failed || state !== 'finished' ? 'again' : 'done';
    if (this.#controls.dataset.kind === kind) return;
    this.#controls.dataset.kind = kind;
    const leave = button({ label: 'Dismiss', class: 'is-quiet', onclick: () => this.#leave() });
    if (kind === 'running') return fill(this.#controls, button({ label: 'Cancel', onclick: () => this.#cancel() }));
    fill(
      this.#controls,
      kind === 'again' ? button({ label: 'Download again', onclick: () => this.#again() }) : null,
      done > failed
        ? button({ label: 'Open folder', class: 'is-quiet', onclick: () => this.#openFolder() }) : null,
      leave);
  }

  #cancel() {
    this.#isCancelling = true;
    this.#show();
    api.cancelDownload(this.state.id).catch((error) => announce(String(error.message)));
  }

  async #again() {
    try {
      const again = await api.repeatDownload(this.state.id);
      this.#leave();
      await follow(again, this.note);
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
    }
  }

  #openFolder() {
    api.openFolder(this.state.id).catch(() => announce(`The folder is ${this.state.folder}`));
  }

  #leave() {
    this.#abort.abort();
    lines.delete(this.state.id);
    this.node.remove();
    showAll();
  }
}
