// @ts-check
// What is known of an image, for the eyes and for copying.

import { copyText } from './sharing.js';
import { button } from './button.js';
import { element, icon } from './elements.js';
import { normalTag } from './facets.js';
import { longestEdge } from './image-size.js';
import { bytes, date, outwardLink, paragraph, webAddress, words } from './formats.js';
import { count, isolated, itemTitle, oneLine } from './text.js';

/** @typedef {import('./types.js').Item} Item */

/**
 * @param {Item} item
 * @param {{
 *   sourceName: string, linkTo: (change: { tag?: string, collection?: string }) => string,
 *   follow: (event: MouseEvent) => void, creditForm: () => string, keepCreditForm: (form: string) => void,
 * }} options
 * @returns {(HTMLElement | null)[]}
 */
export function metadata(item, { sourceName, linkTo, follow, creditForm, keepCreditForm }) {
  const author = oneLine(item.author?.name, 120);
  return [
    element('h2', { id: 'viewer-title', class: 'viewer-title', dir: 'auto' }, itemTitle(item)),
    element(
      'p',
      { class: 'viewer-byline' },
      author ? [outwardLink(item.author?.url, isolated(author)), ' · '] : null,
      item.page ? outwardLink(item.page, isolated(sourceName)) : isolated(sourceName),
    ),
    description(item),
    actionLinks(item, sourceName, linkTo, follow),
    attribution(item, creditForm, keepCreditForm),
    facts(item),
    tags(item, linkTo, follow),
    extra(item),
  ]
}

/** @param {Item} item */
function description(item) {
  const text = paragraph(item.description);
  if (!text || text === oneLine(item.title)) return null;
  const body = element('p', { class: 'viewer-description', dir: 'auto' }, text);
  if (text.length < 320) return body;
  const start = element('span', { dir: 'auto' }, `${oneLine(text, 240)} `);
  const summary = element('summary', {}, start, element('span', { class: 'link' }, 'Read more'));
  return element('details', { class: 'viewer-more' }, summary, body);
}

/**
 * @param {Item} item @param {string} sourceName @param {(change: { collection: string }) => string} linkTo
 * @param {(event: MouseEvent) => void} follow
 */
function actionLinks(item, sourceName, linkTo, follow) {
  const page = webAddress(item.page);
  const author = isolated(item.author?.name ?? 'this author', 40);
  const links = [
    page && element('a', { class: 'button', href: page, target: '_blank', rel: 'noopener noreferrer' },
      icon('external'), element('span', {}, 'View on ', isolated(sourceName, 40))),
    item.moreByAuthor
      && element('a', { class: 'button', href: linkTo({ collection: item.moreByAuthor }), onclick: follow },
        icon('album'), element('span', {}, 'More by ', author)),
  ].filter(Boolean);
  return links.length ? element('div', { class: 'viewer-links' }, links) : null;
}

/** @param {Item} item @param {() => string} creditForm @param {(form: string) => void} keepCreditForm */
function attribution(item, creditForm, keepCreditForm) {
  if (!item.attribution) return null;
  const forms = /** @type {const} */ ({ text: 'Text', html: 'HTML', markdown: 'Markdown' });
  const shown = element('output', { class: 'credit-text', dir: 'auto', id: 'credit-text', tabindex: 0 });
  let form = /** @type {keyof typeof forms} */ (creditForm() in forms ? creditForm() : 'text');
  const show = () => {
    shown.textContent = paragraph(item.attribution?.[form], 1200);
  };
  show();
  return element(
    'section',
    { class: 'viewer-section credit', 'aria-label': 'Credit' },
    element('h3', {}, 'Credit'),
    shown,
    element(
      'div',
      { class: 'credit-bar' },
      element(
        'fieldset',
        { class: 'segments' },
        element('legend', { class: 'visually-hidden' }, 'Format of the credit'),
        Object.entries(forms).map(([name, label]) =>
          element(
            'label',
            {},
            element('input', {
              type: 'radio', name: 'credit-form', value: name, checked: name === form,
              onchange: () => {
                form = /** @type {keyof typeof forms} */ (name);
                keepCreditForm(form);
                show();
              },
            }),
            element('span', {}, label),
          )),
      ),
      button({
        icon: 'copy', label: 'Copy', title: 'Copy credit',
        onclick: () => copyText(item.attribution?.[form] ?? '', 'Credit copied'),
      }),
    ),
  );
}

