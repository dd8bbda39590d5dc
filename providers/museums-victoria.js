const { fail, fileFormat, license } = require('imgscript');

const SITE = 'https://collections.museumsvictoria.com.au';
const KINDS = ['item', 'specimen', 'species', 'article'];
/** What its licences are, by id. */
const IDS = { pdm: 'public domain', 'cc-by': 'cc by', 'cc-by-nc': 'cc by-nc', 'cc-by-sa': 'cc by-sa',
  'cc-by-nc-sa': 'cc by-nc-sa', 'cc-by-nc-nd': 'cc by-nc-nd' };
const LICENCES = ['public domain', 'cc by', 'cc by-nc', 'cc by-sa', 'cc by-nc-sa', 'cc by-nc-nd'];
/** @type {[import('imgscript').Media['role'], string][]} */
const SIZES = [['original', 'large'], ['regular', 'medium'], ['small', 'small'], ['thumbnail', 'thumbnail']];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  recordtype: { type: 'choice', values: KINDS, help: 'Objects, specimens, kinds of animals, texts.' },
  imagelicence: { type: 'list', values: LICENCES, filter: 'license', filterValues: IDS },
  category: { type: 'choice', values: ['natural sciences', 'first peoples', 'history & technology'] },
  collectingarea: { type: 'string' },
  locality: { type: 'string', help: 'Where it was made, used or found.' },
  name: { type: 'string', help: 'Who made, used or found it.' },
  keyword: { type: 'string' },
  ondisplay: { type: 'choice', values: ['yes', 'no'] },
  sort: { type: 'choice', values: ['quality', 'relevance', 'date', 'random'] },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
const request = (q) => ({
  url: '/api/search',
  query: { query: q.text || null, hasimages: 'yes', ...q.params, page: q.page, perpage: q.limit },
});

/** @param {import('imgscript').Response} res */
function parse(res) {
  const items = res.json.flatMap((record) => views(record).slice(0, 1));
  return { total: Number(res.headers['total-results']) || null, items };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'museums-victoria',
  name: 'Museums Victoria Collections',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Objects, photographs, animals and minerals in the museums of Melbourne.',
  category: 'museums',
  base: SITE,
  hosts: ['collections.museumsvictoria.com.au'],
  mediaHosts: ['collections.museumsvictoria.com.au'],
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: {
    url: 'https://museumsvictoria.com.au/about-us/website-and-privacy/terms-and-conditions/',
    license: 'Creative Commons, public domain, or under copyright, as each image says',
    attribution: '“{title}”, {author.name}, Museums Victoria, {license.name}',
  },

  search: { params: FILTERS, request, parse },
  feed: { params: { ...FILTERS, sort: { ...FILTERS.sort, default: 'date' } }, request, parse },
  details: {
    request: (item) => ({ url: `/api/${recordOf(item.id)}` }),
    parse: (res, item) => {
      const found = views(res.json);
      return found.find(({ id }) => id === item.id) ?? found[0] ?? fail('notFound', 'The record has no image.');
    },
  },

  // All images of one record.
  collection: {
    request: (item) => ({ url: `/api/${recordOf(item.id.replace('views:', ''))}` }),
    parse: (res) => {
      const items = views(res.json);
      return items.length ? { items, next: null } : fail('notFound', 'The record has no image.');
    },
  },

  match: [
    ...['items', 'specimens', 'species', 'articles'].map((kind) => (
      { pattern: `${SITE}/${kind}/{id}`, item: { id: `${kind}/{id}` } })),
    { pattern: 'views:{kind}/{id}', item: { id: 'views:{kind}/{id}', type: /** @type {const} */ ('collection') } },
  ],
};

/** `items/415715/media/488013` is an image of `items/415715`. @param {string} id */
function recordOf(id) {
  return id.split('/').slice(0, 2).map(encodeURIComponent).join('/');
}

/** A record’s images; the first goes by the record’s own id. @returns {import('imgscript').Item[]} */
function views(record) {
  const pictures = record.media.filter((one) => one.type === 'image' && one.large?.uri);
  return pictures.map((one, place) => image(record, one, place));
}

/** @param {any} record @param {any} picture @param {number} place @returns {import('imgscript').Item} */
function image(record, picture, place) {
  const {
    id, displayTitle, objectSummary, physicalDescription, contentSummary, keywords, recordType, category, discipline,
    registrationNumber, collectionNames, dateModified, collectionSite,
  } = record;
  const { caption, alternativeText, creators = [], credit, licence, rightsStatement, sources } = picture;
  const names = creators.filter(Boolean);
  return {
    id: id && picture.id && (place ? `${id}/${picture.id}` : id),
    type: 'image',
    title: caption || displayTitle,
    description: objectSummary || physicalDescription || contentSummary || alternativeText,
    page: id && `${SITE}/${id}`,
    tags: keywords,
    author: names.length ? { name: names.join(', ') } : null,
    license: license(licence?.uri) ?? license(licence?.shortName)
      ?? (licence?.shortName ? { id: licence.shortName.toLowerCase().replaceAll(' ', '-'), name: licence.name } : null),
    location: placeOf(collectionSite),
    media: SIZES.flatMap(([role, name]) => file(role, picture[name])),
    extra: {
      record: id, record_title: displayTitle, recordType, category, discipline, registrationNumber, collectionNames,
      dateModified, credit, rightsStatement, sources,
    },
  };
}

/** Where a specimen was found. @returns {import('imgscript').Location | null} */
function placeOf(site) {
  if (!site) return null;
  const [latitude, longitude] = [site.latitudes?.[0], site.longitudes?.[0]].map(Number);
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude);
  const name = site.preciseLocation ?? site.nearestNamedPlace;
  return { name, city: site.town, country: site.country, ...(isKnown ? { latitude, longitude } : {}) };
}

/** @param {import('imgscript').Media['role']} role @returns {import('imgscript').Media[]} */
function file(role, found) {
  if (!found?.uri) return [];
  const { uri: url, width, height, size: bytes } = found;
  return [{ role, url, width, height, bytes, format: fileFormat(url) }];
}
