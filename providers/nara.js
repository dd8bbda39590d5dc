const { fail, fileFormat, plainText } = require('imgscript');

const SITE = 'https://catalog.archives.gov';
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  materials: {
    type: 'choice', values: ['Photographs and other Graphic Materials', 'Maps and Charts', 'Textual Records', 'any'],
    default: 'Photographs and other Graphic Materials', help: 'Kinds of records.',
  },
  from: { type: 'integer', filter: 'since', help: 'Not made before this year.' },
  to: { type: 'integer', filter: 'until', help: 'Not made after this year.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'nara',
  name: 'US National Archives',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs, posters and maps of the US government, from the National Archives Catalog.',
  category: 'museums',
  base: SITE,
  hosts: ['catalog.archives.gov'],
  mediaHosts: ['catalog.archives.gov', 's3.amazonaws.com', '*.s3.amazonaws.com'],
  auth: { type: 'header', name: 'x-api-key', help: 'https://www.archives.gov/research/catalog/help/api' },
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000, rate: ['2/1s', '10000/30d'] },
  terms: {
    url: 'https://www.archives.gov/global-pages/privacy.html',
    license: 'Mostly public domain; as each record says',
    attribution: '{title}, National Archives Catalog, {page}',
  },

  // {"statusCode":403,"message":"Forbidden"}
  check: (res) => {
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', text(res.json.message) ?? 'Bad request');
  },

  search: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: '/api/v2/records/search', query: { naId: item.id } }),
    parse: ({ json }, item) => image(json.body.hits.hits[0] ?? fail('notFound', `The catalog has no record ${item.id}.`)),
  },

  match: [{ pattern: [`${SITE}/id/{id}`, `${SITE}/id/{id}/*`], item: { id: '{id}' } }],
};

/** Only what is there as a file. @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function request({ text: words, page, limit, params: { materials, from, to } }) {
  return {
    url: '/api/v2/records/search',
    query: {
      q: words, page, limit, availableOnline: true, typeOfMaterials: materials === 'any' ? null : materials,
      startDate: from, endDate: to,
    },
  };
}

/** @param {import('imgscript').Response} res */
function parse({ json: { body: { hits: { total, hits } } } }) {
  return { total: total.value, items: hits.filter((hit) => pictures(hit._source.record).length).map(image) };
}

/** @param {any} record @returns {any[]} */
function pictures({ digitalObjects = [] }) {
  return digitalObjects.filter(({ objectUrl, objectType }) => (
    URL.canParse(objectUrl ?? '') && (/^Image/.test(objectType ?? '') || fileFormat(objectUrl))));
}

/** A record of several pictures is one item. @returns {import('imgscript').Item} */
function image(/** @type {any} */ { _source: { record } }) {
  const { naId, title, scopeAndContentNote, subjects, creators, productionDates, coverageStartDate, useRestriction } = record;
  const people = (creators ?? record.ancestors?.at(-1)?.creators ?? []).map(({ heading }) => heading).filter(Boolean);
  const [date] = productionDates ?? [coverageStartDate].filter(Boolean);
  const isFree = /^Unrestricted/i.test(useRestriction?.status ?? '');
  return {
    id: naId,
    type: 'image',
    title,
    description: plainText(scopeAndContentNote),
    page: naId && `${SITE}/id/${naId}`,
    tags: (subjects ?? []).map(({ heading }) => heading).filter(Boolean),
    author: people.length ? { name: people[0] } : null,
    license: isFree ? { id: 'unrestricted', name: 'Unrestricted use' } : null,
    created: dateOf(date),
    media: pictures(record).map(({ objectUrl, objectFileSize }, index) => (
      { role: 'original', url: objectUrl, file: index + 1, bytes: Number(objectFileSize) || null, format: fileFormat(objectUrl) })),
    extra: {
      level: record.levelOfDescription, materials: record.generalRecordsTypes, local_id: record.localIdentifier,
      restriction: useRestriction?.status, note: useRestriction?.note,
    },
  };
}

/** @param {any} date @returns {string | null} */
function dateOf(date) {
  if (!Number.isInteger(date?.year)) return null;
  const part = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return [date.year, ...(date.month ? [part(date.month), ...(date.day ? [part(date.day)] : [])] : [])].join('-');
}

/** @param {any} value */
const text = (value) => (typeof value === 'string' ? value : undefined);
