// The Repo API ended on 1 August 2026. What is left without a key are IIIF manifests, of items and of collections.
const { fail, license, plainText } = require('imgscript');

const SITE = 'https://digitalcollections.nypl.org';

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'nypl',
  name: 'New York Public Library',
  version: '2.0.0',
  homepage: `${SITE}/`,
  summary: 'Prints, photographs, maps and manuscripts of the New York Public Library, by the address of their page.',
  category: 'museums',
  deprecated: {
    date: '2026-08-01',
    note: 'the library ended its API, and with it searches by programs; items and collections are read by their page’s '
      + 'address, and -p loc, met or smithsonian find similar ones',
  },
  base: 'https://api-collections.nypl.org',
  hosts: ['api-collections.nypl.org'],
  mediaHosts: ['iiif.nypl.org'],
  limits: { rate: ['5/1s'] },
  terms: {
    url: 'https://www.nypl.org/help/about-nypl/legal-notices/website-terms-and-conditions',
    license: 'CC0, no known restrictions, or under copyright, as each item says',
    attribution: 'From The New York Public Library',
  },
  paging: 'none',

  // The first picture of an item, or the one of an id `item:picture`.
  details: {
    media: true,
    request: (item) => ({ url: `/manifests/${encodeURIComponent(item.id.split(':')[0])}` }),
    parse: (res, item) => {
      const [id, picture] = item.id.split(':');
      const found = pictures(res.json, id);
      const one = picture ? found.find((each) => each.id === item.id) : found[0] && { ...found[0], id };
      return one ?? fail('notFound', `The item has no picture${picture ? ` ${picture}` : ''}.`);
    },
  },

  // `views:ITEM`: all pictures of an item, such as the pages of a book; `collection:ID`: the items of a collection.
  collection: {
    request: (item) => {
      const [kind, id] = item.id.split(':').map(encodeURIComponent);
      return { url: kind === 'collection' ? `/manifests/collection/${id}` : `/manifests/${id}` };
    },
    parse: (res, item) => {
      const [kind, id] = item.id.split(':');
      const items = kind === 'collection' ? list(res.json.items).map(entry) : pictures(res.json, id);
      return items.length ? { items } : fail('notFound', `The ${kind === 'views' ? 'item' : kind} has no picture.`);
    },
  },

  match: [
    { pattern: [`${SITE}/items/{id}`, `${SITE}/items/{id}/*`], item: { id: '{id}' } },
    {
      pattern: [`${SITE}/collections/{id}`, 'https://api-collections.nypl.org/manifests/collection/{id}', 'collection:{id}'],
      item: { id: 'collection:{id}', type: 'collection' },
    },
    { pattern: 'https://api-collections.nypl.org/manifests/{id}', item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** An item of a collection, whose picture its own manifest names. @returns {import('imgscript').Item} */
function entry(/** @type {any} */ { id, type, label, thumbnail }) {
  const name = id.split('/').pop();
  const isCollection = type === 'Collection';
  return {
    id: isCollection ? `collection:${name}` : name,
    type: isCollection ? 'collection' : 'image',
    title: text(label),
    page: `${SITE}/${isCollection ? 'collections' : 'items'}/${name}`,
    media: list(thumbnail).filter((file) => file.id).slice(0, 1).map((file) => (
      { role: /** @type {const} */ ('thumbnail'), url: file.id, format: 'jpeg' })),
  };
}

/**
 * The pictures of an item: https://iiif.io/api/presentation/3.0/. The sizes of its canvases are not those of the files.
 * @param {any} manifest @param {string} id @returns {import('imgscript').Item[]}
 */
function pictures(manifest, id) {
  const metadata = Object.fromEntries(list(manifest.metadata).map(({ label, value }) => [text(label), texts(value)]));
  const get = (/** @type {string[]} */ ...names) => names.flatMap((name) => metadata[name] ?? []);
  const [author] = get('Names', 'Creator', 'Contributor');
  const [rights] = get('Rights', 'Rights Statement');
  const [, year, ...years] = get('Dates / origin', 'Date', 'Dates').join(' ').match(/^\D*(\d{4})\D*(\d{4})?\D*$/) ?? [];
  const about = {
    title: text(manifest.label),
    page: `${SITE}/items/${id}`,
    tags: [...new Set(get('Topics', 'Subjects', 'Genres'))],
    author: author ? { name: author } : null,
    credit: text(manifest.requiredStatement?.value),
    license: license(manifest.rights) ?? (rights ? { id: 'other', name: rights.slice(0, 80), url: manifest.rights } : null),
    created: year,
    createdUntil: years[0],
  };
  const canvases = list(manifest.items);
  return canvases.flatMap((canvas) => {
    const services = list(canvas.items).flatMap((page) => list(page.items)).flatMap(({ body }) => (
      list(body?.service).map((service) => service.id ?? service['@id'])));
    const base = services[0] ?? /^(.*?\/iiif\/\d\/[^/]+)/.exec(canvas.id)?.[1];
    const name = base?.replace(/\/$/, '').split('/').pop();
    if (!name) return [];
    return [{
      ...about,
      id: `${id}:${name}`,
      type: /** @type {const} */ ('image'),
      media: files(base),
      extra: { image_id: name, label: text(canvas.label), pictures: canvases.length, rights, metadata },
    }];
  });
}

/** This server refuses `!w,h`, and widths above the picture's own. @returns {import('imgscript').Media[]} */
function files(/** @type {string} */ base) {
  /** @param {import('imgscript').Media['role']} role @param {string} size @returns {import('imgscript').Media} */
  const file = (role, size) => ({ role, url: `${base.replace(/\/$/, '')}/full/${size}/0/default.jpg`, format: 'jpeg' });
  return [file('original', 'max'), file('small', '300,'), file('thumbnail', '150,')];
}

/** @returns {any[]} */
function list(/** @type {any} */ value) {
  return [value].flat().filter((one) => one !== undefined && one !== null);
}

/** Texts come by language: `{ "en": ["…"] }`. @returns {string[]} */
function texts(/** @type {any} */ value) {
  const found = typeof value === 'object' && value && !Array.isArray(value) ? Object.values(value).flat() : list(value);
  return list(found).flatMap((one) => (typeof one === 'string' ? plainText(one) ?? [] : []));
}

/** @returns {string | undefined} */
function text(/** @type {any} */ value) {
  return texts(value)[0];
}
