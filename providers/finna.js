const { fail, license } = require('imgscript');

const SITE = 'https://www.finna.fi';
const API = 'https://api.finna.fi';
const FIELDS = ['id', 'title', 'shortTitle', 'subTitle', 'images', 'imageRights', 'nonPresenterAuthors', 'buildings',
  'subjects', 'summary', 'year', 'formats', 'geoLocations', 'recordPage'];
/** What Finna calls the rights, by the id of the licence. @type {Record<string, string>} */
const RIGHTS = { free: '0/A Free/', by: '0/B BY/', nc: '0/C NC/', nd: '0/D ND/', 'nc-nd': '0/E NC-ND/' };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  type: { type: 'choice', values: ['AllFields', 'Title', 'Author', 'Subject'], help: 'Where the words have to be.' },
  rights: {
    type: 'list', values: Object.keys(RIGHTS), help: 'Free; by name; not commercial; unchanged; both.', filter: 'license',
    filterValues: { cc0: 'free', pdm: 'free', 'cc-by': 'by', 'cc-by-sa': 'by' },
  },
  kind: { type: 'choice', values: ['Photo', 'Painting', 'Drawing', 'Graphics', 'Poster', 'Postcard'] },
  building: { type: 'string', help: 'Only of this organisation: 0/Museovirasto/.' },
  sort: {
    type: 'choice', values: ['relevance,id asc', 'main_date_str desc', 'main_date_str asc', 'first_indexed desc'],
    help: 'Best match, newest, oldest, last added.',
  },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { type, rights = [], kind, building, sort } = q.params;
  const filters = [
    'online_boolean:"1"',
    kind ? `~format:"1/Image/${kind}/"` : '~format:"0/Image/"',
    ...rights.map((name) => `~usage_rights_ext_str_mv:"${RIGHTS[name]}"`),
    building && `building:"${building}"`,
  ];
  const query = { lookfor: q.text, type, sort, page: q.page, limit: q.limit, lng: 'en-gb' };
  return { url: '/v1/search', query: { ...query, 'field[]': FIELDS, 'filter[]': filters.filter(Boolean) } };
}

/** Records without a picture are few. @param {import('imgscript').Response} res */
function parse(res) {
  const { resultCount: total, records = [] } = res.json;
  if (typeof total !== 'number' || (total && !res.json.records)) fail('changed', 'Neither records nor an end.');
  return { total: records.length ? total : null, items: records.flatMap((record) => views(record).slice(0, 1)) };
}

/** @param {string} id @returns {import('imgscript').Request} */
function record(id) {
  return { url: '/v1/record', query: { id, lng: 'en-gb', 'field[]': FIELDS } };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'finna',
  name: 'Finna',
  version: '1.1.0',
  homepage: `${SITE}/?lng=en-gb`,
  summary: 'Photographs, paintings, posters and objects of the museums, archives and libraries of Finland.',
  category: 'museums',
  base: API,
  hosts: ['api.finna.fi'],
  mediaHosts: ['api.finna.fi'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 100000, rate: ['2/1s'] },
  terms: {
    url: 'https://api.finna.fi/',
    license: 'Creative Commons, public domain, or under copyright, as each record says',
    attribution: '“{title}”, {author.name}, {license.name}, {page}',
  },

  // Errors come with {"status":"ERROR","statusMessage":…}, some with status 200.
  check: (res) => {
    if (res.status >= 500 || !res.text.startsWith('{') || res.json.status !== 'ERROR') return;
    const message = res.json.statusMessage ?? 'Finna reported an error.';
    fail(/not found|missing/i.test(message) ? 'notFound' : res.ok ? 'unsupported' : res.status, message);
  },

  search: { params: FILTERS, request, parse },
  feed: { params: { ...FILTERS, sort: { ...FILTERS.sort, default: 'first_indexed desc' } }, request, parse },
  details: {
    request: (item) => record(item.id.split('/')[0]),
    parse: (res, item) => {
      const found = (res.json.records ?? []).flatMap(views);
      const asked = found.find(({ id }) => id === item.id) ?? found[0];
      return asked ?? fail('notFound', 'No such record, or it has no image.');
    },
  },

  // All images of one record.
  collection: {
    request: (item) => record(item.id.replace('views:', '')),
    parse: (res) => {
      const items = (res.json.records ?? []).flatMap(views);
      return items.length ? { items, next: null } : fail('notFound', 'No such record, or it has no image.');
    },
  },

  match: [
    { pattern: [`${SITE}/Record/{id}`, 'https://finna.fi/Record/{id}'], item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** A record’s images, of which the first goes by the record’s own id. @returns {import('imgscript').Item[]} */
function views({ images, ...about }) {
  return (images ?? []).map((path, place) => image(about, path, place));
}

/** @param {any} about @param {string} path @param {number} place @returns {import('imgscript').Item} */
function image(about, path, place) {
  const {
    id, title, nonPresenterAuthors: authors = [], subjects = [], imageRights, summary, year, buildings = [],
    formats = [], geoLocations, ...extra
  } = about;
  const [maker] = authors;
  // The server makes every size from one address.
  const url = new URL(path, API);
  const sized = (/** @type {string} */ size) => {
    url.searchParams.set('size', size);
    return url.href;
  };
  return {
    id: id && (place ? `${id}/${place}` : id),
    type: 'image',
    title,
    description: [summary].flat().filter((text) => typeof text === 'string').join('\n') || null,
    page: id && `${SITE}/Record/${encodeURIComponent(id)}?lng=en-gb`,
    tags: subjects.flat(),
    author: maker ? { name: maker.name } : null,
    license: licenseOf(imageRights),
    media: [
      { role: 'large', url: sized('large'), format: 'jpeg' },
      { role: 'regular', url: sized('medium'), format: 'jpeg' },
      { role: 'thumbnail', url: sized('small'), format: 'jpeg' },
    ],
    extra: {
      ...extra, authors, year, rights: imageRights?.description, geoLocations,
      organisation: buildings.map((one) => one.translated), formats: formats.map((one) => one.translated),
    },
  };
}

/** The link is to the Finnish page about the licence. @returns {import('imgscript').License | null} */
function licenseOf(rights) {
  const { copyright, link } = rights ?? {};
  const known = license(link?.replace(/deed\.\w+$/, '')) ?? license(copyright);
  return known ?? (copyright ? { id: copyright.toLowerCase().replaceAll(' ', '-'), name: copyright, url: link } : null);
}
