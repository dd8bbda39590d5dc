const { fail } = require('imgscript');
const feed = require('./flickr-feed-theme');
const { read } = require('./flickr-answer-theme');
const { LICENSES, EXTRAS, PREVIEWS, list, albums, galleries, detailed } = require('./flickr-theme');

/** @type {Record<string, Parameters<typeof fail>[0]>} 10, 105, 106: Flickr cannot just now. */
const FAILURES = { 1: 'notFound', 2: 'blocked', 5: 'notFound', 10: 'rate', 98: 'auth', 99: 'auth', 100: 'auth',
  105: 'rate', 106: 'rate', 111: 'changed', 112: 'changed' };
const SEARCH_FAILURES = { ...FAILURES, 1: 'unsupported', 2: 'notFound', 4: 'auth' };

const SITE = 'https://www.flickr.com';
const SEARCH_END = 4000; // of photos.search alone: later pages repeat photos
const DIGITS = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'; // of the numbers in flic.kr addresses
const SORTS = ['interestingness', 'date-posted', 'date-taken'].flatMap((by) => [`${by}-desc`, `${by}-asc`]);

/** `2024-05-01T12:00:00Z` as Flickr writes times. @param {string | undefined} text */
const timeOf = (text) => text?.replace(/^([\d-]{10})T([\d:]{8}).*$/, '$1 $2');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'flickr',
  name: 'Flickr',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Photographs by people all over the world, many under Creative Commons licences; new keys need Flickr Pro.',
  category: 'photographs',
  base: 'https://api.flickr.com',
  hosts: ['api.flickr.com', 'www.flickr.com'],
  mediaHosts: ['*.staticflickr.com'],
  auth: [
    // Private photos and own favourites, for those who log in: https://www.flickr.com/services/api/auth.oauth.html
    {
      type: 'oauth1',
      request: `${SITE}/services/oauth/request_token`,
      authorize: `${SITE}/services/oauth/authorize?perms=read`,
      token: `${SITE}/services/oauth/access_token`,
      help: `${SITE}/services/apps/create/`,
    },
    { type: 'query', name: 'api_key', help: `${SITE}/services/apps/create/` },
  ],
  limits: { pageSize: { max: 500, default: 20 }, rate: ['3600/1h'] },
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
    const hint = Number(code) === 100 ? '; to create a key, Flickr asks for a Pro account' : '';
    fail(kinds[code] ?? 'unsupported', `${message} (${code})${hint}`);
  },

  search: {
    near: true,
    newestFirst: { sort: ['date-taken-desc'] },
    params: {
      tags: { type: 'list', join: ',', help: 'Tags to have; with "-" in front, not to have.' },
      tag_mode: { type: 'choice', values: ['any', 'all'] },
      user_id: { type: 'string', help: 'Only photos of this user: 12345678@N00.' },
      exclude_tags: { type: 'list', filter: 'exclude-tag', help: 'Tags not to have.' },
      license: { type: 'list', values: LICENSES.map((license) => license.id), filter: 'license' },
      sort: { type: 'choice', values: ['relevance', ...SORTS] },
      content_types: { type: 'list', values: ['0', '1', '2', '3'], join: ',', help: 'Photo, screenshot, other …' },
      safe_search: { type: 'choice', values: ['1', '2', '3'], help: 'Safe, moderate too, restricted too.' },
      min_upload_date: { type: 'string', help: 'As all dates here: 2024-05-01 12:00:00, or Unix seconds.' },
      max_upload_date: { type: 'string' },
      min_taken_date: { type: 'string', filter: 'since' },
      max_taken_date: { type: 'string', filter: 'until' },
      radius: { type: 'number', max: 32, help: 'Kilometres around the point; 5 unless told.' },
      bbox: { type: 'string', help: 'West, south, east and north edge of an area, in degrees with commas.' },
      place_id: { type: 'string' },
    },
    request: (q) => {
      const license = q.params.license?.map((id) => LICENSES.findIndex((one) => one.id === id)).join();
      const place = { ...q.near, radius: q.near && q.params.radius };
      const { exclude_tags: excluded, min_taken_date: from, max_taken_date: to, ...params } = q.params;
      const tags = [params.tags, ...(excluded ?? []).map((tag) => `-${tag}`)].filter(Boolean).join();
      const narrowed = { tags: tags || null, license, min_taken_date: timeOf(from), max_taken_date: timeOf(to) };
      return call('photos.search', q, { text: q.text || null, ...params, ...narrowed, ...place, media: 'photos' });
    },
    parse: found,
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
    const photo_id = photoID(item.id);
    const methods = ['photos.getInfo', 'photos.getSizes', 'photos.getExif'];
    const [info, sizes, exif] = yield methods.map((method) => call(method, null, { photo_id }));
    return detailed(read(info).photo, read(sizes).sizes.size, exif && read(exif).photo?.exif);
  },

  // `user:anna`, `album:anna/721`, `albums:anna`, `favorites:anna`, `gallery:721`, `galleries:anna`, `group:cups`,
  // `tag:cat`, `tag:anna/cat`, `search:cat`; `me` is whoever is logged in: `favorites:me`, `user:me`, `albums:me`.
  *collection(item, q) {
    const [kind, name] = item.id.includes(':') ? item.id.split(/:(.*)/s) : ['user', item.id];
    const [first, second] = name.split('/');
    if (kind === 'search') return found(yield call('photos.search', q, { text: name, media: 'photos' }), q);
    if (kind === 'tag') {
      const user_id = second ? yield* userID(first) : null;
      return found(yield call('photos.search', q, { tags: second ?? first, user_id, media: 'photos' }), q);
    }
    if (kind === 'gallery') return list(yield call('galleries.getPhotos', q, { gallery_id: first }));
    if (kind === 'group') return list(yield call('groups.pools.getPhotos', q, { group_id: yield* groupID(first) }));
    const isMe = first === 'me';
    const user_id = isMe ? null : yield* userID(first); // lists without a user are those of whoever is logged in
    const extras = { extras: null, primary_photo_extras: PREVIEWS };
    if (kind === 'albums') return albums(yield call('photosets.getList', q, { user_id }, extras));
    if (kind === 'galleries') return galleries(yield call('galleries.getList', q, { user_id }, extras));
    if (kind === 'favorites') {
      return list(yield call(isMe ? 'favorites.getList' : 'favorites.getPublicList', q, { user_id }));
    }
    if (kind === 'user' && isMe) return list(yield call('people.getPhotos', q, { user_id: 'me' }));
    return list(yield kind === 'album'
      ? call('photosets.getPhotos', q, { photoset_id: second, user_id, media: 'photos' })
      : call('people.getPublicPhotos', q, { user_id }));
  },

  // Words such as `tags` and `favorites` stand where other addresses have a user, or the number of a photo.
  match: [
    ...lists('tag:{tag}', [`${SITE}/photos/tags/{tag}`]),
    ...lists('tag:{user}/{tag}', [`${SITE}/photos/{user}/tags/{tag}`]),
    ...lists('search:{text}', [`${SITE}/search?text={text}`, `${SITE}/search/?text={text}`]),
    ...lists('favorites:{user}', [`${SITE}/photos/{user}/favorites`, `${SITE}/photos/{user}/favorites/*`]),
    ...lists('albums:{user}', [`${SITE}/photos/{user}/albums`, `${SITE}/photos/{user}/sets`]),
    ...lists('galleries:{user}', [`${SITE}/photos/{user}/galleries`]),
    ...lists('gallery:{id}', [`${SITE}/photos/*/galleries/{id}`]),
    ...lists('album:{user}/{id}', ['albums', 'sets'].flatMap((word) => (
      [`${SITE}/photos/{user}/${word}/{id}`, `${SITE}/photos/{user}/${word}/{id}/with/*`]))),
    ...lists('group:{name}', [`${SITE}/groups/{name}/pool`, `${SITE}/groups/{name}`]),
    {
      pattern: ['', '/in/*', '/sizes/*', '/sizes/*/in/*', '/lightbox'].map((end) => `${SITE}/photos/{user}/{id}${end}`),
      item: { id: '{id}' },
    },
    { pattern: 'https://flic.kr/p/{code}', item: { id: 'p/{code}' } },
    ...lists('user:{user}', [`${SITE}/photos/{user}`, `${SITE}/people/{user}`]),
  ],
};

