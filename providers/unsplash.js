const { fail } = require('imgscript');

// The API guidelines want every link to Unsplash to say which application it comes from.
const UTM = 'utm_source=imgscript&utm_medium=referral';
const ORIENTATIONS = ['landscape', 'portrait', 'squarish'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'unsplash',
  name: 'Unsplash',
  version: '1.0.0',
  homepage: `https://unsplash.com/?${UTM}`,
  summary: 'Free photographs in high resolution from a large community of photographers.',
  base: 'https://api.unsplash.com',
  hosts: ['api.unsplash.com'],
  mediaHosts: ['images.unsplash.com', 'plus.unsplash.com'],
  auth: { type: 'header', name: 'Authorization', template: 'Client-ID {key}', help: 'https://unsplash.com/developers' },
  limits: { pageSize: { max: 30, default: 20 }, rate: ['50/1h'] }, // 5,000 an hour once Unsplash approves a key
  terms: {
    url: 'https://unsplash.com/api-terms',
    license: 'Unsplash License',
    hotlink: true,
    attribution: 'Photo by {author.name} on Unsplash',
  },

  check: (res) => {
    if (res.status === 403 && res.text.includes('Rate Limit Exceeded')) fail('rate', 'Rate Limit Exceeded');
    if (res.status === 410) fail('unsupported', 'Unsplash takes this query for spam.');
  },

  search: {
    params: {
      orientation: { type: 'choice', values: ORIENTATIONS },
      color: {
        type: 'choice',
        values: ['black_and_white', 'black', 'white', 'yellow', 'orange', 'red', 'purple', 'magenta', 'green', 'teal',
          'blue'],
      },
      order_by: { type: 'choice', values: ['relevant', 'latest', 'editorial'] },
      content_filter: { type: 'choice', values: ['low', 'high'], help: 'How much that may offend is left out.' },
      collections: { type: 'list', help: 'Only photos of these collections, by id.' },
      lang: { type: 'string', help: 'The language of the query, such as “de” or “ja”.' },
    },
    request: (q) => ({
      url: '/search/photos',
      query: { query: q.text, page: q.page, per_page: q.limit, ...q.params, collections: q.params.collections?.join() },
    }),
    parse: (res) => ({ total: res.json.total, items: res.json.results.map(image) }),
  },

  feed: {
    params: { order_by: { type: 'choice', values: ['latest', 'oldest', 'popular'] } },
    request: (q) => ({ url: '/photos', query: { page: q.page, per_page: q.limit, ...q.params } }),
    parse: list,
  },

  details: {
    request: (item) => ({ url: `/photos/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json),
  },

  collection: {
    params: { orientation: { type: 'choice', values: ORIENTATIONS } },
    request: (item, q) => {
      const [kind, id] = item.id.split(':');
      const path = kind === 'user' ? 'users' : 'collections';
      const query = { page: q.page, per_page: q.limit, ...q.params };
      return { url: `/${path}/${encodeURIComponent(id)}/photos`, query };
    },
    parse: list,
  },

  // The guidelines ask for this request whenever a photo is saved, whichever size is fetched.
  download: {
    request: (media, item) => {
      const place = item.extra?.links?.download_location ?? `/photos/${encodeURIComponent(item.id)}/download`;
      return { url: place.replace(/^https?:\/\/[^/]+/, '') }; // to the API's own host and no other
    },
    parse: (res, media) => (['original', 'large'].includes(media.role) ? { url: res.json.url } : undefined),
  },

  match: [
    { pattern: 'https://unsplash.com/photos/{slug}', item: { id: '{slug}' } }, // the API takes ids and slugs
    { pattern: 'https://unsplash.com/collections/{id}/*', item: { id: 'collection:{id}', type: 'collection' } },
    { pattern: 'https://unsplash.com/collections/{id}', item: { id: 'collection:{id}', type: 'collection' } },
    { pattern: 'https://unsplash.com/@{user}', item: { id: 'user:{user}', type: 'collection' } },
    { pattern: 'collection:{id}', item: { id: 'collection:{id}', type: 'collection' } },
    { pattern: 'user:{user}', item: { id: 'user:{user}', type: 'collection' } },
  ],
};

/** @param {import('imgscript').Response} res */
function list(res) {
  const total = res.headers['x-total'];
  return { total: total ? Number(total) : null, items: res.json.map(image) };
}

/** @param {any} photo @returns {import('imgscript').Item} */
function image(photo) {
  const { id, description, alt_description, color, created_at, width, height, ...rest } = photo;
  const { likes, views, downloads, urls, tags, exif, location, ...extra } = rest;
  const { raw, full, regular, small, thumb, ...moreURLs } = urls;
  const { user, links, premium, plus } = extra;
  return {
    id,
    type: 'image',
    title: description ?? alt_description,
    description: alt_description,
    page: `${links.html}?${UTM}`,
    tags: tags?.map((/** @type {any} */ tag) => tag.title),
    author: { name: user.name, id: user.username, url: `${user.links.html}?${UTM}` },
    license: premium || plus
      ? { id: 'unsplash-plus', name: 'Unsplash+ License', url: 'https://unsplash.com/plus/license' }
      : { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
    created: created_at,
    location: known({ ...location?.position, name: location?.name, city: location?.city, country: location?.country }),
    camera: known({
      make: exif?.make, model: exif?.model, exposure: exif?.exposure_time,
      aperture: exif?.aperture, focalLength: exif?.focal_length, iso: exif?.iso,
    }),
    colors: color ? [color] : null,
    stats: { likes, views, downloads },
    media: [
      { role: 'original', url: raw, width, height },
      { role: 'large', url: full, width, height, format: 'jpeg' },
      { role: 'regular', url: regular, ...within(1080, photo), format: 'jpeg' },
      { role: 'small', url: small, ...within(400, photo), format: 'jpeg' },
      { role: 'thumbnail', url: thumb, ...within(200, photo), format: 'jpeg' },
    ],
    extra: { ...extra, urls: known(moreURLs) },
  };
}

/** The URLs have a width and `fit=max`: shapes stay, nothing grows. @param {number} most @param {any} photo */
function within(most, { width, height }) {
  const size = Math.min(most, width);
  return { width: size, height: Math.max(1, Math.round((height * size) / width)) };
}

/** What is null in all its fields is not known. @template {object} T @param {T} value */
function known(value) {
  return Object.values(value).some((field) => field != null) ? value : null;
}
