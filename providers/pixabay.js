const { fail } = require('imgscript');

const SITE = 'https://pixabay.com';
const LICENSE = { id: 'pixabay', name: 'Pixabay Content License', url: 'https://pixabay.com/service/license-summary/' };
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  kind: { type: 'choice', values: ['images', 'videos'], default: 'images', help: 'Videos are listed with --media.' },
  video_type: { type: 'choice', values: ['all', 'film', 'animation'], help: 'Of videos.' },
  image_type: { type: 'choice', values: ['all', 'photo', 'illustration', 'vector'] },
  orientation: {
    type: 'choice', values: ['all', 'horizontal', 'vertical'], filter: 'aspect',
    filterValues: { landscape: 'horizontal', portrait: 'vertical' },
  },
  category: {
    type: 'choice',
    values: ['backgrounds', 'fashion', 'nature', 'science', 'education', 'feelings', 'health', 'people', 'religion',
      'places', 'animals', 'industry', 'computer', 'food', 'sports', 'transportation', 'travel', 'buildings',
      'business', 'music'],
  },
  colors: {
    type: 'list',
    values: ['grayscale', 'transparent', 'red', 'orange', 'yellow', 'green', 'turquoise', 'blue', 'lilac', 'pink',
      'white', 'gray', 'black', 'brown'],
    join: ',',
  },
  min_width: { type: 'integer', min: 0, filter: 'min-width', help: 'Pixels the original has at least.' },
  min_height: { type: 'integer', min: 0, filter: 'min-height', help: 'Pixels the original has at least.' },
  editors_choice: { type: 'boolean', help: 'Only images with an Editor’s Choice award.' },
  safesearch: { type: 'boolean', help: 'Only images suitable for all ages.' },
  order: { type: 'choice', values: ['popular', 'latest'] },
  lang: {
    type: 'choice',
    values: ['cs', 'da', 'de', 'en', 'es', 'fr', 'id', 'it', 'hu', 'nl', 'no', 'pl', 'pt', 'ro', 'sk', 'fi', 'sv',
      'tr', 'vi', 'th', 'bg', 'ru', 'el', 'ja', 'ko', 'zh'],
    help: 'The language of the query and of the tags.',
  },
};

/** Search and feed are one endpoint; the feed has no `q`. @param {import('imgscript').Query} q */
const request = (q) => {
  const { kind, video_type, image_type, orientation, colors, ...params } = q.params;
  const own = kind === 'videos' ? { video_type } : { image_type, orientation, colors };
  const query = { q: q.text || null, page: q.page, per_page: q.limit, ...own, ...params };
  return { url: kind === 'videos' ? '/api/videos/' : '/api/', query };
};

/** `total` counts more images than the API gives. */
function parse(/** @type {import('imgscript').Response} */ res, /** @type {import('imgscript').Query} */ q) {
  const { totalHits, hits } = res.json;
  const expires = expiry(res);
  const item = (/** @type {any} */ hit) => (q.params.kind === 'videos' ? video(hit) : image(hit, expires));
  return { total: totalHits, items: hits.map(item) };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'pixabay',
  name: 'Pixabay',
  version: '1.1.0',
  homepage: 'https://pixabay.com/',
  summary: 'Free photos, illustrations, vector graphics and videos.',
  category: 'photographs',
  base: 'https://pixabay.com',
  hosts: ['pixabay.com'],
  mediaHosts: ['cdn.pixabay.com', 'pixabay.com'],
  auth: { type: 'query', name: 'key', help: 'https://pixabay.com/api/docs/' },
  limits: { pageSize: { min: 3, max: 200, default: 20 }, reachable: 500, text: { min: 1, max: 100 }, rate: ['100/60s'],
    reset: { header: 'x-ratelimit-reset', unit: 'seconds' } },
  terms: {
    url: 'https://pixabay.com/service/terms/',
    license: 'Pixabay Content License',
    cacheAtLeast: '24h',
    hotlink: false,
    attribution: 'Image by {author.name} on Pixabay',
  },

  // Errors are plain text: [ERROR 400] "page" is out of valid range.
  check: (res) => {
    // A challenge may have the status of a limit.
    if ([403, 429, 503].includes(res.status) && /^\s*</.test(res.text)) {
      fail('blocked', 'A check for browsers answered instead of Pixabay, as it does on some networks.');
    }
    if (res.status !== 400) return;
    fail(/API key/i.test(res.text) ? 'auth' : 'unsupported', res.text.replace(/^\[ERROR \d+\]\s*/, '').trim());
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({
      url: item.id.startsWith('video:') ? '/api/videos/' : '/api/', query: { id: item.id.replace('video:', '') },
    }),
    parse: (res, item) => {
      const hit = res.json.hits[0] ?? fail('notFound', `Pixabay has no image ${item.id}.`);
      return item.id.startsWith('video:') ? video(hit) : image(hit, expiry(res));
    },
  },

  // The second form is a page in another language: https://pixabay.com/de/photos/…
  match: [
    ...['photos/{slug}', 'illustrations/{slug}', 'vectors/{slug}', 'gifs/{slug}', 'images/id'].map((path) => (
      { pattern: [`${SITE}/${path}-{id}/`, `${SITE}/*/${path}-{id}/`], item: { id: '{id}' } })),
    { pattern: [`${SITE}/videos/{slug}-{id}/`, `${SITE}/*/videos/{slug}-{id}/`], item: { id: 'video:{id}' } },
  ],
};

