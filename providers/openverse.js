const { fail, fileFormat, license } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  license: {
    type: 'list', values: ['by', 'by-sa', 'by-nc', 'by-nd', 'by-nc-sa', 'by-nc-nd', 'cc0', 'pdm'], join: ',',
    filter: 'license',
    filterValues: {
      'cc-by': 'by', 'cc-by-sa': 'by-sa', 'cc-by-nc': 'by-nc', 'cc-by-nd': 'by-nd', 'cc-by-nc-sa': 'by-nc-sa',
      'cc-by-nc-nd': 'by-nc-nd', cc0: 'cc0', pdm: 'pdm',
    },
  },
  license_type: {
    type: 'list', values: ['all', 'all-cc', 'commercial', 'modification'], join: ',', help: 'What it must allow.',
  },
  source: { type: 'list', join: ',', help: 'Only these collections, such as flickr, wikimedia, met.' },
  excluded_source: { type: 'list', join: ',', help: 'All collections but these.' },
  creator: { type: 'string', help: 'Words in the name of the one who made it.' },
  category: { type: 'list', values: ['photograph', 'illustration', 'digitized_artwork'], join: ',' },
  extension: { type: 'list', join: ',', help: 'File types, such as jpg, png, svg.' },
  aspect_ratio: {
    type: 'list', values: ['tall', 'wide', 'square'], join: ',', filter: 'aspect',
    filterValues: { landscape: 'wide', portrait: 'tall' }, // a square is exact there
  },
  size: { type: 'list', values: ['small', 'medium', 'large'], join: ',' },
  mature: { type: 'boolean', help: 'Sensitive images too.' },
  filter_dead: { type: 'boolean', help: 'Leave out images whose links no longer work.' },
};

/** A search has `q`, a feed has none. @param {import('imgscript').Query} q */
const request = (q) => ({
  url: '/v1/images/',
  query: { q: q.text || null, page: q.page, page_size: q.limit, ...q.params },
});

/** @param {import('imgscript').Response} res */
const parse = (res) => ({ total: res.json.result_count, items: res.json.results.map(image) });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'openverse',
  name: 'Openverse',
  version: '1.1.0',
  homepage: 'https://openverse.org/',
  summary: 'Openly licensed images of Flickr, Wikimedia Commons, museums and many more.',
  category: 'museums',
  base: 'https://api.openverse.org',
  hosts: ['api.openverse.org'],
  mediaHosts: ['*'], // Openverse links to files where they are
  auth: {
    type: 'oauth2',
    token: 'https://api.openverse.org/v1/auth_tokens/token/',
    optional: true,
    help: 'https://api.openverse.org/v1/#tag/auth',
    limits: {
      pageSize: { max: 240, default: 20 }, reachable: 240, text: { max: 200 }, rate: ['100/60s', '10000/1d'],
    },
  },
  limits: { pageSize: { max: 20, default: 20 }, reachable: 240, text: { max: 200 }, rate: ['20/60s', '200/1d'] },
  terms: {
    url: 'https://docs.openverse.org/terms_of_service.html',
    license: 'Creative Commons',
    attribution: '“{title}” by {author.name}, {license.name}',
  },

  check: (res) => {
    if (![400, 401, 429].includes(res.status) || /^\s*(?:<|$)/.test(res.text)) return;
    const detail = res.text.trimStart().startsWith('{') ? res.json.detail ?? res.json.error_description ?? res.json.error : res.text;
    const message = typeof detail === 'string' ? detail : JSON.stringify(detail);
    fail(res.status, message ?? `status ${res.status}`); // how long to wait is said in the text alone
  },

  search: { params: FILTERS, request, parse },
  feed: {
    params: {
      ...FILTERS,
      tags: { type: 'list', join: ',', help: 'Words among the tags.' },
      title: { type: 'list', join: ',', help: 'Words in the title.' },
    },
    request,
    parse,
  },
  details: {
    request: (item) => ({ url: `/v1/images/${encodeURIComponent(item.id)}/` }),
    parse: (res) => image(res.json),
  },
  collection: {
    request: (item) => ({ url: `/v1/images/${encodeURIComponent(item.id.replace('related:', ''))}/related/` }),
    parse: (res) => ({ ...parse(res), next: null }), // one page
  },

  match: [
    { pattern: ['https://openverse.org/image/{id}', 'https://openverse.org/*/image/{id}'], item: { id: '{id}' } },
    { pattern: 'related:{id}', item: { id: 'related:{id}', type: 'collection' } },
  ],
};

/** @returns {import('imgscript').Item} */
function image(record) {
  const {
    id, title, foreign_landing_url, creator, creator_url, tags, mature, license: code, license_version: version,
    license_url, url, thumbnail, width, height, filesize: bytes, filetype, ...extra
  } = record;
  const scored = tags?.filter((tag) => tag.accuracy != null); // found by a machine
  return {
    id,
    type: 'image',
    title,
    page: foreign_landing_url,
    tags: tags?.map((tag) => tag.name),
    author: creator ? { name: creator, url: creator_url } : null,
    license: license(license_url) ?? license(code, version) ?? { id: code, url: license_url },
    media: [
      { role: 'original', url, width, height, bytes, format: fileFormat(filetype) },
      { role: 'thumbnail', url: thumbnail },
    ],
    rating: mature == null ? null : mature ? 'sensitive' : 'safe',
    extra: scored?.length ? { ...extra, tags: scored } : extra, // with `attribution`, a ready sentence
  };
}
