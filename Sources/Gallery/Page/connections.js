// @ts-check
// Shares out the few connections that browsers open to one server over HTTP/1.1: pictures that wait for a slow source
// would take them all, and neither a search nor a cancel would get through.

/** How many connections a browser opens to one server. */
const CONNECTIONS = 6;
/** How long a picture may take while others wait for its connection; twice as long every time it comes back. */
const PATIENCE = 3000;
const CHECK = 500;
const MOST_KNOWN = 5000;

/**
 * @typedef {object} Load
 * @property {HTMLImageElement} image
 * @property {string} url
 * @property {boolean} isUrgent
 * @property {number} tries
 * @property {number} began
 */

/** @type {Load[]} */
let waiting = [];
/**
 * In the order in which they began.
 * @type {Map<HTMLImageElement, Load>}
 */
const loading = new Map();
/**
 * Pictures that came: the browser has them, and needs no connection for them.
 * @type {Set<string>}
 */
const known = new Set();
let calls = 0;
let timer = 0;

/**
 * Takes a connection for a call, which goes before pictures.
 * @returns {() => void} Gives it back; a second time does nothing.
 */
export function beginCall() {
  calls += 1;
  share();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    calls -= 1;
    share();
  };
}

/**
 * Lets a picture come as soon as there is a connection for it.
 * @param {HTMLImageElement} image @param {string} url @param {{ isUrgent?: boolean }} [options]
 */
export function loadPicture(image, url, options = {}) {
  const { isUrgent = false } = options;
  if (known.has(url)) {
    image.src = url;
    return;
  }
  const load = { image, url, isUrgent, tries: 0, began: 0 };
  if (isUrgent) {
    waiting.unshift(load);
    if (loading.size >= capacity()) putBack(slowest());
  } else waiting.push(load);
  share();
}

/**
 * Ends what is still under way for a picture that nobody looks at any more.
 * @param {HTMLImageElement} image
 */
export function dropPicture(image) {
  if (loading.delete(image)) image.removeAttribute('src');
  else waiting = waiting.filter((load) => load.image !== image);
  share();
}

/** One connection is free at any time, so that a call need not wait for a picture to be put back. */
function capacity() {
  return Math.max(1, CONNECTIONS - 1 - calls);
}

/** The picture that took longest so far, one that people wait for last. */
function slowest() {
  const loads = [...loading.values()];
  return loads.find(({ isUrgent }) => !isUrgent) ?? loads[0];
}

/** @param {Load | undefined} load */
function putBack(load) {
  if (!load) return;
  loading.delete(load.image);
  load.image.removeAttribute('src');
  load.tries += 1;
  waiting.push(load);
}

function share() {
  while (loading.size > capacity()) putBack(slowest());
  const now = performance.now();
  const late = [...loading.values()].filter(({ began, tries }) => now - began > PATIENCE * 2 ** tries);
  for (const load of late.slice(0, waiting.length)) putBack(load);
  while (waiting.length && loading.size < capacity()) begin(/** @type {Load} */ (waiting.shift()));
  clearTimeout(timer);
  if (waiting.length) timer = window.setTimeout(share, CHECK);
}

/** @param {string} url */
function remember(url) {
  known.add(url);
  if (known.size > MOST_KNOWN) known.delete(known.values().next().value ?? '');
}

/** @param {Load} load */
function begin(load) {
  const { image, url } = load;
  load.began = performance.now();
  loading.set(image, load);
  /** @param {Event} event */
  const end = ({ type }) => {
    if (loading.get(image) !== load) return;
    loading.delete(image);
    if (type === 'load') remember(url);
    share();
  };
  for (const type of ['load', 'error']) image.addEventListener(type, end, { once: true });
  image.src = url;
}
