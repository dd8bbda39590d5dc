const { fail, license } = require('imgscript');

const SITE = 'https://collection.sciencemuseumgroup.org.uk';
const LAST_PAGE = 20;
// Others are told of errors in words alone, without the reason.
const HEADERS = { Accept: 'application/vnd.api+json' };
const FILES = 'https://coimages.sciencemuseumgroup.org.uk/images/';
/** @type {[import('imgscript').Media['role'], string][]} */
const SIZES = [['original', 'zoom'], ['large', 'large'], ['regular', 'medium'], ['small', 'large_thumbnail'],
  ['thumbnail', 'medium_thumbnail'], ['thumbnail', 'small_thumbnail']];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  image_license: { type: 'boolean', help: 'Only pictures under Creative Commons.' },
  'date[from]': { type: 'integer', help: 'Not older than this year.' },
  'date[to]': { type: 'integer' },
  museum: { type: 'string', help: 'Such as Science Museum, National Railway Museum.' },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { image_license, ...params } = q.params;
  const filters = { has_image: 1, image_license: image_license ? 'CC' : null, ...params };
  const paging = { 'page[size]': q.limit, 'page[number]': q.page };
  return { url: '/search/objects', query: { q: q.text || null, ...filters, ...paging }, headers: HEADERS };
}

/**
 * Pages are counted from 0, and those past number 20 are refused.
 * @param {import('imgscript').Response} res @param {import('imgscript').Query} q
 */
function parse(res, q) {
  const { data, links, meta } = res.json;
  const total = meta.count.type.objects;
  const items = data.map((object) => image(object, 0));
  return { total, items, next: links.next && q.page < LAST_PAGE ? undefined : null };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'science-museum',
  name: 'Science Museum Group',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Objects of science, technology, medicine and railways from five British museums.',
  category: 'museums',
  base: SITE,
  hosts: ['collection.sciencemuseumgroup.org.uk'],
  mediaHosts: ['coimages.sciencemuseumgroup.org.uk'],
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: {
    url: 'https://www.sciencemuseumgroup.org.uk/terms-and-conditions',
    license: 'Creative Commons, mostly non-commercial',
    attribution: '“{title}”, Science Museum Group, {license.name}',
  },

  // {"errors":[{"status":"400","title":"…","detail":"…"}]}
  check: (res) => {
    const [, detail] = /"detail":\s*"([^"]+)/.exec(res.text) ?? [];
    if (res.status === 400 && detail) fail('unsupported', detail);
  },

  paging: 'page0',

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: `/objects/${encodeURIComponent(item.id.split('/')[0])}`, headers: HEADERS }),
    parse: (res, item) => image(res.json.data, Number(item.id.split('/')[1] ?? 0)),
  },

  // All pictures of one object.
  collection: {
    request: (item) => ({ url: `/objects/${encodeURIComponent(item.id.replace('views:', ''))}`, headers: HEADERS }),
    parse: ({ json: { data } }) => {
      const pictures = data.attributes.multimedia ?? fail('notFound', 'The object has no picture.');
      return { items: Object.keys(pictures).map((place) => image(data, Number(place))), next: null };
    },
  },

  match: [
    { pattern: [`${SITE}/objects/{id}`, `${SITE}/objects/{id}/*`], item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** One of an object’s pictures. @param {number} place @returns {import('imgscript').Item} */
function image({ id, attributes, links }, place) {
  const { summary_title, title, description, name, categories, lifecycle, multimedia, admin, ...extra } = attributes;
  const picture = multimedia?.[place];
  const rights = picture?.source?.legal?.rights?.[0];
  const made = lifecycle?.creation?.[0];
  const maker = made?.maker?.[0];
  const texts = description ?? [];
  return {
    id: place ? `${id}/${place}` : id,
    type: 'image',
    title: summary_title ?? title?.[0]?.value,
    description: (texts.find((text) => text.type === 'description') ?? texts[0])?.value,
    page: links?.self ?? `${SITE}/objects/${id}`,
    tags: [...values(name, 'value'), ...values(categories, 'name')],
    author: maker && !/^unknown/i.test(maker.summary_title)
      ? { name: maker.summary_title, id: maker.admin?.uid, url: person(maker.admin?.uid) }
      : null,
    license: license(rights?.usage_terms),
    location: made?.places?.[0] ? { name: made.places[0].summary_title } : null,
    media: SIZES.flatMap(([role, size]) => file(role, picture?.processed?.[size])),
    extra: { ...extra, lifecycle, credit: picture?.credit, rights: rights?.details, views: multimedia?.length },
  };
}

/** @param {string} field @returns {string[]} */
const values = (list, field) => list?.map((entry) => entry[field]) ?? [];

/** @param {string | undefined} uid */
const person = (uid) => uid && `${SITE}/people/${uid}`;

/** @returns {import('imgscript').Media[]} */
function file(/** @type {import('imgscript').Media['role']} */ role, found) {
  if (!found) return [];
  const side = (/** @type {string} */ name) => (
    found.measurements?.dimensions.find(({ dimension }) => dimension === name)?.value);
  const format = /tiff/.test(found.format) ? 'tiff' : found.format;
  return [{ role, url: new URL(found.location, FILES).href, width: side('width'), height: side('height'), format }];
}
