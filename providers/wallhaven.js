const { fileFormat, parseDate } = require('imgscript');

const CATEGORIES = ['general', 'anime', 'people'];
/** @type {Record<string, import('imgscript').Item['rating']>} */
const RATINGS = { sfw: 'safe', sketchy: 'questionable', nsfw: 'explicit' };
const PURITIES = Object.keys(RATINGS);

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  categories: { type: 'list', values: CATEGORIES },
  purity: { type: 'list', values: PURITIES, default: ['sfw'], help: 'nsfw needs a key.' },
  atleast: { type: 'string', help: 'The least size: 1920x1080.' },
  resolutions: { type: 'list', join: ',', help: 'Exact sizes: 1920x1080,2560x1440.' },
  ratios: {
    type: 'list', join: ',', help: 'Shapes: 16x9, 16x10, landscape, portrait, square.', filter: 'aspect',
    filterValues: { landscape: 'landscape', portrait: 'portrait' }, // a square is exact there
  },
  colors: { type: 'string', help: 'A colour: 0066cc.' },
  order: { type: 'choice', values: ['desc', 'asc'] },
  topRange: { type: 'choice', values: ['1d', '3d', '1w', '1M', '3M', '6M', '1y'], help: 'Of the toplist.' },
};
const SORTINGS = ['date_added', 'relevance', 'random', 'views', 'favorites', 'toplist'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'wallhaven',
  name: 'Wallhaven',
  version: '1.1.0',
  homepage: 'https://wallhaven.cc/',
  summary: 'Wallpapers for screens, found by size, shape and colour.',
  category: 'art',
  base: 'https://wallhaven.cc',
  hosts: ['wallhaven.cc'],
  mediaHosts: ['w.wallhaven.cc', 'th.wallhaven.cc'],
  auth: { type: 'header', name: 'X-API-Key', optional: true, help: 'https://wallhaven.cc/settings/account' },
  limits: { pageSize: { min: 24, max: 24, default: 24 }, rate: ['45/60s'] },
  terms: { url: 'https://wallhaven.cc/terms', license: 'Of their artists, seldom stated' },
  paging: 'cursor', // random order goes on only with the seed of the first page

  search: {
    newestFirst: { sorting: ['date_added'] },
    params: { ...FILTERS, sorting: { type: 'choice', values: SORTINGS } },
    request: (q) => list(q.text, q),
    parse: page,
  },
  feed: {
    newestFirst: { sorting: ['date_added'] },
    params: { ...FILTERS, sorting: { type: 'choice', values: SORTINGS, default: 'toplist' } },
    request: (q) => list(null, q),
    parse: page,
  },
  details: {
    request: (item) => ({ url: `/api/v1/w/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json.data),
  },
  collection: {
    params: { purity: FILTERS.purity },
    request: (item, q) => {
      const [, kind, id] = /^(\w+):(.*)$/.exec(item.id) ?? [];
      if (kind === 'tag') return list(`id:${id}`, q);
      if (kind === 'like') return list(`like:${id}`, q);
      if (kind === 'user') return list(`@${id}`, q);
      return { ...list(null, q), url: `/api/v1/collections/${id}` };
    },
    parse: page,
  },

  match: [
    { pattern: ['https://wallhaven.cc/w/{id}', 'https://whvn.cc/{id}'], item: { id: '{id}' } },
    { pattern: ['https://wallhaven.cc/tag/{id}', 'tag:{id}'], item: { id: 'tag:{id}', type: 'collection' } },
    { pattern: ['https://wallhaven.cc/user/{name}', 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
    {
      pattern: 'https://wallhaven.cc/user/{name}/favorites/{id}',
      item: { id: 'favorites:{name}/{id}', type: 'collection' },
    },
    { pattern: 'like:{id}', item: { id: 'like:{id}', type: 'collection' } },
  ],
};

/** @param {string | null} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function list(text, { params: { categories, purity, ...params }, cursor }) {
  const bits = { categories: switches(CATEGORIES, categories), purity: switches(PURITIES, purity) };
  return { url: '/api/v1/search', query: { q: text, ...bits, ...params, ...cursor } };
}

/** One digit for each, 1 where it is wanted. @param {string[]} all @param {string[] | undefined} wanted */
function switches(all, wanted) {
  return wanted && all.map((one) => (wanted.includes(one) ? '1' : '0')).join('');
}

/** @param {import('imgscript').Response} res */
function page(res) {
  const { data, meta } = res.json;
  const next = { page: meta.current_page + 1, seed: meta.seed ?? undefined };
  return { total: meta.total, items: data.map(image), next: meta.current_page < meta.last_page ? next : null };
}

/** Who uploaded it, in `extra`, is seldom who made it. @returns {import('imgscript').Item} */
function image(wallpaper) {
  const {
    id, url, path, thumbs, dimension_x: width, dimension_y: height, file_size: bytes, file_type, created_at,
    views, favorites, purity, colors, tags, ...extra
  } = wallpaper;
  return {
    id,
    type: 'image',
    page: url,
    tags: tags?.map((tag) => tag.name),
    created: parseDate(created_at),
    colors,
    stats: { views, favorites },
    media: [
      { role: 'original', url: path, width, height, bytes, format: fileFormat(file_type) },
      { role: 'small', url: thumbs.large },
      { role: 'thumbnail', url: thumbs.original },
      { role: 'thumbnail', url: thumbs.small },
    ],
    rating: RATINGS[purity],
    extra,
  };
}
