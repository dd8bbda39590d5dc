// What Flickr's API says of photos, in the words of the contract: https://www.flickr.com/services/api/
const { fileFormat, license, parseDate, plainText } = require('imgscript');
const { read } = require('./flickr-answer-theme');

/** By Flickr's number, from 0. @type {import('imgscript').License[]} */
const LICENSES = [
  { id: 'all-rights-reserved', name: 'All Rights Reserved', url: 'https://www.flickr.com/help/terms' },
  ...commons('2.0', ['by-nc-sa', 'by-nc', 'by-nc-nd', 'by', 'by-sa', 'by-nd']),
  { id: 'no-known-copyright', name: 'No known copyright restrictions', url: 'https://www.flickr.com/commons/usage/' },
  { id: 'us-government', name: 'United States Government Work', url: 'https://www.usa.gov/government-copyright' },
  ...commons('1.0', ['cc0', 'pdm']),
  ...commons('4.0', ['by', 'by-sa', 'by-nd', 'by-nc', 'by-nc-sa', 'by-nc-nd']),
];
const SITE = 'https://www.flickr.com';
const SERVER = 'https://live.staticflickr.com';
const SIZES = ['o', '6k', '5k', 'f', '4k', '3k', 'k', 'h', 'l', 'c', 'z', 'm', 'w', 'n', 's', 't', 'q', 'sq']; // down
const EXTRAS = ['owner_name', 'license', 'description', 'date_upload', 'date_taken', 'last_update', 'tags', 'geo',
  'views', 'media', 'path_alias', 'original_format', 'o_dims', ...SIZES.map((size) => `url_${size}`)].join();
const MAPPED = ['id', 'title', 'description', 'owner', 'ownername', 'license', 'tags', 'views', 'datetaken', 'latitude',
  'longitude', ...SIZES.flatMap((size) => [`url_${size}`, `width_${size}`, `height_${size}`])];

const PREVIEWS = ['m', 'n', 'z', 'l'].map((size) => `url_${size}`).join(); // of an album's cover

module.exports = { LICENSES, EXTRAS, PREVIEWS, list, albums, galleries, detailed, built };

/** @param {import('imgscript').Response} res */
function list(res) {
  const { photos, photoset } = read(res);
  const { photo = [], total, owner, ownername } = photos ?? photoset; // an album's photos have one owner
  const items = photo.map((row) => image({ owner, ownername, ...row }));
  return { total: total == null ? null : Number(total), items };
}

/** The albums of a user. @param {import('imgscript').Response} res @returns {import('imgscript').Page} */
function albums(res) {
  const { photoset = [], total } = read(res).photosets;
  const items = photoset.map((row) => {
    const { id, owner, username, primary, server, secret, primary_photo_extras: cover = {} } = row;
    const page = `${SITE}/photos/${owner}/albums/${id}`;
    const sizes = sizesOf(cover);
    const media = sizes.length ? files(sizes) : built(`${SERVER}/${server}/${primary}_${secret}`);
    return { ...shelf(row, owner, username), id: `album:${owner}/${id}`, page, media };
  });
  return { total: Number(total), items };
}

/** The galleries that a user put together of others' photos. @param {import('imgscript').Response} res */
function galleries(res) {
  const { gallery = [], total } = read(res).galleries;
  const items = gallery.map((row) => {
    const { gallery_id, url, owner, username, primary_photo_id: id, primary_photo_server: server } = row;
    const media = built(`${SERVER}/${server}/${id}_${row.primary_photo_secret}`);
    return { ...shelf(row, owner, username), id: `gallery:${gallery_id}`, page: url, media };
  });
  return { total: Number(total), items };
}

/** What albums and galleries say alike. @returns {Omit<import('imgscript').Item, 'id' | 'media'>} */
function shelf({ title, description, date_create, count_photos, count_views, count_comments }, owner, username) {
  const number = (/** @type {any} */ count) => (count == null ? null : Number(count));
  return {
    type: 'collection',
    title: text(title),
    description: plainText(text(description)?.replace(/\n/g, '<br>')),
    author: { name: username || owner, id: owner, url: `${SITE}/photos/${owner}/` },
    created: parseDate(date_create),
    stats: { photos: number(count_photos), views: number(count_views), comments: number(count_comments) },
  };
}

/** The sizes among a row's members, the largest first. */
function sizesOf(row) {
  return SIZES.filter((size) => row[`url_${size}`]).map((size) => (
    { label: size, source: row[`url_${size}`], width: row[`width_${size}`], height: row[`height_${size}`] }));
}