/** What leads to a list. @param {string} id @param {string[]} pages @returns {import('imgscript').Match[]} */
function lists(id, pages) {
  return [{ pattern: [...pages, id], item: { id, type: 'collection' } }];
}

/** @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function found(res, q) {
  const page = list(res);
  return q.page * q.limit < SEARCH_END ? page : { ...page, next: null };
}

/** The number of a photo, which an address at flic.kr has in base 58. @param {string} id */
function photoID(id) {
  if (/^\d+$/.test(id)) return id;
  const code = /^p\/([1-9A-HJ-NP-Za-km-z]+)$/.exec(id)?.[1];
  if (!code) fail('unsupported', `"${id}" is no photo (expected its number, such as 99702469154).`);
  return String([...code].reduce((sum, digit) => sum * 58 + DIGITS.indexOf(digit), 0));
}

/** The NSID of a user; in a page's URL stands the name they chose. @param {string} name */
function* userID(name) {
  if (/@N\d\d$/.test(name)) return name;
  return read(yield call('urls.lookupUser', null, { url: `${SITE}/photos/${name}/` })).user.id;
}

/** The NSID of a group. @param {string} name */
function* groupID(name) {
  if (/@N\d\d$/.test(name)) return name;
  return read(yield call('urls.lookupGroup', null, { url: `${SITE}/groups/${name}/` })).group.id;
}

/**
 * @param {string} method @param {{ page: number, limit: number } | null} q @param {Record<string, any>} [query]
 * @param {Record<string, any>} extras
 */
function call(method, q, query, extras = { extras: EXTRAS }) {
  const paged = q && { page: q.page, per_page: q.limit, ...extras };
  const all = { method: `flickr.${method}`, ...query, ...paged, format: 'json', nojsoncallback: 1 };
  return { url: '/services/rest/', query: all };
}
