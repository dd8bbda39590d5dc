const { fail, fileFormat, parseDate, plainText } = require('imgscript');

/** @type {Record<string, import('imgscript').Media['role']>} */
const ROLES = { orig: 'original', large: 'large', medium: 'regular', small: 'small', thumb: 'thumbnail' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'nasa',
  name: 'NASA Image and Video Library',
  version: '1.0.0',
  homepage: 'https://images.nasa.gov/',
  summary: 'Photographs and drawings of NASA’s missions, centres and people.',
  category: 'science',
  base: 'https://images-api.nasa.gov',
  hosts: ['images-api.nasa.gov'],
  mediaHosts: ['images-assets.nasa.gov'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000 },
  terms: {
    url: 'https://www.nasa.gov/nasa-brand-center/images-and-media/',
    license: 'Generally not subject to copyright',
    attribution: '{author.name}, NASA Image and Video Library',
  },

  check: (res) => {
    const [, reason] = /^\s*\{\s*"reason":\s*"(.*)"\s*\}\s*$/.exec(res.text) ?? [];
    if (!res.ok && reason) fail(res.status, reason);
  },

  search: {
    params: {
      center: { type: 'string', help: 'The NASA centre: JPL, GSFC, KSC …' },
      keywords: { type: 'list', join: ',' },
      location: { type: 'string' },
      photographer: { type: 'string' },
      secondary_creator: { type: 'string' },
      title: { type: 'string' },
      year_start: { type: 'integer', min: 1900, filter: 'since', help: 'Not older than this.' },
      year_end: { type: 'integer', min: 1900, filter: 'until', help: 'Not newer than this.' },
    },
    request: (q) => ({
      url: '/search',
      query: { q: q.text, media_type: 'image', page: q.page, page_size: q.limit, ...q.params },
    }),
    parse: list,
  },

  // The list of files has no title, and the record no files.
  *details(item) {
    const id = encodeURIComponent(item.id);
    const [found, files] = yield [{ url: '/search', query: { nasa_id: item.id } }, { url: `/asset/${id}` }];
    const [record] = found.json.collection.items;
    if (!record) fail('notFound', `NASA has no image ${item.id}.`);
    return image({ ...record, links: files.json.collection.items });
  },

  collection: {
    request: (item, q) => {
      const name = encodeURIComponent(item.id.replace('album:', ''));
      return { url: `/album/${name}`, query: { page: q.page } };
    },
    parse: (res, _, q) => list(res, q),
  },

  match: [
    { pattern: 'https://images.nasa.gov/details/{id}', item: { id: '{id}' } },
    {
      pattern: ['https://images.nasa.gov/album/{name}', 'album:{name}'],
      item: { id: 'album:{name}', type: 'collection' },
    },
  ],
};

/** A page of a search. @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function list(res, q) {
  const { items, metadata, links } = res.json.collection;
  const pictures = items.filter((item) => item.data[0].media_type === 'image'); // albums have films
  const hasNext = links?.some((link) => link.rel === 'next');
  // An empty page would end the list.
  const filmsOnly = items.length > 0 && items.every((item) => /^(?:video|audio)$/.test(item.data[0].media_type));
  const next = filmsOnly ? q.page + 1 : undefined;
  return { total: filmsOnly ? null : metadata.total_hits, items: pictures.map(image), next: hasNext ? next : null };
}

/** @returns {import('imgscript').Item} */
function image({ data: [about], links = [] }) {
  const { nasa_id, title, description, keywords, date_created, ...rest } = about;
  const { photographer, secondary_creator, location, ...extra } = rest;
  const author = photographer ?? secondary_creator;
  return {
    id: nasa_id,
    type: 'image',
    title,
    description: text(description),
    page: `https://images.nasa.gov/details/${encodeURIComponent(nasa_id)}`,
    tags: keywords,
    author: author && { name: author },
    created: parseDate(date_created),
    location: location && { name: location },
    media: links.flatMap(file),
    extra,
  };
}

/** Some addresses have spaces, and plain http. @returns {import('imgscript').Media[]} */
function file({ href, width, height, size }) {
  const [, name] = /~(\w+)\.(?:jpe?g|png|gif|tiff?|webp)$/i.exec(href) ?? [];
  if (!ROLES[name]) return [];
  const url = encodeURI(decodeURI(href)).replace(/^http:/, 'https:');
  return [{ role: ROLES[name], url, width, height, bytes: size, format: fileFormat(href) }];
}

/** Some are HTML, and the others have signs that would be taken for it. @param {string | undefined} words */
function text(words) {
  return words && /<\/?[a-z][^>]*>|&#?\w+;/i.test(words) ? plainText(words.replace(/\r?\n/g, '<br>')) : words;
}
