const { fail, fileFormat, license } = require('imgscript');

const EMBED = { embed_items: true, embed_specificNode: true, embed_contributor: true };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  filter_license_by: { type: 'boolean', help: 'false: only images that need no credit.' },
  filter_license_nc: { type: 'boolean', help: 'false: only images for commercial use too.' },
  filter_license_sa: { type: 'boolean', help: 'false: only images without share-alike.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'phylopic',
  name: 'PhyloPic',
  version: '1.0.0',
  homepage: 'https://www.phylopic.org/',
  summary: 'Silhouettes of animals, plants and all other living things, by scientific name.',
  category: 'science',
  base: 'https://api.phylopic.org',
  hosts: ['api.phylopic.org'],
  mediaHosts: ['images.phylopic.org'],
  limits: { pageSize: { min: 48, max: 48, default: 48 } },
  terms: { url: 'https://www.phylopic.org/articles/legal', license: 'Creative Commons', attribution: '{author.name}' },
  paging: 'cursor',

  // {"errors":[{"developerMessage":"…","userMessage":"…"}]}
  check: (res) => {
    const [, message] = /"userMessage":\s*"([^"]+)/.exec(res.text) ?? [];
    if (message && [400, 404].includes(res.status)) fail(res.status, message);
  },

  search: { params: FILTERS, run: (q) => list({ filter_name: q.text.trim().toLowerCase() }, q) },
  feed: { params: FILTERS, run: (q) => list({}, q) },
  details: {
    request: (item) => ({ url: `/images/${encodeURIComponent(item.id)}`, query: { ...EMBED, embed_items: null } }),
    parse: (res) => image(res.json),
  },

  match: [
    {
      pattern: ['https://www.phylopic.org/images/{id}/*', 'https://www.phylopic.org/images/{id}'],
      item: { id: '{id}' },
    },
  ],
};

/**
 * Pages are those of one build of the database, which the first answer names.
 * @param {Record<string, string>} filter @param {import('imgscript').Query} q
 * @returns {Generator<any, import('imgscript').Page>}
 */
function* list(filter, q) {
  const query = { ...filter, ...q.params };
  const { build, total, page = 0 } = q.cursor ?? start((yield { url: '/images', query }).json);
  if (!total) return { total, items: [], next: null };
  const { json } = yield { url: '/images', query: { ...query, build, page, ...EMBED } };
  const next = json._links.next ? { build, total, page: page + 1 } : null;
  return { total, items: json._embedded.items.map(image), next };
}

const start = ({ build, totalItems }) => ({ build, total: totalItems ?? fail('changed', 'The list has no length.') });

/** @returns {import('imgscript').Item} */
function image({ uuid, attribution, created, _links: links, _embedded, ...extra }) {
  const title = links.specificNode?.title ?? links.self.title;
  return {
    id: uuid,
    type: 'image',
    title,
    page: `https://www.phylopic.org/images/${uuid}`,
    tags: links.nodes?.map((node) => node.title),
    author: { name: attribution ?? links.contributor.title, url: profile(links.contributor.href) },
    license: license(links.license.href),
    created,
    media: [
      ...files('original', [links.vectorFile]),
      ...files('large', links.rasterFiles.slice(0, -1)),
      ...files('regular', links.rasterFiles.slice(-1)),
      ...files('thumbnail', links.thumbnailFiles),
    ],
    extra: { ...extra, source: links.sourceFile?.href },
  };
}

/** @param {string} href */
const profile = (href) => `https://www.phylopic.org${href.replace(/\?.*/, '')}`;

/** @param {import('imgscript').Media['role']} role @returns {import('imgscript').Media[]} */
function files(role, found) {
  return found.filter(Boolean).map(({ href, sizes, type }) => {
    const [width, height] = sizes.split('x').map((side) => Math.round(Number(side)));
    return { role, url: href, width, height, format: fileFormat(type) };
  });
}
