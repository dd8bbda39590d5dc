const { fileFormat, fit } = require('imgscript');

const LICENSE = { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' };
/** @type {Record<string, import('imgscript').Parameter>} */
const KIND = {
  kind: { type: 'choice', values: ['photos', 'videos'], default: 'photos', help: 'Videos are listed with --media.' },
};

/** @param {import('imgscript').Query} q */
const isVideos = (q) => q.params.kind === 'videos';

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'pexels',
  name: 'Pexels',
  version: '1.1.0',
  homepage: 'https://www.pexels.com/',
  summary: 'Free stock photographs and videos by people all over the world.',
  category: 'photographs',
  base: 'https://api.pexels.com',
  hosts: ['api.pexels.com'],
  mediaHosts: ['images.pexels.com', 'videos.pexels.com'],
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
      ...KIND,
      orientation: { type: 'choice', values: ['landscape', 'portrait', 'square'], filter: 'aspect' },
      size: {
        type: 'choice', values: ['large', 'medium', 'small'],
        help: 'At least 24, 12 or 4 megapixels; 4K, Full HD or HD.',
        filter: 'min-pixels', filterValues: { 24000000: 'large', 12000000: 'medium', 4000000: 'small' },
      },
      color: { type: 'string', help: 'A name such as red or turquoise, or #ffffff; of photos.' },
      locale: { type: 'string', help: 'The language of the query: en-US, de-DE, ja-JP …' },
    },
    request: (q) => {
      const { kind, ...params } = q.params;
      const query = { query: q.text, page: q.page, per_page: q.limit, ...params };
      return { url: isVideos(q) ? '/videos/search' : '/v1/search', query };
    },
    parse: listed,
  },

  feed: {
    params: KIND,
    request: (q) => (
      { url: isVideos(q) ? '/videos/popular' : '/v1/curated', query: { page: q.page, per_page: q.limit } }),
    parse: listed,
  },

  details: {
    request: (item) => {
      const id = encodeURIComponent(item.id.replace('video:', ''));
      return { url: item.id.startsWith('video:') ? `/videos/videos/${id}` : `/v1/photos/${id}` };
    },
    parse: (res, item) => (item.id.startsWith('video:') ? video(res.json) : image(res.json)),
  },

  collection: {
    params: { ...KIND, sort: { type: 'choice', values: ['asc', 'desc'] } },
    request: (item, q) => ({
      url: `/v1/collections/${encodeURIComponent(item.id.replace('collection:', ''))}`,
      query: { type: q.params.kind, page: q.page, per_page: q.limit, sort: q.params.sort },
    }),
    parse: (res, item, q) => listed(res, q, res.json.media),
  },

  match: [
    {
      pattern: ['https://www.pexels.com/photo/{slug}-{id}/', 'https://www.pexels.com/*/photo/{slug}-{id}/',
        'https://www.pexels.com/photo/{id}/'],
      item: { id: '{id}' },
    },
    {
      pattern: ['https://www.pexels.com/video/{slug}-{id}/', 'https://www.pexels.com/*/video/{slug}-{id}/',
        'https://www.pexels.com/video/{id}/'],
      item: { id: 'video:{id}' },
    },
    {
      pattern: ['https://www.pexels.com/collections/{slug}-{id}/', 'collection:{id}'],
      item: { id: 'collection:{id}', type: 'collection' },
    },
  ],
};

/** The last page names no next one. @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function listed({ json }, q, found = isVideos(q) ? json.videos : json.photos) {
  const items = found.map(isVideos(q) ? video : image);
  return { total: json.total_results, items, next: json.next_page ? undefined : null };
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
    license: LICENSE,
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

/** A video comes in several sizes, with a still. @returns {import('imgscript').Item} */
function video({ id, width, height, url, user, image: still, video_files: found, video_pictures, tags, ...extra }) {
  const files = [...found].sort((one, other) => (other.width ?? 0) - (one.width ?? 0));
  return {
    id: id && `video:${id}`,
    type: 'video',
    page: url,
    tags: tags?.filter((tag) => typeof tag === 'string'),
    author: { name: user.name, id: user.id, url: user.url },
    license: LICENSE,
    media: [
      ...files.map((file, index) => ({
        role: index ? roleOf(file.width) : /** @type {const} */ ('original'),
        url: file.link,
        type: /** @type {const} */ ('video'),
        width: file.width,
        height: file.height,
        bytes: file.size,
        format: fileFormat(file.file_type) ?? file.file_type?.split('/')[1],
      })),
      { role: 'thumbnail', url: still, type: 'image' },
    ],
    extra: { ...extra, width, height, stills: video_pictures?.map(({ picture }) => picture) },
  };
}

/** @param {number} width @returns {import('imgscript').Media['role']} */
function roleOf(width) {
  if (width >= 1920) return 'large';
  return width >= 960 ? 'regular' : 'small';
}
