const { fail, fileFormat, plainText } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  fa: { type: 'list', join: '|', help: 'Facets: location:new york, subject:bridges, contributor:…' },
  dates: { type: 'string', help: 'Years: 1860/1869.' },
  sb: { type: 'choice', values: ['date', 'date_desc', 'title_s', 'title_s_desc'], help: 'The order.' },
};

/** @param {import('imgscript').Query} q @param {string} path @returns {import('imgscript').Request} */
const list = (q, path) => {
  const { kind, ...params } = q.params;
  const parts = 'results,pagination'; // of a large answer
  return { url: path, query: { q: q.text || null, ...params, fo: 'json', c: q.limit, sp: q.page, at: parts } };
};

/** @param {import('imgscript').Response} res */
const parse = (res) => ({
  total: res.json.pagination.of,
  items: res.json.results.filter((result) => result.image_url?.length).map(image),
  next: res.json.pagination.next ? undefined : null,
});

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'loc',
  name: 'Library of Congress',
  version: '1.1.0',
  homepage: 'https://www.loc.gov/',
  summary: 'Photographs, prints and maps in the Library of Congress.',
  category: 'museums',
  base: 'https://www.loc.gov',
  hosts: ['www.loc.gov'],
  mediaHosts: ['*.loc.gov'],
  limits: { pageSize: { max: 150, default: 20 }, reachable: 100000, rate: ['20/10s', '80/60s'] },
  terms: { url: 'https://www.loc.gov/legal/', license: 'As each item says',
    attribution: '“{title}”, Library of Congress' },

  // A client that asked too much gets a page of HTML, for an hour; many networks get a challenge whatever they ask.
  check: (res) => {
    if (!/^\s*</.test(res.text) || ![200, 403, 429, 503].includes(res.status)) return;
    if (res.headers['cf-mitigated'] === 'challenge' || /challenge|captcha|just a moment/i.test(res.text)) {
      fail('blocked', 'The Library of Congress wants proof of a browser (a challenge), as it does from many networks; '
        + 'that lasts up to an hour.');
    }
    if (res.ok) fail('rate', 'The Library of Congress answers with a page in place of data.');
  },

  search: {
    params: {
      ...FILTERS,
      kind: { type: 'choice', values: ['photos', 'maps', 'manuscripts', 'newspapers', 'books'], default: 'photos' },
    },
    request: (q) => list(q, `/${q.params.kind ?? 'photos'}/`),
    parse,
  },
  feed: { params: FILTERS, request: (q) => list(q, '/photos/'), parse },
  details: {
    request: (item) => ({ url: `/item/${encodeURIComponent(item.id)}/`, query: { fo: 'json' } }),
    parse: (res) => image({ ...res.json.item, resources: res.json.resources }),
  },
  collection: {
    params: FILTERS,
    request: (item, q) => list(q, `/collections/${encodeURIComponent(item.id.replace('collection:', ''))}/`),
    parse,
  },

  match: [
    { pattern: ['https://www.loc.gov/item/{id}/', 'https://www.loc.gov/pictures/item/{id}/'], item: { id: '{id}' } },
    { pattern: 'https://www.loc.gov/collections/{name}/', item: { id: 'collection:{name}', type: 'collection' } },
    { pattern: 'collection:{name}', item: { id: 'collection:{name}', type: 'collection' } },
  ],
};

/** Lists end with a slash in the URL that is the id. @returns {import('imgscript').Item} */
function image({ id, title, description, url, contributor, subject, image_url, resources, item, ...extra }) {
  const rights = [extra.rights_advisory, item?.rights_advisory, extra.rights_information, extra.rights].flat();
  const maker = (extra.contributor_names ?? contributor)?.[0];
  const scans = (resources ?? []).flatMap((one) => (Array.isArray(one.files) ? one.files[0] : []));
  return {
    id: id.replace(/\/$/, '').split('/').pop(),
    type: 'image',
    title,
    description: plainText([description].flat()[0]),
    page: url ? absolute(url) : id,
    tags: subject,
    author: maker ? { name: maker } : null,
    license: rights.some((text) => /no known restrictions/i.test(text))
      ? { id: 'no-known-restrictions', name: 'No known restrictions on publication' }
      : null,
    location: extra.location?.[0] ? { name: [extra.location].flat().join(', ') } : null,
    media: sorted([...(image_url ?? []).map(listed), ...scans.flatMap(scan)]),
    extra: { ...extra, item },
  };
}

/** Of the first page of each resource. @returns {import('imgscript').Media[]} */
function scan({ url, width, height, size, mimetype }) {
  const format = fileFormat(mimetype);
  if (!['jpeg', 'png', 'gif', 'tiff'].includes(format ?? '')) return []; // JPEG 2000 has few friends
  const file = { url: absolute(url), width, height, bytes: size, format };
  return [{ role: format === 'tiff' ? 'original' : role(width), ...file }];
}

/** The size may stand behind: ….jpg#h=150&w=112. @param {string} text @returns {import('imgscript').Media} */
function listed(text) {
  const [url, size = ''] = absolute(text).split('#');
  const [width, height] = ['w', 'h'].map((name) => Number(new URLSearchParams(size).get(name)) || null);
  return { role: role(width), url, width, height };
}

/** @param {number | null} width @returns {import('imgscript').Media['role']} */
function role(width) {
  return !width || width > 1000 ? 'large' : width > 400 ? 'regular' : width > 160 ? 'small' : 'thumbnail';
}

/** @param {string} url */
function absolute(url) {
  return new URL(url, 'https://www.loc.gov/').href.replace(/^http:/, 'https:');
}

/** Each file once, the largest first. @param {import('imgscript').Media[]} files */
function sorted(files) {
  return [...new Map(files.map((file) => [file.url, file])).values()].sort((a, b) => (b.width ?? 0) - (a.width ?? 0));
}
