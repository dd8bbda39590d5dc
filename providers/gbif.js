const { fail, fileFormat, hash, license, plainText } = require('imgscript');

const SITE = 'https://www.gbif.org';
const API = 'https://api.gbif.org/v1';
/** @type {[import('imgscript').Media['role'], string][]} What GBIF scales every picture to, wherever it lies. */
const SIZES = [['large', '1200x'], ['regular', '800x'], ['small', '400x'], ['thumbnail', '200x']];

const RANKS = ['kingdom', 'class', 'order', 'family', 'genus', 'species'];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  scientificName: { type: 'string', help: 'A species or group by its scientific name, with all below it.' },
  license: { type: 'list', values: ['CC0_1_0', 'CC_BY_4_0', 'CC_BY_NC_4_0', 'UNSPECIFIED'] },
  basisOfRecord: {
    type: 'list',
    values: ['HUMAN_OBSERVATION', 'MACHINE_OBSERVATION', 'PRESERVED_SPECIMEN', 'FOSSIL_SPECIMEN', 'LIVING_SPECIMEN',
      'MATERIAL_SAMPLE', 'OBSERVATION', 'OCCURRENCE'],
    help: 'Photographs outdoors, or specimens of a museum.',
  },
  country: { type: 'string', help: 'Where it was found, as two letters: SE.' },
  from: { type: 'string', filter: 'since', help: 'Found on this day or later: 2024-05-01.' },
  to: { type: 'string', filter: 'until', help: 'Found on this day or earlier.' },
  radius: { type: 'number', min: 0.1, default: 10, help: 'Kilometres around the point of --near.' },
};

/** @type {Record<string, import('imgscript').Parameter>} What narrows a list of one species or data set. */
const BELOW = Object.fromEntries(Object.entries(FILTERS).filter(([name]) => !/^(?:scientificName|radius)$/.test(name)));

/** @param {import('imgscript').Query} q @param {Record<string, string>} [fixed] */
const request = ({ text, limit, offset, near, params }, fixed) => {
  const { from, to, radius, ...others } = params;
  const eventDate = from || to ? `${day(from)},${day(to)}` : null;
  const geoDistance = near ? `${near.lat},${near.lon},${radius ?? 10}km` : null;
  return {
    url: '/v1/occurrence/search',
    query: { q: text || null, mediaType: 'StillImage', ...fixed, ...others, eventDate, geoDistance, limit, offset },
  };
};

/** @param {string | undefined} time */
const day = (time) => (time ? time.slice(0, 10) : '*');

/** An occurrence without a file that can be had is none here. @param {import('imgscript').Response} res */
const parse = ({ json: { count, results, endOfRecords } }) => ({
  total: count,
  items: results.filter((record) => pictures(record).length).map(image),
  next: endOfRecords ? null : undefined,
});

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'gbif',
  name: 'GBIF',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs of animals, plants and fungi, and of specimens, that museums and observers share with GBIF.',
  category: 'science',
  base: 'https://api.gbif.org',
  hosts: ['api.gbif.org'],
  mediaHosts: ['api.gbif.org', '*', 'http://*'], // originals lie with those who share them
  limits: { pageSize: { max: 300, default: 20 }, reachable: 100000, rate: ['3/1s'] },
  terms: {
    url: `${SITE}/terms`,
    license: 'CC0, CC BY or CC BY-NC, as each picture says',
    attribution: '“{title}” by {author.name}, {license.name}, via GBIF',
  },
  paging: 'offset',

  search: { near: true, params: FILTERS, request: (q) => request(q), parse },
  feed: { near: true, params: FILTERS, request: (q) => request(q), parse },
  details: {
    request: (item) => ({ url: `/v1/occurrence/${encodeURIComponent(item.id)}` }),
    parse: ({ json }) => (pictures(json).length ? image(json) : fail('notFound', 'The occurrence has no picture.')),
  },

  // `taxon:212` with all below it, `dataset:UUID`.
  collection: {
    params: BELOW,
    request: (item, q) => {
      const [kind, id] = item.id.split(/:(.*)/s);
      return request({ ...q, near: undefined }, kind === 'taxon' ? { taxonKey: id } : { datasetKey: id });
    },
    parse,
  },

  match: [
    { pattern: `${SITE}/occurrence/{id}`, item: { id: '{id}' } },
    { pattern: [`${SITE}/species/{id}`, 'taxon:{id}'], item: { id: 'taxon:{id}', type: 'collection' } },
    { pattern: [`${SITE}/dataset/{id}`, 'dataset:{id}'], item: { id: 'dataset:{id}', type: 'collection' } },
  ],
};

/** @returns {any[]} */
function pictures(/** @type {any} */ { media }) {
  return media.filter(({ type, identifier }) => type === 'StillImage' && URL.canParse(identifier ?? ''));
}

/**
 * An occurrence with several photographs is one item of several files.
 * @param {any} record @returns {import('imgscript').Item}
 */
function image(record) {
  const { key, species, scientificName, vernacularName, decimalLatitude, decimalLongitude } = record;
  const found = pictures(record);
  const [first] = found;
  const author = [first.creator, first.rightsHolder, record.rightsHolder, record.recordedBy].find(Boolean);
  const terms = first.license ?? record.license;
  return {
    id: key,
    type: 'image',
    title: first.title ?? vernacularName ?? species ?? scientificName,
    description: plainText(first.description ?? record.occurrenceRemarks),
    page: key && `${SITE}/occurrence/${key}`,
    tags: [...new Set(RANKS.map((rank) => record[rank]).filter(Boolean))],
    author: author ? { name: author } : null,
    license: terms ? licenceOf(terms) : null,
    created: date(first.created ?? record.eventDate),
    location: {
      name: record.locality, country: record.country,
      ...(decimalLongitude == null ? {} : { latitude: decimalLatitude, longitude: decimalLongitude }),
    },
    media: found.flatMap(({ identifier, format }, index) => files(key, identifier, format, index + 1)),
    extra: {
      scientific_name: scientificName, taxon_key: record.taxonKey, rank: record.taxonRank,
      dataset_key: record.datasetKey, publisher: first.publisher ?? record.institutionCode,
      basis_of_record: record.basisOfRecord, rights: terms,
      references: first.references ?? record.references,
    },
  };
}

/**
 * @param {number | string} key @param {string} address @param {string} format @param {number} file
 * @returns {import('imgscript').Media[]}
 */
function files(key, address, format, file) {
  if (!key) fail('changed', 'An occurrence without its number.');
  const place = `occurrence/${key}/media/${hash('md5', address)}`;
  return [
    { role: 'original', url: address, file, format: fileFormat(format) ?? fileFormat(address) },
    ...SIZES.map(([role, size]) => ({ role, url: `${API}/image/cache/${size}/${place}`, file })),
  ];
}

/** @param {string} terms an address, or any words @returns {import('imgscript').License} */
function licenceOf(terms) {
  const known = license(terms.replace(/\/legalcode.*$/, '/'));
  return known ?? { id: 'other', name: terms.slice(0, 80), url: URL.canParse(terms) ? terms : null };
}

/** A day or time, or the beginning of a period: `2019-05-01/2019-05-03`. @param {string | undefined} text */
function date(text) {
  const [first = ''] = (text ?? '').split('/');
  return /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/.test(first) ? first : null;
}
