// @ts-check
// Builds DOM from values: text is only ever text, and no HTML is parsed.

/** Windows in which the filters stand beside the grid. */
export const WIDE = '(min-width: 60rem)';

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element. `on…` attributes are listeners, true sets an attribute without a value, false and null leave it
 * out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || (value === false && !key.startsWith('aria-'))) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true && !key.startsWith('aria-') ? '' : String(value));
  }
  append(node, children);
  return node;
}

/** @param {Element} node @param {(Child | Child[])[]} children */
function append(node, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Puts other children in place of an element's.
 * @param {Element} node @param {...(Child | Child[])} children
 */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * Brings children to a list of keys. Those that stay are the same nodes: a press that began on one ends on it.
 * @param {Element} parent @param {string[]} keys @param {(key: string) => HTMLElement} create
 * @param {(node: HTMLElement, key: string) => void} update
 */
export function fillByKey(parent, keys, create, update) {
  const present = new Map([...parent.children].map((node) => [/** @type {HTMLElement} */ (node).dataset.key, node]));
  /** @type {ChildNode | null} */
  let place = parent.firstChild;
  for (const key of keys) {
    const known = present.get(key);
    const node = known instanceof HTMLElement ? known : create(key);
    node.dataset.key = key;
    present.delete(key);
    update(node, key);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of present.values()) node.remove();
}

/**
 * An icon of index.html or icons.js; what it means stands beside it.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Whether a part of the page is missing, since the server was gone when it was needed. */
export let isIncomplete = false;

/**
 * A part of the page that is not needed at first. Where the server is gone it never comes: that is told of by itself,
 * and nothing else happens.
 * @template Part @param {Promise<Part>} part @returns {Promise<Part>}
 */
export async function whenThere(part) {
  try {
    return await part;
  } catch (error) {
    const isThere = await fetch('/api/v1/health').then(({ ok }) => ok, () => false);
    if (isThere) throw error; // The fault is another one, and asking again would not end it.
    isIncomplete = true;
    dispatchEvent(new Event('incomplete'));
    return new Promise(() => {});
  }
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * A part that is not needed at first, when it has come with its style sheet.
 * @template Part @param {string} name @param {Promise<Part>} part @returns {Promise<Part>}
 */
export async function styled(name, part) {
  const loading = styles.get(name) ?? new Promise((resolve) => {
    // Without its style a part is plain, but usable.
    const done = () => resolve();
    const href = `/assets/${name}.css`;
    document.head.append(element('link', { rel: 'stylesheet', href, onload: done, onerror: done }));
  });
  styles.set(name, loading);
  const [there] = await Promise.all([whenThere(part), loading]);
  return there;
}

/**
 * The element of index.html with this id.
 * @param {string} id @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no element ${id}`);
  return node;
}
