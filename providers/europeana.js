const { fail, fileFormat, license, parseDate, plainText } = require('imgscript');

const SITE = 'https://www.europeana.eu';
const REPEATED = /(?<!dcType)LangAware$|^edm(Agent|Concept|Place|Timespan)|^dc(Description|Creator)$|^(year|index)$/;
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  reusability: {
    type: 'choice', values: ['open', 'restricted', 'permission'], help: 'What their licences allow.', filter: 'license',
    filterValues: {
      cc0: 'open', pdm: 'open', 'cc-by': 'open', 'cc-by-sa': 'open', 'cc-by-nc': 'restricted', 'cc-by-nd': 'restricted',
      'cc-by-nc-sa': 'restricted', 'cc-by-nc-nd': 'restricted',
    },
  },
  theme: {
    type: 'choice',
    values: ['archaeology', 'art', 'fashion', 'industrial', 'manuscript', 'map', 'migration', 'music', 'nature',
      'newspaper', 'photography', 'sport', 'ww1'],
  },
  colourpalette: { type: 'list', help: 'Colours as #RRGGBB.' },
  filters: { type: 'list', help: 'More filters: COUNTRY:France, YEAR:1850.' },
  sort: { type: 'choice', values: ['score desc', 'timestamp_created desc', 'timestamp_update desc', 'random'] },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'europeana',
  name: 'Europeana',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Pictures from thousands of European museums, libraries and archives.',
  category: 'museums',
  base: 'https://api.europeana.eu',
  hosts: ['api.europeana.eu'],
  mediaHosts: ['*'], // files stay with the institutions
  auth: { type: 'query', name: 'wskey', help: 'https://apis.europeana.eu/api/apikey-form' },
  limits: { pageSize: { max: 100, default: 20 } },
  terms: {
    url: `${SITE}/rights/terms-of-use`,
    license: 'Public domain, Creative Commons or a rights statement',
    attribution: '“{title}” by {author.name}, {license.name}, via Europeana',
  },
  paging: 'cursor',

  check: (res) => {
    if (res.ok && /"success":\s*"?false/i.test(res.text)) fail('unsupported', res.json.error);
  },

  search: { params: FILTERS, request, parse },
  feed: {
    params: FILTERS,
    request: (q) => request({ ...q, text: '*', params: { sort: 'timestamp_created desc', ...q.params } }),
    parse,
  },

  // The search knows an item’s names in words, the record its files.
  *details(item) {
    const [found, record] = yield [
      { url: '/record/v2/search.json', query: { query: `europeana_id:"${item.id}"`, profile: 'rich', rows: 1 } },
      { url: `/record/v2${item.id}.json` },
    ];
    const image = picture(found.json.items[0] ?? fail('notFound', `Europeana has no item ${item.id}.`));
    const [{ edmIsShownBy, webResources = [] }] = record.json.object.aggregations;
    const views = webResources.filter((view) => /^image/.test(view.ebucoreHasMimeType));
    const shown = views.find((view) => view.about === edmIsShownBy);
    Object.assign(image.media[0] ?? {}, shown && file(shown)); // with its size
    return { ...image, colors: shown?.edmComponentColor, extra: { ...image.extra, views: views.map(file) } };
  },

  match: [
    { pattern: [`${SITE}/item/{set}/{id}`, `${SITE}/*/item/{set}/{id}`], item: { id: '/{set}/{id}' } },
  ],
};

/** @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function request({ text, limit, cursor = '*', params: { filters = [], ...params } }) {
  const only = { qf: ['TYPE:IMAGE', ...filters], media: true, thumbnail: true, profile: 'rich' };
  return { url: '/record/v2/search.json', query: { query: text, ...only, ...params, rows: limit, cursor } };
}

function parse(/** @type {import('imgscript').Response} */ { json: { totalResults, items, nextCursor } }) {
  return { total: totalResults, items: items.map(picture), next: nextCursor ?? null };
}

/** Nearly every field is a list; the link repeats the key. @param {any} found @returns {import('imgscript').Item} */
function picture(found) {
  const { id, title, guid, rights, edmIsShownBy = [], edmPreview = [], link, ...record } = found;
  const creators = (record.dcCreator ?? []).map((name) => named(name, found)).filter(Boolean);
  const subjects = record.edmConceptPrefLabelLangAware ?? {};
  return {
    id,
    type: 'image',
    title: title?.[0],
    description: plainText(record.dcDescription?.join('<br>')),
    page: guid?.split('?')[0],
    tags: subjects.en ?? subjects.def ?? Object.values(subjects)[0],
    author: creators.length ? { name: creators[0] } : null,
    license: license(rights?.[0]) ?? (rights ? { id: rights[0], url: rights[0] } : null),
    created: parseDate(record.year?.[0]),
    location: place(found),
    media: [
      ...edmIsShownBy.slice(0, 1).map((url) => ({ role: 'original', url })),
      ...edmPreview.slice(0, 1).map((url) => ({ role: 'thumbnail', url })),
    ],
    extra: {
      ...Object.fromEntries(Object.entries(record).filter(([name]) => !REPEATED.test(name))),
      creators: creators.length > 1 ? creators : null,
      times: record.edmTimespanLabel?.map((time) => time.def),
    },
  };
}

/** A creator may be given by a URI, whose name stands elsewhere. @param {string} name @param {any} record */
function named(name, { edmAgent, edmAgentLabel }) {
  if (!/^https?:/.test(name)) return name;
  return edmAgent?.length === edmAgentLabel?.length ? edmAgentLabel?.[edmAgent.indexOf(name)]?.def : undefined;
}

function place({ edmPlaceLabel: label, edmPlaceLatitude: latitude, edmPlaceLongitude: longitude }) {
  const point = latitude ? { latitude: Number(latitude[0]), longitude: Number(longitude[0]) } : null;
  return label ?? point ? { name: label?.[0]?.def, ...point } : null;
}

function file({ about, ebucoreHasMimeType: type, ebucoreFileByteSize: bytes, ebucoreWidth, ebucoreHeight }) {
  return { url: about, width: ebucoreWidth, height: ebucoreHeight, bytes, format: fileFormat(type) };
}
