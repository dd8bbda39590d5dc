const { fail, fit, license, plainText } = require('imgscript');

const SITE = 'https://www.inaturalist.org';
/** @type {[import('imgscript').Media['role'], string, number][]} With the longer side's most pixels. */
const SIZES = [['original', 'original', 2048], ['large', 'large', 1024], ['regular', 'medium', 500],
  ['small', 'small', 240]];
const UNLICENSED = { id: 'all-rights-reserved', name: 'All rights reserved' };
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  taxon_name: { type: 'string', help: 'A species or group, by any of its names.' },
  iconic_taxa: {
    type: 'list',
    values: ['Actinopterygii', 'Animalia', 'Amphibia', 'Arachnida', 'Aves', 'Chromista', 'Fungi', 'Insecta', 'Mammalia',
      'Mollusca', 'Plantae', 'Protozoa', 'Reptilia', 'unknown'],
    join: ',',
  },
  photo_license: {
    type: 'list',
    values: ['cc0', 'cc-by', 'cc-by-nc', 'cc-by-sa', 'cc-by-nd', 'cc-by-nc-sa', 'cc-by-nc-nd'],
    join: ',',
    filter: 'license',
  },
  quality_grade: { type: 'choice', values: ['research', 'needs_id', 'casual'], help: 'How sure the species is.' },
  d1: { type: 'string', filter: 'since', help: 'Seen on this day or later: 2024-05-01.' },
  d2: { type: 'string', filter: 'until', help: 'Seen on this day or earlier.' },
  radius: { type: 'number', min: 0, help: 'Kilometres around the point.' },
  order: { type: 'choice', values: ['desc', 'asc'], default: 'desc', help: 'Newest or oldest first.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'inaturalist',
  name: 'iNaturalist',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Photographs of animals, plants and fungi seen in the wild, with names and places.',
  category: 'science',
  base: 'https://api.inaturalist.org',
  hosts: ['api.inaturalist.org'],
  mediaHosts: ['static.inaturalist.org', 'inaturalist-open-data.s3.amazonaws.com'],
  limits: { pageSize: { max: 200, default: 20 }, rate: ['60/60s', '10000/1d'] },
  terms: {
    url: `${SITE}/pages/terms`,
    license: 'Creative Commons or all rights reserved, as each photo says',
    attribution: '“{title}” by {author.name}, {license.name}, on iNaturalist',
  },
  paging: 'cursor',

  search: { near: true, params: FILTERS, request, parse },
  feed: { near: true, params: FILTERS, request, parse },

  details: {
    request: (item) => ({ url: `/v1/observations/${item.id.split('-')[0]}` }),
    parse: (res, item) => {
      /** @type {import('imgscript').Item[]} */
      const items = observations(res).flatMap(photos);
      return items.find(({ id }) => id === item.id) ?? items[0] ?? fail('notFound', 'The observation has no photo.');
    },
  },

  collection: {
    request: (item, q) => {
      const [kind, name] = item.id.split(':');
      if (kind === 'observation') return { url: `/v1/observations/${name}` };
      const params = kind === 'user' ? { user_login: name } : { taxon_id: parseInt(name, 10) };
      return request({ ...q, near: undefined, params });
    },
    parse: (res, item, q) => (item.id.startsWith('observation:') ? { ...parse(res, q), next: null } : parse(res, q)),
  },

  match: [
    { pattern: `${SITE}/observations/{id}`, item: { id: 'observation:{id}', type: 'collection' } },
    { pattern: 'observation:{id}', item: { id: 'observation:{id}', type: 'collection' } },
    { pattern: [`${SITE}/people/{id}`, 'user:{id}'], item: { id: 'user:{id}', type: 'collection' } },
    { pattern: [`${SITE}/taxa/{id}`, 'taxon:{id}'], item: { id: 'taxon:{id}', type: 'collection' } },
  ],
};

/** Pages go by the last observation's id: page numbers end at 10,000. */
function request(/** @type {import('imgscript').Query} */ { text, limit, cursor, near, params }) {
  const fixed = { photos: true, order_by: 'id', order: 'desc', per_page: limit };
  const place = near && { lat: near.lat, lng: near.lon };
  return { url: '/v1/observations', query: { q: text || null, ...fixed, ...params, ...place, ...cursor } };
}

/** @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function parse(res, q) {
  const results = observations(res);
  const last = results.at(-1)?.id;
  const next = q.params.order === 'asc' ? { id_above: last } : { id_below: last };
  return { items: results.flatMap(photos), next: results.length < q.limit ? null : next };
}

/** Version 1 has a list in `results`, as version 2; the first API was a list. @returns {any[]} */
function observations(/** @type {import('imgscript').Response} */ { json }) {
  const found = Array.isArray(json) ? json : json.results;
  if (!Array.isArray(found)) fail('changed', 'iNaturalist answers without a list of observations.');
  if (found.length && found.every((one) => !one.photos && !one.observation_photos)) {
    fail('changed', 'iNaturalist answers with observations without photos, as version 2 of its API does unless asked.');
  }
  return found;
}

/** An observation has any number of photos. @returns {import('imgscript').Item[]} */
function photos(observation) {
  const { id, uuid, taxon, user, quality_grade, captive, created_at: uploaded } = observation;
  const { name, rank, preferred_common_name, iconic_taxon_name, wikipedia_url, conservation_status } = taxon ?? {};
  const login = user?.login ?? observation.user_login;
  /** @type {any[]} */
  const files = observation.photos ?? observation.observation_photos?.map((one) => one.photo) ?? [];
  return files.map((photo) => ({
    id: (id ?? uuid) && photo.id && `${id ?? uuid}-${photo.id}`,
    type: /** @type {const} */ ('image'),
    title: preferred_common_name ?? observation.species_guess ?? name,
    description: plainText(observation.description),
    page: observation.uri,
    tags: [...new Set([...list(observation.tags ?? observation.tag_list), name].filter(Boolean))],
    author: login ? { name: user?.name || login, id: login, url: `${SITE}/people/${login}` } : null,
    license: photo.license_code === null ? UNLICENSED : license(photo.license_code),
    created: observation.time_observed_at ?? observation.observed_on,
    location: place(observation),
    stats: { likes: observation.faves_count, comments: observation.comments_count },
    media: sizes(photo),
    extra: { uuid, attribution: photo.attribution, quality_grade, captive, uploaded, taxon_id: taxon?.id, name, rank,
      iconic_taxon_name, conservation_status: conservation_status?.status_name, wikipedia_url },
  }));
}

/** @returns {import('imgscript').Location} */
function place({ place_guess: name, location, latitude, longitude }) {
  const [north, east] = location?.split(',') ?? [latitude, longitude];
  return north && east ? { name, latitude: Number(north), longitude: Number(east) } : { name };
}

/** @returns {any[]} */
const list = (value) => [value].flat().filter(Boolean);

/** The URL given is the square's; the others have another word in its place. */
function sizes({ url: given, square_url: former, original_dimensions: original }) {
  const url = given ?? former;
  if (!url) return [];
  const files = SIZES.map(([role, word, side]) => (
    { role, url: url.replace('/square.', `/${word}.`), ...fit(original, { width: side, height: side }) }));
  return [...files, { role: /** @type {const} */ ('thumbnail'), url, width: 75, height: 75 }];
}
