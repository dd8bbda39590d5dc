const { fail, license, parseDate } = require('imgscript');

const API = 'https://api.panoramax.xyz';
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  radius: { type: 'integer', min: 1, max: 5000, default: 250, help: 'Metres around the point of --near.' },
  from: { type: 'string', filter: 'since', help: 'Taken on this day or later: 2024-05-01.' },
  to: { type: 'string', filter: 'until', help: 'Taken on this day or earlier.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'panoramax',
  name: 'Panoramax',
  version: '1.0.0',
  homepage: 'https://panoramax.fr/',
  summary: 'Photographs of streets and paths around a point, many of them panoramas, by everybody.',
  category: 'photographs',
  base: API,
  hosts: ['api.panoramax.xyz'],
  mediaHosts: ['*'], // each server of the federation has its own
  limits: { pageSize: { max: 1000, default: 20 }, rate: ['5/1s'] },
  terms: {
    url: 'https://panoramax.fr/',
    license: 'CC BY-SA 4.0 or Licence Ouverte 2.0, as each picture says',
    attribution: '{author.name}, {license.name}, Panoramax',
  },
  paging: 'cursor',

  // {"message":"…","status_code":400}
  check: (res) => {
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', res.json.message ?? 'Bad request');
  },

  // Without a point there is no list.
  feed: {
    near: true,
    params: FILTERS,
    request: (q) => {
      if (q.cursor) return { url: q.cursor };
      const { near, limit, params: { radius, from, to } } = q;
      if (!near) fail('unsupported', 'Panoramax lists what lies around a point: --near 48.85,2.35.');
      const place = { place_position: `${near?.lon},${near?.lat}`, place_distance: `0-${radius ?? 250}` };
      return { url: '/api/search', query: { ...place, datetime: from || to ? `${day(from)}/${day(to)}` : null, limit } };
    },
    parse,
  },

  details: {
    request: (item) => ({ url: '/api/search', query: { ids: item.id } }),
    parse: ({ json }, item) => image(json.features[0] ?? fail('notFound', `Panoramax has no picture ${item.id}.`)),
  },

  // `sequence:ID`: what was taken on one way, in its order.
  collection: {
    request: (item, q) => (q.cursor ? { url: q.cursor }
      : { url: `/api/collections/${encodeURIComponent(item.id.replace('sequence:', ''))}/items`, query: { limit: q.limit } }),
    parse,
  },

  match: [
    { pattern: [`${API}/api/pictures/{id}/*`, `${API}/?pic={id}`], item: { id: '{id}' } },
    { pattern: [`${API}/api/collections/{id}`, 'sequence:{id}'], item: { id: 'sequence:{id}', type: 'collection' } },
  ],
};

/** @param {string | undefined} time */
const day = (time) => time ?? '..';

/** STAC: the next page is a link, where there is one. @param {import('imgscript').Response} res */
function parse({ json: { features, links = [] } }) {
  const next = links.find(({ rel, method = 'GET' }) => rel === 'next' && method === 'GET')?.href;
  return { items: features.map(image), next: features.length && next ? next : null };
}

/** @returns {import('imgscript').Item} */
function image(/** @type {any} */ { id, geometry, properties, assets, providers = [], collection }) {
  const { datetime, license: terms, 'view:azimuth': azimuth, 'pers:interior_orientation': lens, exif = {} } = properties;
  const [longitude, latitude] = geometry?.coordinates ?? [];
  const producer = properties['geovisio:producer'] ?? providers.find(({ roles }) => roles?.includes('producer'))?.name;
  const [width, height] = lens?.sensor_array_dimensions ?? [];
  return {
    id,
    type: 'image',
    page: id && `${API}/?focus=pic&pic=${id}`,
    tags: lens?.field_of_view === 360 ? ['panorama'] : [],
    author: producer ? { name: producer } : null,
    license: terms ? license(terms) ?? { id: terms.toLowerCase(), name: terms } : null,
    created: parseDate(datetime),
    location: longitude === undefined ? null : { latitude, longitude },
    camera: lens ? { make: lens.camera_manufacturer, model: lens.camera_model } : null,
    media: [
      { role: 'original', url: assets.hd.href, width, height, format: 'jpeg' },
      ...(assets.sd ? [{ role: /** @type {const} */ ('large'), url: assets.sd.href, format: 'jpeg' }] : []),
      ...(assets.thumb ? [{ role: /** @type {const} */ ('thumbnail'), url: assets.thumb.href, format: 'jpeg' }] : []),
    ],
    extra: { sequence: collection, azimuth, field_of_view: lens?.field_of_view, software: exif['Exif.Image.Software'] },
  };
}
