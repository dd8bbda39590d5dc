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
const SERVER = 'https://live.staticflickr.com';
const SIZES = ['o', '6k', '5k', 'f', '4k', '3k', 'k', 'h', 'l', 'c', 'z', 'm', 'w', 'n', 's', 't', 'q', 'sq']; // down
const EXTRAS = ['owner_name', 'license', 'description', 'date_upload', 'date_taken', 'last_update', 'tags', 'geo',
  'views', 'media', 'path_alias', 'original_format', 'o_dims', ...SIZES.map((size) => `url_${size}`)].join();
const MAPPED = ['id', 'title', 'description', 'owner', 'ownername', 'license', 'tags', 'views', 'datetaken', 'latitude',
  'longitude', ...SIZES.flatMap((size) => [`url_${size}`, `width_${size}`, `height_${size}`])];

module.exports = { LICENSES, EXTRAS, list, detailed, built };

/** @param {import('imgscript').Response} res */
function list(res) {
  const { photos, photoset } = read(res);
  const { photo = [], total, owner, ownername } = photos ?? photoset; // an album's photos have one owner
  const items = photo.map((row) => image({ owner, ownername, ...row }));
  return { total: total == null ? null : Number(total), items };
}

/** @returns {import('imgscript').Item} */
function image(row) {
  const { id, owner, ownername, tags, views, latitude, longitude } = row;
  const user = owner && `https://www.flickr.com/photos/${row.pathalias || owner}/`;
  const sizes = SIZES.filter((size) => row[`url_${size}`]).map((size) => (
    { label: size, source: row[`url_${size}`], width: row[`width_${size}`], height: row[`height_${size}`] }));
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
    media: sizes.length ? files(sizes, row.originalformat) : built(`${SERVER}/${row.server}/${id}_${row.secret}`),
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
  const taken = exif && Object.fromEntries(exif.map((entry) => [entry.tag, text(entry.raw)]));
  return {
    ...item,
    page: text(page) ?? item.page,
    tags: tags?.tag?.map((tag) => tag.raw),
    location: location && { ...item.location, ...place(location) },
    camera: taken && camera(taken),
    stats: { ...item.stats, comments: comments && Number(text(comments)) },
    media: files(sizes.filter((size) => size.media !== 'video').reverse(), info.originalformat),
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
    if (/^o/i.test(label)) return { role: 'original', url, width, height, format: fileFormat(format) };
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