/** The original, where only the secret that is its own is told, and not its address. @param {any} row */
function original(row) {
  const { server, id, originalsecret, originalformat, o_width: width, o_height: height } = row;
  if (!originalsecret || !originalformat) return [];
  return [{ label: 'o', source: `${SERVER}/${server}/${id}_${originalsecret}_o.${originalformat}`, width, height }];
}

/** @returns {import('imgscript').Item} */
function image(row) {
  const { id, owner, ownername, tags, views, latitude, longitude } = row;
  const user = owner && `${SITE}/photos/${row.pathalias || owner}/`;
  const listed = sizesOf(row);
  const whole = row.url_o ? [] : original(row);
  const media = listed.length ? files([...whole, ...listed], row.originalformat)
    : [...files(whole, row.originalformat), ...built(`${SERVER}/${row.server}/${id}_${row.secret}`)];
  return {
    id,
    type: 'image',
    title: text(row.title),
    description: plainText(text(row.description)?.replace(/\n/g, '<br>')),
    page: user && `${user}${id}/`,
    tags: tags?.split(' ').filter(Boolean),
    author: { name: ownername || owner, id: owner, url: user },
    license: LICENSES[row.license],
    created: Number(row.datetakenunknown) ? null : parseDate(row.datetaken),
    location: Number(row.accuracy) ? { latitude: Number(latitude), longitude: Number(longitude) } : null,
    stats: views && { views: Number(views) },
    media,
    extra: Object.fromEntries(Object.entries(row).filter(([name]) => !MAPPED.includes(name))),
  };
}

/** What `getInfo`, `getSizes` and `getExif` say of one photo. @returns {import('imgscript').Item} */
function detailed({ owner, dates, tags, location, urls, comments, safety_level, ...info }, sizes, exif) {
  const { latitude, longitude, accuracy } = location ?? {};
  const item = image({
    ...info, latitude, longitude, accuracy, owner: owner.nsid, ownername: owner.username, pathalias: owner.path_alias,
    datetaken: dates.taken, datetakenunknown: dates.takenunknown,
  });
  const page = urls?.url?.find((url) => url.type === 'photopage');
  const stills = sizes.filter((size) => size.media !== 'video').reverse();
  const isWhole = stills.some(({ label }) => label === 'Original');
  const taken = exif && Object.fromEntries(exif.map((entry) => [entry.tag, text(entry.raw)]));
  return {
    ...item,
    page: text(page) ?? item.page,
    tags: tags?.tag?.map((tag) => tag.raw),
    location: location && { ...item.location, ...place(location) },
    camera: taken && camera(taken),
    stats: { ...item.stats, comments: comments && Number(text(comments)) },
    media: files([...(isWhole ? [] : original(info)), ...stills], info.originalformat),
    rating: (/** @type {const} */ (['safe', 'sensitive', 'explicit']))[safety_level],
    extra: { ...item.extra, owner, dates, exif: taken },
  };
}

function place(location) {
  const names = ['neighbourhood', 'locality', 'county', 'region', 'country'].map((level) => text(location[level]));
  return { name: names.filter(Boolean).join(', '), city: text(location.locality), country: text(location.country) };
}

/** @param {Record<string, string | null>} taken Exif by tag. @returns {import('imgscript').Camera} */
function camera(taken) {
  return {
    make: taken.Make, model: taken.Model, lens: taken.LensModel, exposure: taken.ExposureTime, aperture: taken.FNumber,
    focalLength: taken.FocalLength?.replace(/ ?mm$/, ''), iso: Number(taken.ISO) || null,
  };
}

/** @returns {import('imgscript').Media[]} */
function files(sizes, /** @type {string | undefined} */ format) {
  return sizes.map(({ source: url, label, ...size }) => {
    const [width, height] = [Number(size.width), Number(size.height)];
    if (/^o/i.test(label)) {
      return { role: 'original', url, width: width || null, height: height || null, format: fileFormat(format) };
    }
    const side = Math.max(width, height);
    const role = side > 800 ? 'large' : side > 400 ? 'regular' : side > 150 ? 'small' : 'thumbnail';
    return { role, url, width, height };
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

/** @param {string} version @param {string[]} codes */
function commons(version, codes) {
  return codes.map((code) => /** @type {import('imgscript').License} */ (license(code, version)));
}

function text(/** @type {any} bare or in `_content` */ value) {
  const found = value?._content ?? value;
  return (typeof found !== 'object' && found) || null;
}
