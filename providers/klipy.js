const { fail, fileFormat, parseDate } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  kind: { type: 'choice', values: ['gifs', 'stickers'], default: 'gifs', help: 'Stickers have no background.' },
  contentfilter: {
    type: 'choice', values: ['off', 'low', 'medium', 'high'], default: 'high',
    help: 'How much is left out; high: all but G.',
  },
  locale: { type: 'string', help: 'The language of the words, such as de_DE.' },
};
/** @type {[string, import('imgscript').Media['role']][]} Formats from large to small. */
const FORMATS = [
  ['gif', 'original'], ['webp', 'original'], ['gif_transparent', 'original'], ['webp_transparent', 'original'],
  ['mediumgif', 'large'], ['tinygif', 'small'], ['tinywebp', 'small'], ['tinygif_transparent', 'small'],
  ['tinywebp_transparent', 'small'], ['nanogif', 'thumbnail'], ['nanowebp', 'thumbnail'],
  ['nanogif_transparent', 'thumbnail'], ['nanowebp_transparent', 'thumbnail'],
];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'klipy',
  name: 'KLIPY',
  version: '1.0.0',
  homepage: 'https://klipy.com/',
  summary: 'Animated GIFs and stickers; takes the requests that Tenor took.',
  category: 'media',
  base: 'https://api.klipy.com',
  hosts: ['api.klipy.com'],
  mediaHosts: ['*.klipy.com'],
  auth: { type: 'query', name: 'key', help: 'https://partner.klipy.com/' },
  limits: { pageSize: { max: 50, default: 24 }, text: { min: 1, max: 100 }, rate: ['100/60s'] },
  terms: {
    url: 'https://klipy.com/terms-of-service',
    license: 'KLIPY, for display only',
    hotlink: true,
    attribution: 'Powered by KLIPY',
  },
  paging: 'cursor',

  // {"error":{"message":"…"}} as Tenor had it, or KLIPY's own {"result":false,"errors":{"message":["…"]}}.
  check: (res) => {
    if (!/^\s*\{/.test(res.text)) return;
    const { result, error, errors } = res.json;
    if (res.status >= 500 || (res.ok && !error && result !== false)) return;
    const words = String(error?.message ?? [errors?.message ?? error].flat().join(' ')).trim();
    const message = words || `status ${res.status}`;
    if (/\bkey\b/i.test(message)) fail('auth', message);
    fail(res.ok ? 'unsupported' : res.status, message);
  },

  search: {
    params: FILTERS,
    request: (q) => call('search', q, { q: q.text }),
    parse,
  },
  feed: { params: FILTERS, request: (q) => call('featured', q, {}), parse },
  details: {
    request: (item) => ({ url: '/v2/posts', query: { ids: item.id } }),
    parse: (res, item) => image(res.json.results[0] ?? fail('notFound', `KLIPY has no picture ${item.id}.`)),
  },
};

/** @param {string} list @param {import('imgscript').Query} q @param {Record<string, string>} query */
function call(list, { limit, cursor, params: { kind, ...params } }, query) {
  const searchfilter = kind === 'stickers' ? 'sticker' : null;
  return { url: `/v2/${list}`, query: { ...query, searchfilter, ...params, limit, pos: cursor } };
}

/** The last page has an empty `next`, or none. @param {import('imgscript').Response} res */
function parse({ json: { results, next } }) {
  return { items: results.map(image), next: results.length && next ? next : null };
}

/** @returns {import('imgscript').Item} */
function image({ id, title, content_description, itemurl, url, tags, created, media_formats, ...extra }) {
  const films = Object.fromEntries(Object.entries(media_formats).filter(([name]) => /mp4|webm/.test(name))
    .map(([name, file]) => [name, file.url]));
  return {
    id,
    type: 'animation',
    title: title || null,
    alt: content_description || null,
    page: itemurl || url,
    tags,
    created: parseDate(created),
    media: FORMATS.flatMap(([name, role]) => {
      const { url: address, dims, size } = media_formats[name] ?? {};
      if (!address) return [];
      const format = fileFormat(address) ?? (name.includes('webp') ? 'webp' : 'gif');
      return [{ role, url: address, width: dims?.[0], height: dims?.[1], bytes: size || null, format }];
    }),
    extra: { ...extra, films },
  };
}
