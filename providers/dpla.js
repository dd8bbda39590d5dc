const { fail, fileFormat, license } = require('imgscript');

const SITE = 'https://dp.la';
const RIGHTS = ['Unlimited Re-Use', 'Re-use with Conditions', 'In Copyright', 'Unspecified Rights Status'];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  rights: { type: 'choice', values: RIGHTS },
  title: { type: 'string', help: 'Words in the title.' },
  creator: { type: 'string', help: 'Words in the name of the one who made it.' },
  subject: { type: 'string' },
  place: { type: 'string' },
  collection: { type: 'string', help: 'Words in the name of the collection.' },
  provider: { type: 'string', help: 'Words in the name of the institution.' },
  after: { type: 'string', help: 'Made after this year, month or day: 1920, 1920-05.' },
  before: { type: 'string' },
  sort: { type: 'choice', values: ['title', 'date.begin'] },
  order: { type: 'choice', values: ['asc', 'desc'] },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { rights, title, creator, subject, place, collection, provider, after, before, sort, order } = q.params;
  const source = {
    'sourceResource.type': 'image', 'sourceResource.title': title, 'sourceResource.creator': creator,
    'sourceResource.subject.name': subject, 'sourceResource.spatial.name': place,
    'sourceResource.collection.title': collection, 'sourceResource.date.after': after,
    'sourceResource.date.before': before,
  };
  const order_by = { sort_by: sort && `sourceResource.${sort}`, sort_order: order };
  return {
    url: '/v2/items',
    query: {
      q: q.text || null, ...source, 'dataProvider.name': provider, rightsCategory: rights, ...order_by, page: q.page,
      page_size: q.limit,
    },
  };
}

/** @param {import('imgscript').Response} res @returns {import('imgscript').Page} */
function parse(res) {
  const { count, docs } = res.json;
  return { total: docs.length ? count : null, items: docs.map(image).filter((item) => item.media.length) };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'dpla',
  name: 'Digital Public Library of America',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs, prints and maps of thousands of libraries, archives and museums in the United States.',
  category: 'museums',
  base: 'https://api.dp.la',
  hosts: ['api.dp.la'],
  mediaHosts: ['*'], // each institution has its own
  auth: { type: 'query', name: 'api_key', help: 'https://pro.dp.la/developers/policies#get-a-key' },
  // Page 100 is the last.
  limits: { pageSize: { max: 500, default: 50 }, reachable: 5000, rate: ['5/1s'] },
  terms: {
    url: 'https://pro.dp.la/developers/policies',
    license: 'As each institution says',
    attribution: '“{title}”, via the Digital Public Library of America, {page}',
  },

  // {"error":"invalid_api_key","message":"Invalid or inactive API key."}
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    fail(res.status, res.json.message ?? `DPLA answered with status ${res.status}.`);
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: `/v2/items/${encodeURIComponent(item.id)}` }),
    parse: (res, item) => {
      const [record] = res.json.docs;
      return record ? image(record) : fail('notFound', `DPLA has no item ${item.id}.`);
    },
  },

  match: [{ pattern: `${SITE}/item/{id}`, item: { id: '{id}' } }],
};

/** Most fields are lists where there is more than one value. @returns {any[]} */
function all(value) {
  return [value].flat().filter((one) => one !== undefined && one !== null && one !== '');
}

/** @returns {string[]} */
function texts(value) {
  return all(value).filter((one) => typeof one === 'string');
}

/**
 * Institutions send a preview; a few say where the files themselves are.
 * @returns {import('imgscript').Item}
 */
function image({ id, sourceResource, object, mediaMaster, iiifManifest, isShownAt, dataProvider, provider, ...rest }) {
  const {
    title, description, creator, subject, date, rights, spatial, type, format, collection, ...more
  } = sourceResource;
  const { originalRecord, rights: statement, rightsCategory, ingestDate } = rest;
  const [place] = all(spatial);
  const [latitude, longitude] = String(place?.coordinates ?? '').split(',').map(Number);
  const files = texts(mediaMaster).filter((url) => /^https?:/.test(url) && fileFormat(url));
  const [preview] = texts(object).filter((url) => /^https?:/.test(url));
  const [first] = all(date);
  return {
    id,
    type: 'image',
    title: all(title)[0],
    description: texts(description).join('\n') || null,
    page: id && `${SITE}/item/${id}`,
    tags: all(subject).map((one) => one.name ?? one),
    author: texts(creator).length ? { name: texts(creator).join('; ') } : null,
    license: license(statement) ?? (rightsCategory ? { id: idOf(rightsCategory), name: rightsCategory } : null),
    created: /^\d{4}(-\d\d){0,2}$/.test(first?.begin ?? '') ? first.begin : null,
    location: place?.name
      ? { name: place.name, country: place.country, ...(longitude ? { latitude, longitude } : {}) } : null,
    media: [
      ...files.slice(0, 1).map((url) => ({ role: /** @type {const} */ ('original'), url, format: fileFormat(url) })),
      ...(preview ? [{ role: /** @type {const} */ ('thumbnail'), url: preview }] : []),
    ],
    extra: {
      source_page: isShownAt, institution: dataProvider?.name ?? dataProvider, hub: provider?.name,
      date: first?.displayDate, rights, format, collection, iiif_manifest: iiifManifest, files: files.length,
      ingestDate, ...more,
    },
  };
}

/** @param {string} name */
function idOf(name) {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}
