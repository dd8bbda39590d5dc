const { fit } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'pexels',
  name: 'Pexels',
  version: '1.0.0',
  homepage: 'https://www.pexels.com/',
  summary: 'Free stock photographs by people all over the world.',
  base: 'https://api.pexels.com',
  hosts: ['api.pexels.com'],
  mediaHosts: ['images.pexels.com'],
  auth: { type: 'header', name: 'Authorization', help: 'https://www.pexels.com/api/' },
  limits: {
    pageSize: { max: 80, default: 20 },
    rate: ['200/1h', '20000/30d'],
    reset: { header: 'x-ratelimit-reset', unit: 'unix' },
  },
  terms: {
    url: 'https://www.pexels.com/api/documentation/#guidelines',
    license: 'Pexels License',
    hotlink: true,
    attribution: 'Photo by {author.name} on Pexels',
  },

  search: {
    params: {
      orientation: { type: 'choice', values: ['landscape', 'portrait', 'square'] },
      size: { type: 'choice', values: ['large', 'medium', 'small'], help: 'At least 24, 12 or 4 megapixels.' },
      color: { type: 'string', help: 'A name such as red or turquoise, or #ffffff.' },
      locale: { type: 'string', help: 'The language of the query: en-US, de-DE, ja-JP …' },
    },
    request: (q) => ({ url: '/v1/search', query: { query: q.text, page: q.page, per_page: q.limit, ...q.params } }),
    parse: (res) => list(res, res.json.photos),
  },

  feed: {
    request: (q) => ({ url: '/v1/curated', query: { page: q.page, per_page: q.limit } }),
    parse: (res) => list(res, res.json.photos),
  },

  details: {
    request: (item) => ({ url: `/v1/photos/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json),
  },

  collection: {
    params: { sort: { type: 'choice', values: ['asc', 'desc'] } },
    request: (item, q) => ({
      url: `/v1/collections/${encodeURIComponent(item.id.replace('collection:', ''))}`,
      query: { type: 'photos', page: q.page, per_page: q.limit, ...q.params },
    }),
    parse: (res) => list(res, res.json.media),
  },

  match: [
    {
      pattern: ['https://www.pexels.com/photo/{slug}-{id}/', 'https://www.pexels.com/*/photo/{slug}-{id}/',
        'https://www.pexels.com/photo/{id}/'],
      item: { id: '{id}' },
    },
    {
      pattern: ['https://www.pexels.com/collections/{slug}-{id}/', 'collection:{id}'],
      item: { id: 'collection:{id}', type: 'collection' },
    },
  ],
};

/** The last page names no next one. @param {import('imgscript').Response} res */
function list(res, photos) {
  return { total: res.json.total_results, items: photos.map(image), next: res.json.next_page ? undefined : null };
}

/** @returns {import('imgscript').Item} */
function image({ id, width, height, url, alt, avg_color, src, ...rest }) {
  const { photographer, photographer_id, photographer_url, ...extra } = rest;
  const size = { width, height };
  return {
    id,
    type: 'image',
    title: alt || null,
    page: url,
    author: { name: photographer, id: photographer_id, url: photographer_url },
    license: { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' },
    colors: avg_color ? [avg_color] : null,
    media: [
      { role: 'original', url: src.original, width, height },
      { role: 'large', url: src.large2x, ...fit(size, { width: 1880, height: 1300 }) },
      { role: 'regular', url: src.large, ...fit(size, { width: 940, height: 650 }) },
      { role: 'regular', url: src.portrait, width: 800, height: 1200 }, // this, the next and `tiny` are cut to shape
      { role: 'regular', url: src.landscape, width: 1200, height: 627 },
      { role: 'small', url: src.medium, ...fit(size, { height: 350 }) },
      { role: 'thumbnail', url: src.tiny, width: 280, height: 200 },
      { role: 'thumbnail', url: src.small, ...fit(size, { height: 130 }) },
    ],
    extra,
  };
}