/** Images have no title; their tags serve. @param {string} [expires] */
function image(hit, expires) {
  const {
    id, pageURL, tags, user, user_id, views, downloads, likes, comments, collections, favorites,
    isAiGenerated, imageURL, vectorURL, fullHDURL, largeImageURL, webformatURL, webformatWidth, webformatHeight,
    previewURL, previewWidth, previewHeight, ...extra
  } = hit;
  const { imageWidth, imageHeight, imageSize } = extra; // the original's, even where its URL is not given
  /** @type {import('imgscript').Media[]} */
  const media = [];
  // Only full access to the API gives the first three.
  if (imageURL) media.push({ role: 'original', url: imageURL, width: imageWidth, height: imageHeight, bytes: imageSize });
  if (vectorURL) media.push({ role: 'original', url: vectorURL, format: extra.type.split('/')[1] });
  if (fullHDURL) media.push({ role: 'large', url: fullHDURL });
  if (largeImageURL) media.push({ role: 'large', url: largeImageURL });
  if (webformatURL) {
    media.push({ role: 'regular', url: webformatURL, width: webformatWidth, height: webformatHeight, expires });
    media.push({ role: 'small', url: webformatURL.replace('_640.', '_340.'), expires });
  }
  if (previewURL) media.push({ role: 'thumbnail', url: previewURL, width: previewWidth, height: previewHeight });
  return {
    id,
    type: 'image',
    page: pageURL,
    tags: tags ? tags.split(', ') : [],
    author: { name: user, id: user_id, url: user_id && encodeURI(`https://pixabay.com/users/${user}-${user_id}/`) },
    license: LICENSE,
    stats: { views, downloads, likes, comments, collections, favorites },
    aiGenerated: isAiGenerated ?? null,
    media,
    extra,
  };
}

/** @type {[string, import('imgscript').Media['role']][]} Sizes of a video; the largest counts as the original. */
const VIDEO_SIZES = [['large', 'large'], ['medium', 'regular'], ['small', 'small'], ['tiny', 'small']];

/** A video that is not to be had in a size has an empty URL there. @returns {import('imgscript').Item} */
function video({ id, pageURL, tags, user, user_id, views, downloads, likes, comments, videos, isAiGenerated, ...extra }) {
  const found = VIDEO_SIZES.map(([name, role]) => ({ role, ...videos[name] })).filter(({ url }) => url);
  const still = found.map(({ thumbnail }) => thumbnail).filter(Boolean);
  return {
    id: id && `video:${id}`,
    type: 'video',
    page: pageURL,
    tags: tags ? tags.split(', ') : [],
    author: { name: user, id: user_id, url: user_id && encodeURI(`https://pixabay.com/users/${user}-${user_id}/`) },
    license: LICENSE,
    stats: { views, downloads, likes, comments },
    aiGenerated: isAiGenerated ?? null,
    media: [
      ...found.map(({ role, url, width, height, size }, index) => ({
        role: index ? role : /** @type {const} */ ('original'),
        url,
        type: /** @type {const} */ ('video'),
        format: 'mp4',
        width: width || null,
        height: height || null,
        bytes: size || null,
      })),
      ...still.slice(-1).map((url) => (
        { role: /** @type {const} */ ('thumbnail'), url, type: /** @type {const} */ ('image') })),
    ],
    extra,
  };
}

/** When web format URLs end: they work for 24 hours. @param {import('imgscript').Response} res */
function expiry(res) {
  const answered = Date.parse(res.headers.date ?? '');
  return answered ? new Date(answered + 24 * 3600 * 1000).toISOString() : undefined;
}
