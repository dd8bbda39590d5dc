const { fail, license } = require('imgscript');

const SITE = 'https://trove.nla.gov.au';
const GUIDE = `${SITE}/about/create-something/using-api`;
/** Records with the addresses of their files: https://trove.nla.gov.au/about/create-something/using-api/v3/api-technical-guide */
const FULL = { encoding: 'json', reclevel: 'full', include: 'links' };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  art_type: {
    type: 'choice', values: ['Pictures and photos', 'Objects', 'Maps'], default: 'Pictures and photos',
  },
  format: { type: 'string', help: 'Photograph, Poster, Map, Art work, Postcard …' },
  decade: { type: 'integer', min: 100, max: 202, help: 'The first three digits: 193 for the 1930s.' },
  place: { type: 'string', help: 'Such as Australia/Victoria.' },
  contributor: { type: 'string', help: 'Of this institution, by its code (NUC): ANL, VSL, NSL.' },
  sort: { type: 'choice', values: ['relevance', 'datedesc', 'dateasc'] },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'trove',
  name: 'Trove',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs, posters, paintings and maps of the libraries, museums and archives of Australia.',
  category: 'museums',
  base: 'https://api.trove.nla.gov.au',
  hosts: ['api.trove.nla.gov.au'],
  mediaHosts: ['*'], // most files lie with the institutions
  auth: { type: 'header', name: 'X-API-KEY', help: GUIDE },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['200/1m'], text: { min: 1 } },
  terms: {
    url: `${GUIDE}/trove-api-terms-use`,
    license: 'As each institution says',
    attribution: '“{title}”, {author.name}, {page}',
  },
  paging: 'cursor',

  // Errors are {"statusCode":400,"statusText":"Bad Request","description":"The category parameter is required."}.
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    fail(res.status, res.json.description ?? res.json.statusText);
  },

  search: {
    params: FILTERS,
    request: (q) => {
      const { art_type, format, decade, place, contributor, sort } = q.params;
      const limits = {
        'l-availability': 'y', 'l-artType': art_type, 'l-format': format, 'l-decade': decade, 'l-place': place,
        'l-partnerNuc': contributor,
      };
      return {
        url: '/v3/result',
        query: { category: 'image', q: q.text, ...limits, sortby: sort, s: q.cursor ?? '*', n: q.limit, ...FULL },
      };
    },
    parse: (res) => {
      const { records } = res.json.category?.find(({ code }) => code === 'image') ?? fail('changed', 'No images.');
      const items = (records.work ?? []).map(image).filter((found) => found.media.length);
      const links = (records.work ?? []).flatMap(({ identifier = [] }) => identifier);
      if (links.length && !links.some(({ linktype }) => linktype)) fail('changed', 'Links without their kind.');
      // Records without a file are few.
      return { total: items.length || !records.total ? records.total : null, items, next: records.nextStart ?? null };
    },
  },
  details: {
    request: (item) => ({ url: `/v3/work/${encodeURIComponent(item.id)}`, query: FULL }),
    parse: (res) => {
      const work = image(res.json);
      return work.media.length ? work : fail('notFound', 'The work has no picture that is online.');
    },
  },

  match: [{ pattern: [`${SITE}/work/{id}`, `${SITE}/work/{id}/version/*`], item: { id: '{id}' } }],
};

/** @param {any} work @returns {import('imgscript').Item} */
function image(work) {
  const {
    id, title, contributor, troveUrl, subject, abstract, description, identifier = [], rights, url, relevance,
    ...extra
  } = work;
  const [maker] = list(contributor);
  const address = (/** @type {string} */ kind) => {
    const found = identifier.find((one) => one.linktype === kind && /^https?:/.test(one.value));
    return found?.value.replace(/^http:(?=\/\/(?:\w+\.)?nla\.gov\.au\/)/, 'https:');
  };
  const own = /^https:\/\/nla\.gov\.au\/nla\.obj-\d+(?=$|\/view$)/.exec(address('fulltext') ?? '')?.[0];
  const large = own ? `${own}/image` : address('viewcopy');
  const small = address('thumbnail');
  return {
    id,
    type: 'image',
    title,
    description: [...list(abstract), ...list(description)].join('\n') || null,
    page: troveUrl ?? (id && `${SITE}/work/${id}`),
    tags: list(subject),
    author: maker ? { name: maker } : null,
    license: list(rights).map((text) => license(text)).find(Boolean) ?? null,
    media: [
      ...(large ? [{ role: /** @type {const} */ ('large'), url: large }] : []),
      ...(small ? [{ role: /** @type {const} */ ('thumbnail'), url: small }] : []),
    ],
    extra: { ...extra, rights: list(rights), source: address('fulltext') },
  };
}

/** The texts of a field, of which there may be one, several, or some with more about them. @returns {string[]} */
function list(field) {
  return [field ?? []].flat().map((one) => one?.value ?? one).filter((text) => typeof text === 'string');
}
