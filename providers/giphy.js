const { fail, parseDate } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  kind: { type: 'choice', values: ['gifs', 'stickers'], default: 'gifs', help: 'Stickers have no background.' },
  rating: { type: 'choice', values: ['g', 'pg', 'pg-13', 'r'], help: 'No stronger content than this.' },
};
/** @type {Record<string, import('imgscript').Item['rating']>} */
const RATINGS = { y: 'safe', g: 'safe', pg: 'safe', 'pg-13': 'sensitive', r: 'questionable' };
// Renditions from large to small.
/** @type {[string, import('imgscript').Media['role']][]} */
const RENDITIONS = [
  ['original', 'original'], ['downsized_large', 'large'], ['downsized_medium', 'large'], ['downsized', 'large'],
  ['fixed_height', 'regular'], ['fixed_width', 'regular'], ['fixed_height_downsampled', 'regular'],
  ['fixed_width_downsampled', 'regular'], ['preview_webp', 'small'], ['preview_gif', 'small'],
  ['fixed_height_small', 'thumbnail'], ['fixed_width_small', 'thumbnail'],
];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'giphy',
  name: 'GIPHY',
  version: '1.0.0',
  homepage: 'https://giphy.com/',
  summary: 'Animated GIFs and stickers.',
  category: 'media',
  base: 'https://api.giphy.com',
  hosts: ['api.giphy.com'],
  mediaHosts: ['*.giphy.com'],
  auth: { type: 'query', name: 'api_key', help: 'https://developers.giphy.com/dashboard/' },
  limits: { pageSize: { max: 50, default: 25 }, reachable: 5000, text: { min: 1, max: 50 }, rate: ['100/1h'] },
  terms: {
    url: 'https://support.giphy.com/hc/en-us/articles/360028134111-GIPHY-API-Terms-of-Service',
    license: 'GIPHY, for display only',
    cacheAtMost: '1h', // no longer than they are looked at
    hotlink: true,
    attribution: 'Powered by GIPHY',
  },
  paging: 'offset',

  // The status stands inside the answer too.
  check: (res) => {
    const { status, msg } = (/^\s*\{/.test(res.text) && res.json.meta) || {};
    if (status >= 400) fail(status, msg);
  },

  search: {
    params: { ...FILTERS, lang: { type: 'string', help: 'The language of the words, such as "de".' } },
    request: ({ text, ...q }) => call(q, 'search', { q: text }),
    parse,
  },
  feed: { params: FILTERS, request: (q) => call(q, 'trending'), parse },
  details: {
    request: (item) => ({ url: `/v1/gifs/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json.data),
  },

  match: ['gifs', 'stickers'].map((kind) => (
    { pattern: [`https://giphy.com/${kind}/{slug}-{id}`, `https://giphy.com/${kind}/{id}`], item: { id: '{id}' } })),
};

/**
 * @param {Pick<import('imgscript').Query, 'limit' | 'offset' | 'params'>} q @param {string} list
 * @param {Record<string, string>} [query]
 */
function call({ limit, offset, params: { kind, ...params } }, list, query) {
  return { url: `/v1/${kind}/${list}`, query: { ...query, limit, offset, ...params } };
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  return { total: res.json.pagination.total_count, items: res.json.data.map(image) };
}

/** @returns {import('imgscript').Item} */
function image({ id, title, alt_text, url, username, user, rating, import_datetime, images, ...extra }) {
  const stills = Object.entries(images).filter(([name]) => name.endsWith('_still'));
  const name = user?.display_name || username;
  return {
    id,
    type: 'image',
    title: title || null,
    description: alt_text || null,
    page: url,
    author: name ? { name, id: username, url: user?.profile_url } : null,
    created: parseDate(import_datetime),
    media: media(images),
    rating: RATINGS[rating],
    extra: { ...extra, mp4: images.original.mp4, stills: Object.fromEntries(stills.map(([at, { url }]) => [at, url])) },
  };
}

/** Numbers come as texts, and some renditions are the same file. */
function media(images) {
  /** @type {Map<string, import('imgscript').Media>} */
  const files = new Map();
  for (const [name, role] of RENDITIONS) {
    const { url, webp, width, height, size, webp_size } = images[name] ?? {};
    const sides = { width: Number(width), height: Number(height) };
    const format = /\.webp\b/.test(url) ? 'webp' : 'gif';
    if (url && !files.has(url)) files.set(url, { role, url, ...sides, bytes: Number(size) || null, format });
    if (webp && !files.has(webp)) {
      files.set(webp, { role, url: webp, ...sides, bytes: Number(webp_size) || null, format: 'webp' });
    }
  }
  return [...files.values()];
}