/** @param {Item} item */
function facts(item) {
  const list = element('dl', { class: 'facts' });
  /** @param {string} name @param {Node | string | null | undefined | false} value */
  const add = (name, value) => {
    if (value) list.append(element('dt', {}, name), element('dd', {}, value));
  };
  const { license, camera, location } = item;
  add('Licence', license && outwardLink(license.url, isolated(license.name ?? license.id)));
  add('Date', item.created && date(item.created));
  add('Place', location && place(location));
  const model = oneLine(camera?.model, 60);
  const make = oneLine(camera?.make, 60);
  const name = model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim();
  add('Camera', name && isolated(name));
  add('Lens', camera?.lens && isolated(camera.lens));
  add('Exposure', exposure(camera));
  const largest = [...(item.media ?? [])].sort((a, b) => (b.width ?? 0) - (a.width ?? 0))[0];
  if (longestEdge(item) && largest?.width && largest.height) {
    add('Size', `${count(largest.width)} × ${count(largest.height)} pixels`);
  }
  const format = largest?.format && oneLine(largest.format, 12).toUpperCase();
  add('File', [format, largest?.bytes && bytes(largest.bytes)].filter(Boolean).join(', '));
  for (const [key, value] of Object.entries(item.stats ?? {}).slice(0, 8)) {
    add(words(key), typeof value === 'number' && count(value));
  }
  add('Rating', item.rating && words(item.rating));
  add('Made by', item.aiGenerated && 'AI, as its source says');
  const colors = (item.colors ?? []).filter((color) => /^#[0-9a-f]{6}$/i.test(color)).slice(0, 8);
  if (colors.length) {
    add('Colours', element('span', { class: 'swatches' }, colors.map((color) => {
      const swatch = element('span', { class: 'swatch', title: color, role: 'img', 'aria-label': color });
      swatch.style.backgroundColor = color;
      return swatch;
    })));
  }
  add('Downloaded', item.file && date(item.file.downloaded));
  add('Path', item.file && isolated(item.file.path, 200));
  if (!item.file) add('Reference', element('code', {}, isolated(item.ref, 120)));
  return element('section', { class: 'viewer-section', 'aria-label': 'Details' }, element('h3', {}, 'Details'), list);
}

/** @param {NonNullable<Item['location']>} location */
function place({ name, city, country, latitude, longitude }) {
  const text = [...new Set([name, city, country].map((part) => oneLine(part, 80)).filter(Boolean))].join(', ');
  const hasPoint = typeof latitude === 'number' && typeof longitude === 'number';
  const point = hasPoint ? `${latitude.toFixed(4)}, ${longitude.toFixed(4)}` : '';
  if (!hasPoint) return text && isolated(text);
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=13/${latitude}/${longitude}`;
  return outwardLink(map, isolated(text || point));
}

/** @param {Item['camera']} camera */
function exposure(camera) {
  if (!camera) return '';
  return [
    camera.exposure && `${oneLine(camera.exposure, 12)}\u00a0s`, camera.aperture && `f/${oneLine(camera.aperture, 8)}`,
    camera.focalLength && `${oneLine(camera.focalLength, 8)}\u00a0mm`, camera.iso && `ISO\u00a0${camera.iso}`,
  ].filter(Boolean).join(' · ');
}

/**
 * @param {Item} item @param {(change: { tag: string }) => string} linkTo @param {(event: MouseEvent) => void} follow
 */
function tags(item, linkTo, follow) {
  const list = [...new Set((item.tags ?? []).map(normalTag))].filter(Boolean).slice(0, 40);
  if (!list.length) return null;
  return element(
    'section',
    { class: 'viewer-section', 'aria-label': 'Tags' },
    element('h3', {}, 'Tags'),
    element('ul', { class: 'chips', role: 'list' }, list.map((tag) =>
      element('li', {}, element('a', { class: 'chip', href: linkTo({ tag }), onclick: follow }, isolated(tag, 60))))),
  );
}

/** @param {Item} item */
function extra(item) {
  const pairs = Object.entries(item.extra ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '').slice(0, 40);
  if (!pairs.length) return null;
  return element(
    'details',
    { class: 'viewer-section viewer-extra' },
    element('summary', {}, 'More from the source'),
    element('dl', { class: 'facts' }, pairs.flatMap(([name, value]) => [
      element('dt', {}, words(name)),
      element('dd', { dir: 'auto' }, webAddress(value) ? outwardLink(value, oneLine(value, 80)) : oneLine(value, 300)),
    ])),
  );
}
