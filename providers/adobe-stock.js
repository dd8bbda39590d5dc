const { fail, fileFormat, parseDate } = require('imgscript');

const SITE = 'https://stock.adobe.com';
const API = '/Rest/Media/1';
const HEADERS = { 'X-Product': 'imgscript/1.0' };
/** @type {Record<string, import('imgscript').Media['role']>} Of previews, by the longer side. */
const ROLES = { 1000: 'large', 500: 'regular', 240: 'small', 160: 'thumbnail', 110: 'thumbnail' };
const SIZES = ['1000', '500', '240', '160', '110'];
const COLUMNS = ['nb_results', 'id', 'title', 'description', 'creator_name', 'creator_id', 'country_name', 'width',
  'height', 'keywords', 'category', 'content_type', 'media_type_id', 'vector_type', 'premium_level_id', 'has_releases',
  'creation_date', 'nb_views', 'nb_downloads', 'details_url', ...SIZES.flatMap((size) => (
    [`thumbnail_${size}_url`, `thumbnail_${size}_width`, `thumbnail_${size}_height`]))];
/** @type {Record<string, string>} */
const KINDS = { 1: 'photo', 2: 'illustration', 3: 'vector' };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  content_type: { type: 'list', values: ['photo', 'illustration', 'vector'] },
  orientation: {
    type: 'choice', values: ['horizontal', 'vertical', 'square'], filter: 'aspect',
    filterValues: { landscape: 'horizontal', portrait: 'vertical' },
  },
  order: { type: 'choice', values: ['relevance', 'creation', 'featured', 'nb_downloads', 'undiscovered'] },
  premium: { type: 'choice', values: ['true', 'false', 'all'], help: 'Only the premium collection; all but it; both.' },
  category: { type: 'integer', help: 'A category, by its number.' },
  locale: { type: 'string', help: 'The language of words, titles and keywords: en_US, de_DE …' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'adobe-stock',
  name: 'Adobe Stock',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Stock photographs, vectors and illustrations, as previews with a watermark.',
  category: 'stock',
  base: 'https://stock.adobe.io',
  hosts: ['stock.adobe.io'],
  mediaHosts: ['*.ftcdn.net'],
  // Keys are for customers of Stock for Enterprise and for affiliates.
  auth: { type: 'header', name: 'x-api-key', help: 'https://developer.adobe.com/stock/docs/' },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: { url: `${SITE}/license-terms`, license: 'Adobe Stock licence, by purchase' },
  paging: 'offset',

  // {"error":"…","code":20}, or of the gateway {"error_code":"403000","message":"Api Key is required"}
  check: (res) => {
    if (res.status >= 500 || !res.text.startsWith('{')) return;
    const { error, error_code: code, message = error } = res.json;
    if (error || code) fail(res.ok ? 'unsupported' : res.status, String(message));
  },

  search: {
    newestFirst: { order: ['creation'] },
    params: FILTERS,
    request: (q) => found({ words: q.text }, q),
    parse: listed,
  },
  details: {
    request: (item) => (
      { url: `${API}/Files`, query: { ids: item.id, 'result_columns[]': COLUMNS }, headers: HEADERS }),
    parse: (res, item) => listed(res).items[0] ?? fail('notFound', `Adobe Stock has no file ${item.id}.`),
  },

  // `user:123`: what one contributor sells; `series:123`: what was made together.
  collection: {
    newestFirst: { order: ['creation'] },
    params: FILTERS,
    request: (item, q) => {
      const [kind, id] = item.id.split(/:(.*)/s);
      return found({ [kind === 'series' ? 'serie_id' : 'creator_id']: id }, q);
    },
    parse: listed,
  },

  match: [
    { pattern: [`${SITE}/images/{slug}/{id}`, `${SITE}/{language}/images/{slug}/{id}`], item: { id: '{id}' } },
    {
      pattern: [`${SITE}/contributor/{id}/{name}`, `${SITE}/{language}/contributor/{id}/{name}`, 'user:{id}'],
      item: { id: 'user:{id}', type: 'collection' },
    },
    { pattern: 'series:{id}', item: { id: 'series:{id}', type: 'collection' } },
  ],
};

/** @param {Record<string, string>} words @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function found(words, q) {
  const { content_type: kinds = Object.values(KINDS), orientation, order, premium, category, locale } = q.params;
  /** @type {[string, any][]} */
  const filters = [
    ...kinds.map((kind) => [`[content_type:${kind}]`, 1]),
    ['[orientation]', orientation],
    ['[premium]', premium],
  ];
  const named = Object.entries({ ...words, category, order, limit: q.limit, offset: q.offset });
  const query = Object.fromEntries([
    ...named.map(([name, value]) => [`search_parameters[${name}]`, value]),
    ...filters.map(([name, value]) => [`search_parameters[filters]${name}`, value]),
  ]);
  return { url: `${API}/Search/Files`, query: { locale, ...query, 'result_columns[]': COLUMNS }, headers: HEADERS };
}

/** Past the end the number stays, without files. @param {import('imgscript').Response} res */
function listed(res) {
  const { nb_results: total, files } = res.json;
  return { total: files.length ? total : null, items: files.map(image) };
}

/** @returns {import('imgscript').Item} */
function image(file) {
  const {
    id, title, description, creator_name, creator_id, details_url, keywords, category, nb_views, nb_downloads,
  } = file;
  const seller = creator_id && `${SITE}/contributor/${creator_id}`;
  return {
    id,
    type: 'image',
    title,
    description: description || null,
    page: details_url ?? (id && `${SITE}/images/image/${id}`),
    tags: keywords?.map((keyword) => keyword.name ?? keyword),
    author: creator_name ? { name: creator_name, id: creator_id, url: seller } : null,
    license: { id: 'adobe-stock', name: 'Adobe Stock licence', url: `${SITE}/license-terms` },
    created: parseDate(file.creation_date),
    stats: { views: nb_views, downloads: nb_downloads },
    media: SIZES.filter((size) => file[`thumbnail_${size}_url`]).map((size) => preview(file, size)),
    extra: {
      width: file.width, height: file.height, kind: KINDS[file.media_type_id], content_type: file.content_type,
      category: category?.name, country: file.country_name, premium_level: file.premium_level_id,
      has_releases: file.has_releases, vector_type: file.vector_type,
    },
  };
}

/** The two largest have a watermark. @param {any} file @param {string} size @returns {import('imgscript').Media} */
function preview(file, size) {
  const [url, width, height] = ['url', 'width', 'height'].map((name) => file[`thumbnail_${size}_${name}`]);
  return {
    role: ROLES[size],
    url,
    width: Math.round(width) || null,
    height: Math.round(height) || null,
    format: fileFormat(url),
    watermarked: Number(size) >= 500 || null,
  };
}
