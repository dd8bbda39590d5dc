const { fail, fit } = require('imgscript');

const SITE = 'https://unsplash.com';
const UTM = 'utm_source=imgscript&utm_medium=referral'; // the guidelines want every link to say where it comes from
const ORIENTATIONS = ['landscape', 'portrait', 'squarish'];
/** @type {import('imgscript').Parameter} */
const SHAPE = {
  type: 'choice', values: ORIENTATIONS, filter: 'aspect',
  filterValues: { landscape: 'landscape', portrait: 'portrait', square: 'squarish' },
};
const ORDERS = ['latest', 'oldest', 'popular'];
const MEDIA = ['images.unsplash.com', 'plus.unsplash.com'];
// What photos, illustrations and collections are called in addresses: /de/fotos/…
const PHOTOS = ['fotos', 'photos', 'foto', 'fotografias', '写真', '사진', 'illustrationen', 'ilustraciones',
  'illustrations', 'illustrazioni', 'ilustracoes', 'イラスト', '일러스트'].map(encodeURI);
const COLLECTIONS = ['kollektionen', 'colecciones', 'collections', 'collezioni', 'colecoes'];
const COLORS = 'black_and_white black white yellow orange red purple magenta green teal blue'.split(' ');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'unsplash',
  name: 'Unsplash',
  version: '1.1.0',
  homepage: `https://unsplash.com/?${UTM}`,
  summary: 'Free photographs in high resolution from a large community of photographers.',
  category: 'photographs',
  base: 'https://api.unsplash.com',
  hosts: ['api.unsplash.com'],
  mediaHosts: MEDIA,
  auth: { type: 'header', name: 'Authorization', template: 'Client-ID {key}', help: 'https://unsplash.com/developers' },
  limits: { pageSize: { max: 30, default: 20 }, rate: ['50/1h'] }, // 5,000 an hour once Unsplash approves a key
  terms: { url: 'https://unsplash.com/api-terms', license: 'Unsplash License', hotlink: true,
    attribution: 'Photo by {author.name} on Unsplash' },

  check: (res) => {
    if (res.status === 403 && res.text.includes('Rate Limit Exceeded')) fail('rate', 'Rate Limit Exceeded');
    if (res.status === 410) fail('unsupported', 'Unsplash takes this query for spam.');
  },

  search: {
    newestFirst: { order_by: ['latest'] },
    params: {
      orientation: SHAPE,
      color: { type: 'choice', values: COLORS },
      order_by: { type: 'choice', values: ['relevant', 'latest', 'editorial'] },
      content_filter: { type: 'choice', values: ['low', 'high'], help: 'How much that may offend is left out.' },
      collections: { type: 'list', join: ',', help: 'Only photos of these collections, by id.' },
      lang: { type: 'string', help: 'The language of the query, such as "de" or "ja".' },
    },
    request: (q) => paged('/search/photos', q),
    parse,
  },

  // The editorial list has one order.
  feed: {
    newestFirst: { order_by: ['latest'] },
    params: {
      topic: { type: 'string', help: 'Only photos of this topic: wallpapers, nature, street-photography …' },
      order_by: { type: 'choice', values: ORDERS, help: 'Of a topic.' },
      orientation: { type: 'choice', values: ORIENTATIONS, help: 'Of a topic.' },
    },
    request: (q) => {
      const { topic, ...params } = q.params;
      if (topic) return paged(`/topics/${encodeURIComponent(topic)}/photos`, { ...q, params });
      const [name] = Object.keys(params);
      if (name) fail('unsupported', `The editorial list takes no ${name} (expected a topic, too).`);
      return paged('/photos', q);
    },
    parse,
  },

  details: {
    // A page's address has the title before the id, which is eleven characters of base64url.
    request: ({ id }) => ({ url: `/photos/${encodeURIComponent(id.match(/-([\w-]{11})$/)?.[1] ?? id)}` }),
    parse: (res) => image(res.json),
  },

  // `user:anna`, `topic:nature`, `collection:7310042`, `search:coffee`.
  collection: {
    newestFirst: { order_by: ['latest'] },
    params: {
      orientation: SHAPE,
      order_by: {
        type: 'choice', values: [...ORDERS, 'views', 'downloads', 'pinned'],
        help: 'Of a user; the first three of a topic, too.',
      },
    },
    request: (item, q) => {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'search') return paged('/search/photos', { ...q, text: name });
      if (kind === 'collection' && q.params.order_by) fail('unsupported', 'Collections have one order (no order_by).');
      return paged(`/${kind}s/${encodeURIComponent(name)}/photos`, q);
    },
    parse,
  },

  // The guidelines ask for this request whenever a photo is saved, whichever size is fetched.
  download: {
    request: (media, { id, extra }) => {
      const path = extra?.links?.download_location?.replace(/^https?:\/\/[^/]+/, ''); // to the API's own host alone
      return { url: path ?? `/photos/${encodeURIComponent(id)}/download` };
    },
    // The media's own URL will do where the answer names another host.
    parse: ({ json: { url } }, media) => (
      ['original', 'large'].includes(media.role) && MEDIA.includes(new URL(url).hostname) ? { url } : undefined),
  },

  match: [
    { pattern: [`${SITE}/s/photos/{text}`, 'search:{text}'], item: { id: 'search:{text}', type: 'collection' } },
    {
      pattern: [...['photos', 'illustrations'].map((kind) => `${SITE}/${kind}/{slug}`),
        ...PHOTOS.map((kind) => `${SITE}/*/${kind}/{slug}`)],
      item: { id: '{slug}' },
    },
    {
      pattern: [`${SITE}/@{user}`, `${SITE}/*/@{user}`, 'user:{user}'],
      item: { id: 'user:{user}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/t/{slug}`, `${SITE}/*/t/{slug}`, 'topic:{slug}'],
      item: { id: 'topic:{slug}', type: 'collection' },
    },
    {
      pattern: [...['collections', ...COLLECTIONS.map((kind) => `*/${kind}`)].flatMap((path) => (
        [`${SITE}/${path}/{id}/*`, `${SITE}/${path}/{id}`])), 'collection:{id}'],
      item: { id: 'collection:{id}', type: 'collection' },
    },
  ],
};

