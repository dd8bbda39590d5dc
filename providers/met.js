const { fail, license, parseDate } = require('imgscript');

const API = '/public/collection/v1';
/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'met',
  name: 'The Metropolitan Museum of Art',
  version: '1.1.0',
  homepage: 'https://www.metmuseum.org/art/collection',
  summary: 'Works of art from five thousand years, in the public domain.',
  category: 'museums',
  base: 'https://collectionapi.metmuseum.org',
  hosts: ['collectionapi.metmuseum.org'],
  mediaHosts: ['images.metmuseum.org'],
  // After about 30 quick requests the museum refuses all for half a minute; a page takes one for each work.
  limits: { pageSize: { max: 20 }, rate: ['20/30s'] },
  terms: {
    url: 'https://www.metmuseum.org/policies/terms-conditions',
    license: 'CC0 for works in the public domain',
    attribution: '“{title}”, {author.name}, The Metropolitan Museum of Art',
  },
  paging: 'cursor',

  check: (res) => {
    const isPage = (res.ok || res.status === 403) && /^\s*</.test(res.text);
    if (isPage) fail('blocked', 'A bot check answered instead of the museum, as it does after many quick requests.');
  },

  search: {
    params: {
      departmentId: { type: 'integer', min: 1, help: 'One department: 9 Drawings and Prints, 19 Photographs.' },
      medium: { type: 'list', join: '|', help: 'Such as Paintings, Ceramics, Silver.' },
      geoLocation: { type: 'list', join: '|', help: 'Such as Europe, France, Paris.' },
      artistOrCulture: { type: 'boolean', help: 'Look for the words in artists and cultures.' },
      title: { type: 'boolean', help: 'Look for the words in titles.' },
      tags: { type: 'boolean', help: 'Look for the words in tags.' },
      isHighlight: { type: 'boolean', help: 'Only what the museum thinks most of.' },
      isOnView: { type: 'boolean' },
      dateBegin: { type: 'integer', help: 'Made in this year or later, before our era below 0; with dateEnd.' },
      dateEnd: { type: 'integer' },
    },
    *run(q) {
      return yield* works(q, { hasImages: true, ...q.params, q: q.text });
    },
  },

  // What the museum itself puts first.
  feed: {
    params: { departmentId: { type: 'integer', min: 1 } },
    *run(q) {
      return yield* works(q, { hasImages: true, isHighlight: true, ...q.params, q: '*' });
    },
  },

  details: {
    request: (item) => ({ url: `${API}/objects/${item.id.split('/')[0]}` }),
    parse: (res, item) => views(res.json).find(({ id }) => id === item.id) ?? views(res.json)[0],
  },

  // All pictures of one work.
  collection: {
    request: (item) => ({ url: `${API}/objects/${item.id}` }),
    parse: (res) => ({ items: views(res.json), next: null }),
  },

  match: [
    { pattern: 'https://www.metmuseum.org/art/collection/search/{id}', item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: '{id}', type: 'collection' } },
  ],
};

/**
 * The search gives the ids of all works at once, and nothing else.
 * @param {import('imgscript').Query} q @param {Record<string, any>} query
 * @returns {Generator<import('imgscript').Request | import('imgscript').Request[], import('imgscript').Page, any>}
 */
function* works({ cursor: from = 0, limit }, query) {
  const { objectIDs } = (yield { url: `${API}/search`, query }).json;
  if (objectIDs === null) return { items: [], total: 0 };
  /** @type {number[]} */
  const ids = Array.isArray(objectIDs) ? objectIDs : fail('changed', 'The search gives no list of works.');
  const to = from + limit;
  /** @type {import('imgscript').Response[]} */
  const objects = yield ids.slice(from, to).map((id) => ({ url: `${API}/objects/${id}`, allowStatus: [404] }));
  // Works under copyright are found too, but their pictures are withheld.
  const items = objects.filter((res) => res.ok && res.json.primaryImage).map((res) => work(res.json));
  return { items, total: items.length ? ids.length : null, next: to < ids.length ? to : null };
}

/** @returns {import('imgscript').Item[]} */
function views(object) {
  const whole = work(object);
  if (!whole.media.length) fail('notFound', `The museum shows no picture of “${whole.title}”: it is under copyright.`);
  return [whole, ...object.additionalImages.map((/** @type {string} */ url, /** @type {number} */ index) => (
    { ...whole, id: `${whole.id}/${index + 1}`, media: picture(url) }))];
}

/** @returns {import('imgscript').Item} Texts that are not known are empty. */
function work({ primaryImage, primaryImageSmall, objectID, title, objectName, isPublicDomain, ...rest }) {
  const { artistDisplayName, artistWikidata_URL, artistULAN_URL, objectURL, tags, ...others } = rest;
  const extra = Object.entries(others).filter(([, value]) => value !== '' && value != null);
  return {
    id: objectID,
    type: 'image',
    title: title || objectName,
    page: objectURL,
    tags: tags?.map((tag) => tag.term),
    author: artistDisplayName ? { name: artistDisplayName, url: artistWikidata_URL || artistULAN_URL || null } : null,
    license: isPublicDomain ? license('cc0') : null,
    created: parseDate(others.objectDate),
    media: primaryImage
      ? [...picture(primaryImage), ...(primaryImageSmall ? picture(primaryImageSmall, 'regular') : [])]
      : [],
    extra: Object.fromEntries(extra),
  };
}

/** @returns {import('imgscript').Media[]} */
function picture(/** @type {string} */ url, /** @type {import('imgscript').Media['role']} */ role = 'original') {
  return [{ role, url }];
}
