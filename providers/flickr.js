const { fail } = require('imgscript');
const feed = require('./flickr-feed-theme');
const { read } = require('./flickr-answer-theme');
const { LICENSES, EXTRAS, list, detailed } = require('./flickr-theme');

/** @type {Record<string, Parameters<typeof fail>[0]>} 10, 105, 106: Flickr cannot just now. */
const FAILURES = { 1: 'notFound', 2: 'blocked', 5: 'notFound', 10: 'rate', 98: 'auth', 99: 'auth', 100: 'auth',
  105: 'rate', 106: 'rate', 111: 'changed', 112: 'changed' };
const SEARCH_FAILURES = { ...FAILURES, 1: 'unsupported', 2: 'notFound', 4: 'auth' };

const SITE = 'https://www.flickr.com';
const SORTS = ['interestingness', 'date-posted', 'date-taken'].flatMap((by) => [`${by}-desc`, `${by}-asc`]);

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'flickr',
  name: 'Flickr',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs by people all over the world, many under Creative Commons licences.',
  base: 'https://api.flickr.com',
  hosts: ['api.flickr.com', 'www.flickr.com'],
  mediaHosts: ['*.staticflickr.com'],
  auth: { type: 'query', name: 'api_key', help: `${SITE}/services/apps/create/` },
  limits: { pageSize: { max: 500, default: 20 }, reachable: 4000, rate: ['3600/1h'] },
  terms: {
    url: `${SITE}/help/terms/api`,
    license: 'As each photographer says',
    attribution: '“{title}” by {author.name} on Flickr',
    cacheAtMost: '24h',
    notice: 'This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.',
  },

  // Errors come with status 200: {"stat":"fail","code":1,"message":"Photo not found"}
  check: (res) => {
    if (!/"stat":\s*"fail"|<rsp stat="fail"/.test(res.text)) return;
    if (res.url.includes('flickr.photos.getExif')) return; // often withheld where the photo is not
    const { err, code = err.code, message = err.msg } = read(res);
    const kinds = res.url.includes('flickr.photos.search') ? SEARCH_FAILURES : FAILURES;
    fail(kinds[code] ?? 'unsupported', `${message} (${code})`);
  },

  search: {
    near: true,
    params: {
      tags: { type: 'list', join: ',', help: 'Tags to have; with "-" in front, not to have.' },
      tag_mode: { type: 'choice', values: ['any', 'all'] },
      user_id: { type: 'string', help: 'Only photos of this user: 12345678@N00.' },
      license: { type: 'list', values: LICENSES.map((license) => license.id) },
      sort: { type: 'choice', values: ['relevance', ...SORTS] },
      content_types: { type: 'list', values: ['0', '1', '2', '3'], join: ',', help: 'Photo, screenshot, other …' },
      safe_search: { type: 'choice', values: ['1', '2', '3'], help: 'Safe, moderate too, restricted too.' },
      min_upload_date: { type: 'string', help: 'As all dates here: 2024-05-01 12:00:00, or Unix seconds.' },
      max_upload_date: { type: 'string' },
      min_taken_date: { type: 'string' },
      max_taken_date: { type: 'string' },
      radius: { type: 'number', max: 32, help: 'Kilometres around the point; 5 unless told.' },
      bbox: { type: 'string', help: 'West, south, east and north edge of an area, in degrees with commas.' },
      place_id: { type: 'string' },
    },
    request: (q) => {
      const license = q.params.license?.map((id) => LICENSES.findIndex((one) => one.id === id)).join();
      const place = { ...q.near, radius: q.near && q.params.radius };
      return call('photos.search', q, { text: q.text || null, ...q.params, license, ...place, media: 'photos' });
    },
    parse: list,
  },

  feed: {
    params: {
      list: {
        type: 'choice', values: ['public', 'interesting', 'recent'], default: 'public',
        help: 'The newest 20, without a key; the best of a day; the newest.',
      },
      tags: { type: 'list', join: ',', help: 'Of the public list: tags to have.' },
      tag_mode: { type: 'choice', values: ['any', 'all'] },
      date: { type: 'string', help: 'Of the interesting list: the day, 2024-05-01.' },
    },
    request: (q) => {
      const { list: name, tags, tag_mode: tagmode, date } = q.params;
      if (name === 'interesting') return call('interestingness.getList', q, { date });
      return name === 'recent' ? call('photos.getRecent', q) : feed.request('photos_public', { tags, tagmode });
    },
    parse: (res) => (res.url.includes('/services/feeds/') ? feed.parse(res) : list(res)),
  },

  *details(item) {
    const methods = ['photos.getInfo', 'photos.getSizes', 'photos.getExif'];
    const [info, sizes, exif] = yield methods.map((method) => call(method, null, { photo_id: item.id }));
    return detailed(read(info).photo, read(sizes).sizes.size, exif && read(exif).photo?.exif);
  },

  // In a page's URL stands the user's chosen name, where the API wants the number.
  *collection(item, q) {
    const [user, album] = item.id.replace(/^(user|album):/, '').split('/');
    const url = `${SITE}/photos/${user}/`;
    const user_id = /@N\d\d$/.test(user) ? user : read(yield call('urls.lookupUser', null, { url })).user.id;
    return list(yield album
      ? call('photosets.getPhotos', q, { photoset_id: album, user_id, media: 'photos' })
      : call('people.getPublicPhotos', q, { user_id }));
  },

  match: [
    { pattern: [`${SITE}/photos/{user}/{id}`, `${SITE}/photos/{user}/{id}/in/*`], item: { id: '{id}' } },
    {
      pattern: [`${SITE}/photos/{user}`, `${SITE}/people/{user}`, 'user:{user}'],
      item: { id: 'user:{user}', type: 'collection' },
    },
    { pattern: `${SITE}/photos/{user}/albums/{id}`, item: { id: 'album:{user}/{id}', type: 'collection' } },
    { pattern: 'album:{user}/{id}', item: { id: 'album:{user}/{id}', type: 'collection' } },
  ],
};

/** @param {string} method @param {{ page: number, limit: number } | null} q @param {Record<string, any>} [query] */
function call(method, q, query) {
  const paged = q && { page: q.page, per_page: q.limit, extras: EXTRAS };
  const all = { method: `flickr.${method}`, ...query, ...paged, format: 'json', nojsoncallback: 1 };
  return { url: '/services/rest/', query: all };
}