/** @param {string} url @param {import('imgscript').Query} q */
function paged(url, { text, page, limit, params }) {
  return { url, query: { query: text || null, page, per_page: limit, ...params } };
}

/** A search gives an object, every other list an array. @param {import('imgscript').Response} res */
function parse({ json, headers }) {
  const { results = json, total = headers['x-total'] } = json;
  return { total: total == null ? null : Number(total), items: results.map(image) };
}

/** @returns {import('imgscript').Item} */
function image(photo) {
  const {
    id, description, alt_description, color, created_at, width, height, likes, views, downloads, urls, tags,
    exif, location, ...extra
  } = photo;
  const { raw, full, regular, small, thumb, ...otherURLs } = urls;
  const { user, links, premium, plus } = extra;
  return {
    id,
    type: 'image',
    title: description ?? alt_description,
    description: alt_description,
    page: `${links.html}?${UTM}`,
    tags: tags?.map((tag) => tag.title),
    author: { name: user.name, id: user.username, url: `${user.links.html}?${UTM}` },
    license: premium || plus
      ? { id: 'unsplash-plus', name: 'Unsplash+ License', url: 'https://unsplash.com/plus/license' }
      : { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
    created: created_at,
    location: location && { name: location.name, city: location.city, country: location.country, ...location.position },
    camera: exif && { make: exif.make, model: exif.model, exposure: exif.exposure_time, aperture: exif.aperture,
      focalLength: exif.focal_length, iso: exif.iso },
    colors: color ? [color] : null,
    stats: { likes, views, downloads },
    media: [
      { role: 'original', url: raw, width, height },
      { role: 'large', url: full, width, height, format: 'jpeg' },
      { role: 'regular', url: regular, ...fit(photo, { width: 1080 }), format: 'jpeg' },
      { role: 'small', url: small, ...fit(photo, { width: 400 }), format: 'jpeg' },
      { role: 'thumbnail', url: thumb, ...fit(photo, { width: 200 }), format: 'jpeg' },
    ],
    extra: { ...extra, urls: Object.keys(otherURLs).length ? otherURLs : null },
  };
}
