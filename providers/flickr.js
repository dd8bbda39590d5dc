const { fail, parseDate, parseHTML } = require('imgscript');

// By Flickr's number, from 0.
const LICENSES = [
  { id: 'all-rights-reserved', name: 'All Rights Reserved', url: 'https://www.flickr.com/help/terms' },
  ...['by-nc-sa', 'by-nc', 'by-nc-nd', 'by', 'by-sa', 'by-nd'].map((terms) => creativeCommons(terms, '2.0')),
  { id: 'no-known-copyright', name: 'No known copyright restrictions', url: 'https://www.flickr.com/commons/usage/' },
  { id: 'us-government', name: 'United States Government Work', url: 'https://www.usa.gov/government-copyright' },
  { id: 'cc0-1.0', name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  { id: 'pdm-1.0', name: 'Public Domain Mark 1.0', url: 'https://creativecommons.org/publicdomain/mark/1.0/' },
  ...['by', 'by-sa', 'by-nd', 'by-nc', 'by-nc-sa', 'by-nc-nd'].map((terms) => creativeCommons(terms, '4.0')),
];
const SERVER = 'https://live.staticflickr.com';
const SIZES = ['o', '6k', '5k', 'f', '4k', '3k', 'k', 'h', 'l', 'c', 'z', 'm', 'w', 'n', 's', 't', 'q', 'sq']; // down
const EXTRAS = ['owner_name', 'license', 'description', 'date_upload', 'date_taken', 'last_update', 'tags', 'geo',
  'views', 'media', 'path_alias', 'original_format', 'o_dims', ...SIZES.map((size) => `url_${size}`)].join();

const MAPPED = ['id', 'title', 'description', 'owner', 'ownername', 'license', 'tags', 'views', 'datetaken', 'latitude',
  'longitude', ...SIZES.flatMap((size) => [`url_${size}`, `width_${size}`, `height_${size}`])];

/** @type {Record<string, Parameters<typeof fail>[0]>} 10, 105, 106: Flickr cannot just now. */
const FAILURES = { 1: 'notFound', 2: 'blocked', 5: 'notFound', 10: 'rate', 98: 'auth', 99: 'auth', 100: 'auth',
  105: 'rate', 106: 'rate', 111: 'changed', 112: 'changed' };
/** @type {typeof FAILURES} */
const SEARCH_FAILURES = { ...FAILURES, 1: 'unsupported', 2: 'notFound', 4: 'auth' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'flickr',
  name: 'Flickr',
  version: '1.0.0',
  homepage: 'https://www.flickr.com/',
  summary: 'Photographs by people all over the world, many under Creative Commons licences.',
  base: 'https://api.flickr.com',
  hosts: ['api.flickr.com', 'www.flickr.com'],
  mediaHosts: ['*.staticflickr.com'],
  auth: { type: 'query', name: 'api_key', help: 'https://www.flickr.com/services/apps/create/' },
  limits: { pageSize: { max: 500, default: 20 }, reachable: 4000, rate: ['3600/1h'] },
  terms: { url: 'https://www.flickr.com/help/terms/api', attribution: '“{title}” by {author.name} on Flickr' },

  // Errors come with status 200: {"stat":"fail","code":1,"message":"Photo not found"}
  check: (res) => {
    if (!/"stat":\s*"fail"|<rsp stat="fail"/.test(res.text)) return;
    if (res.url.includes('flickr.photos.getExif')) return; // often withheld where the photo is not
    const { err, code = err.code, message = err.msg } = read(res);
    const kinds = res.url.includes('flickr.photos.search') ? SEARCH_FAILURES : FAILURES;
    fail(kinds[code] ?? 'unsupported', `${message} (${code})`);
  },

  search: {
    params: {
      tags: { type: 'list', help: 'Tags to have; with “-” in front, not to have.' },
      tag_mode: { type: 'choice', values: ['any', 'all'] },
      user_id: { type: 'string', help: 'Only photos of this user: 12345678@N00.' },
      license: { type: 'list', values: LICENSES.map((license) => license.id) },
      sort: {
        type: 'choice',
        values: ['relevance', 'interestingness-desc', 'interestingness-asc', 'date-posted-desc', 'date-posted-asc',
          'date-taken-desc', 'date-taken-asc'],
      },
      content_types: { type: 'list', values: ['0', '1', '2', '3'], help: 'Photos, screenshots, other, virtual.' },
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
      const license = q.params.license?.map((/** @type {string} */ id) => LICENSES.findIndex((one) => one.id === id));
      const place = { ...q.near, radius: q.near && q.params.radius };
      return call('photos.search', q, { text: q.text || null, ...q.params, license, ...place, media: 'photos' });
    },
    parse: list,
  },

  feed: {
    params: {
      list: {
        type: 'choice',
        values: ['public', 'interesting', 'recent'],
        default: 'public',
        help: 'The newest 20, without a key; the best of a day; the newest.',
      },
      tags: { type: 'list', help: 'Of the public list: tags to have.' },
      tag_mode: { type: 'choice', values: ['any', 'all'] },
      date: { type: 'string', help: 'Of the interesting list: the day, 2024-05-01.' },
    },
    request: (q) => {
      const { list: name, tags, tag_mode: tagmode, date } = q.params;
      if (name === 'interesting') return call('interestingness.getList', q, { date });
      if (name === 'recent') return call('photos.getRecent', q);
      const query = { tags: tags?.join(), tagmode, format: 'json', nojsoncallback: 1 };
      return { url: 'https://www.flickr.com/services/feeds/photos_public.gne', query, accept: 'text', auth: false };
    },
    parse: (res) => (/^\s*(jsonFlickrFeed\()?\{\s*"title"/.test(res.text) ? publicList(res) : list(res)),
  },

  *details(item) {
    const methods = ['photos.getInfo', 'photos.getSizes', 'photos.getExif'];
    const [info, sizes, exif] = yield methods.map((method) => call(method, null, { photo_id: item.id }));
    return detailed(read(info).photo, read(sizes).sizes.size, exif && read(exif).photo?.exif);
  },

  // In a page's URL stands the user's chosen name, where the API wants the number.
  *collection(item, q) {
    const [user, album] = item.id.replace(/^(user|album):/, '').split('/');
    const url = `https://www.flickr.com/photos/${user}/`;
    const user_id = /@N\d\d$/.test(user) ? user : read(yield call('urls.lookupUser', null, { url })).user.id;
    return list(yield album
      ? call('photosets.getPhotos', q, { photoset_id: album, user_id, media: 'photos' })
      : call('people.getPublicPhotos', q, { user_id }));
  },

  match: [
    { pattern: 'https://www.flickr.com/photos/{user}/{id}', item: { id: '{id}' } },
    { pattern: 'https://www.flickr.com/photos/{user}/{id}/in/*', item: { id: '{id}' } },
    ...['https://www.flickr.com/photos/{user}', 'https://www.flickr.com/people/{user}', 'user:{user}']
      .map((pattern) => ({ pattern, item: collection('user:{user}') })),
    ...['https://www.flickr.com/photos/{user}/albums/{id}', 'album:{user}/{id}']
      .map((pattern) => ({ pattern, item: collection('album:{user}/{id}') })),
  ],
};

/**
 * A request for a method; with a query, for one page of a list.
 * @param {string} method @param {{ page: number, limit: number } | null} q @param {Record<string, any>} [query]
 */
function call(method, q, query) {
  const paged = q && { page: q.page, per_page: q.limit, extras: EXTRAS };
  const all = { method: `flickr.${method}`, ...query, ...paged, format: 'json', nojsoncallback: 1 };
  const joined = Object.entries(all).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]);
  return { url: '/services/rest/', query: Object.fromEntries(joined) };
}

/** The answer; one in XML, the API's first form, as JSON has it. @param {import('imgscript').Response} res */
function read(res) {
  return res.text.trimStart().startsWith('<') ? object(res.xml.documentElement) : res.json;
}

/** @param {import('imgscript').Element} element */
function object(element) {
  /** @type {any} */
  const value = Object.fromEntries(element.attributes.map((attribute) => [attribute.name, attribute.value]));
  for (const child of element.children) {
    const listed = /^(photos|photoset|tags|sizes|urls|notes)$/.test(element.localName) || child.localName === 'exif';
    if (listed) (value[child.localName] ??= []).push(object(child));
    else value[child.localName] = object(child);
  }
  if (!element.children.length && element.textContent) value._content = element.textContent;
  return value;
}

/** @param {import('imgscript').Response} res */
function list(res) {
  const { photos, photoset } = read(res);
  const { photo = [], total, owner, ownername } = photos ?? photoset; // an album's photos have one owner
  return {
    total: total == null ? null : Number(total),
    items: photo.map((/** @type {any} */ row) => image({ owner, ownername, ...row })),
  };
}

/** @param {any} row @returns {import('imgscript').Item} */
function image(row) {
  const { id, title, description, owner, ownername, license, tags, views, latitude, longitude, datetaken } = row;
  const user = `https://www.flickr.com/photos/${row.pathalias || owner}/`;
  const sizes = SIZES.filter((size) => row[`url_${size}`]).map((size) => ({
    source: row[`url_${size}`],
    width: row[`width_${size}`],
    height: row[`height_${size}`],
    label: size === 'o' ? 'Original' : '',
  }));
  return {
    id,
    type: 'image',
    title: text(title),
    description: plain(text(description)),
    page: `${user}${id}/`,
    tags: tags?.split(' ').filter(Boolean),
    author: { name: ownername || owner, id: owner, url: user },
    license: LICENSES[license],
    created: Number(row.datetakenunknown) ? null : parseDate(datetaken),
    location: Number(row.accuracy) ? { latitude: Number(latitude), longitude: Number(longitude) } : null,
    stats: views && { views: Number(views) },
    media: sizes.length ? files(sizes, row.originalformat) : built(`${SERVER}/${row.server}/${id}_${row.secret}`),
    extra: Object.fromEntries(Object.entries(row).filter(([name]) => !MAPPED.includes(name))),
  };
}

/** @param {any} info @param {any[]} sizes @param {any[]} [exif] @returns {import('imgscript').Item} */
function detailed(info, sizes, exif) {
  const { owner, dates, tags, location, urls, comments, safety_level, ...rest } = info;
  const item = image({ ...rest, owner: owner.nsid, ownername: owner.username, pathalias: owner.path_alias,
    datetaken: dates.taken, datetakenunknown: dates.takenunknown,
    latitude: location?.latitude, longitude: location?.longitude, accuracy: location?.accuracy });
  const places = ['neighbourhood', 'locality', 'county', 'region', 'country'].map((name) => text(location?.[name]));
  const names = places.filter(Boolean);
  const taken = Object.fromEntries((exif ?? []).map((entry) => [entry.tag, text(entry.raw)]));
  return {
    ...item,
    page: text(urls?.url?.find((/** @type {any} */ url) => url.type === 'photopage')) ?? item.page,
    tags: tags?.tag?.map((/** @type {any} */ tag) => tag.raw),
    location: location && { ...item.location, name: names.join(', '), city: places[1], country: places[4] },
    camera: exif && {
      make: taken.Make, model: taken.Model, lens: taken.LensModel, exposure: taken.ExposureTime,
      aperture: taken.FNumber, focalLength: taken.FocalLength?.replace(/ ?mm$/, ''), iso: Number(taken.ISO) || null,
    },
    stats: { ...item.stats, comments: comments && Number(text(comments)) },
    media: files(sizes.filter((size) => size.media !== 'video').reverse(), info.originalformat),
    rating: (/** @type {const} */ (['safe', 'sensitive', 'explicit']))[safety_level],
    extra: { ...item.extra, owner, dates, exif: exif && taken },
  };
}

/** @param {any[]} sizes @param {string} [format] @returns {import('imgscript').Media[]} */
function files(sizes, format) {
  return sizes.map(({ source, label, ...size }) => {
    const file = { url: source, width: Number(size.width), height: Number(size.height) };
    if (label === 'Original') return { role: 'original', ...file, format: format === 'jpg' ? 'jpeg' : format };
    const side = Math.max(file.width, file.height);
    return { role: side > 800 ? 'large' : side > 400 ? 'regular' : side > 150 ? 'small' : 'thumbnail', ...file };
  });
}

/** Sizes that need no secret of their own and that every photo has. @param {string} stem @param {object} [small] */
function built(stem, small) {
  return /** @type {import('imgscript').Media[]} */ ([
    { role: 'regular', url: `${stem}.jpg` },
    { role: 'small', url: `${stem}_m.jpg`, ...small },
    { role: 'thumbnail', url: `${stem}_t.jpg` },
  ]);
}

/** One page, in JSON with a `\'` that JSON forbids, inside a call or not. @param {import('imgscript').Response} res */
function publicList(res) {
  const json = res.text.slice(res.text.indexOf('{'), res.text.lastIndexOf('}') + 1);
  const { items } = JSON.parse(json.replace(/\\./g, (escape) => (escape === "\\'" ? "'" : escape)));
  return { items: items.map(publicImage), next: null };
}

/** @param {any} entry @returns {import('imgscript').Item} */
function publicImage({ title, link, media, date_taken, description, author, author_id, tags, ...extra }) {
  const [, user, id] = /(.*\/photos\/[^/]+\/)(\d+)/.exec(link) ?? fail('changed', `No photo’s page: ${link}`);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(description) ?? [];
  return {
    id,
    type: 'image',
    title,
    description: plain(description.replace(/^\s*(<p>.*?<\/p>\s*){2}/s, '')), // after who posted it, and the picture
    page: link,
    tags: tags.split(' ').filter(Boolean),
    author: { name: /\("?(.*?)"?\)$/.exec(author)?.[1] ?? author_id, id: author_id, url: user },
    created: date_taken,
    media: built(media.m.replace(/_m\.jpg$/, ''), width ? { width: Number(width), height: Number(height) } : {}),
    extra,
  };
}

/** @param {string} terms @param {string} version */
function creativeCommons(terms, version) {
  const name = `CC ${terms.toUpperCase()} ${version}`;
  return { id: `cc-${terms}-${version}`, name, url: `https://creativecommons.org/licenses/${terms}/${version}/` };
}

/** @param {string} id @returns {import('imgscript').Match['item']} */
function collection(id) {
  return { id, type: 'collection' };
}

/** Texts stand bare or in `_content`. @param {any} value @returns {string | null} */
function text(value) {
  return (typeof value === 'object' ? value?._content : value) || null;
}

/** @param {string | null} html */
function plain(html) {
  return html && parseHTML(html.replace(/<br\s*\/?>/gi, '\n')).textContent.trim();
}
