const { fileFormat, license, plainText } = require('imgscript');

const TYPES = ['Painting', 'Print', 'Drawing', 'Photograph', 'Sculpture', 'Ceramic', 'Textile', 'Metalwork', 'Jewelry',
  'Glass', 'Furniture and woodwork', 'Manuscript', 'Arms and Armor'];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  cc0: {
    type: 'boolean', help: 'Only works whose pictures are CC0.', filter: 'license', filterValues: { cc0: true },
  },
  type: { type: 'choice', values: TYPES },
  department: { type: 'string' },
  artists: { type: 'string', help: 'Words in the name of the one who made it.' },
  title: { type: 'string', help: 'Words in the title.' },
  medium: { type: 'string' },
  created_after: { type: 'integer', help: 'A year; BCE below 0.' },
  created_before: { type: 'integer' },
  currently_on_view: { type: 'boolean' },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { cc0, currently_on_view, ...params } = q.params;
  const flags = { has_image: 1, cc0: cc0 ? 1 : null, currently_on_view: currently_on_view ? 1 : null };
  return { url: '/api/artworks/', query: { q: q.text || null, ...flags, ...params, limit: q.limit, skip: q.offset } };
}

/** Past the end the total stays, without items; some works have no picture all the same. */
function parse(/** @type {import('imgscript').Response} */ res) {
  const { data, info } = res.json;
  // Only an item’s own page has room for its whole story.
  const items = data.map((work) => image({ ...work, citations: null, provenance: null, exhibitions: null }));
  return {
    total: data.length ? info.total : null, received: data.length, items: items.filter((item) => item.media.length),
  };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'cleveland',
  name: 'The Cleveland Museum of Art',
  version: '1.1.0',
  homepage: 'https://www.clevelandart.org/art/collection/search',
  summary: 'Art of all times and places in the Cleveland Museum of Art, most of it CC0.',
  category: 'museums',
  base: 'https://openaccess-api.clevelandart.org',
  hosts: ['openaccess-api.clevelandart.org'],
  mediaHosts: ['openaccess-cdn.clevelandart.org'],
  limits: { pageSize: { max: 1000, default: 20 } },
  terms: {
    url: 'https://www.clevelandart.org/open-access',
    license: 'CC0, or under copyright',
    attribution: '{author.name}, “{title}”, The Cleveland Museum of Art',
  },
  paging: 'offset',

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: `/api/artworks/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json.data),
  },

  // The API takes the accession number of page URLs too.
  match: [
    { pattern: ['https://clevelandart.org/art/{id}', 'https://www.clevelandart.org/art/{id}'], item: { id: '{id}' } },
  ],
};

/** @returns {import('imgscript').Item} */
function image({ id, title, url, creators, images, description, share_license_status: status, culture, ...extra }) {
  const [maker] = creators ?? [];
  return {
    id,
    type: 'image',
    title,
    description: plainText(description ?? extra.wall_description ?? extra.digital_description),
    page: url,
    tags: [extra.type, ...(culture ?? [])].filter(Boolean),
    author: maker && { name: maker.description.replace(/ \(.*/, ''), id: maker.id },
    license: status === 'Copyrighted'
      ? { id: 'copyrighted', name: extra.copyright ?? 'Copyrighted' }
      : license(status),
    media: [file('original', images?.full), file('large', images?.print), file('regular', images?.web)].flat(),
    extra: { ...extra, creators },
  };
}

/** Numbers come as text; the original is a TIFF. @returns {import('imgscript').Media[]} */
function file(/** @type {import('imgscript').Media['role']} */ role, found) {
  if (!found?.url) return [];
  const [width, height, bytes] = [found.width, found.height, found.filesize].map((text) => Number(text) || null);
  return [{ role, url: found.url, width, height, bytes, format: fileFormat(found.url) }];
}
