const { fail, license } = require('imgscript');

const SITE = 'https://polyhaven.com';
const TYPES = ['hdris', 'textures', 'models'];
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  type: { type: 'choice', values: ['all', ...TYPES], default: 'all', help: 'Panoramas, surfaces, or objects.' },
  category: { type: 'string', help: 'What it is, such as brick-block or coast-water/beaches.' },
  sort: { type: 'choice', values: ['popular', 'newest', 'name'], help: 'In place of what fits best.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'polyhaven',
  name: 'Poly Haven',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Panoramas of skies and rooms, textures of surfaces, and pictures of 3D models, all CC0.',
  category: 'stock',
  base: 'https://api.polyhaven.com',
  hosts: ['api.polyhaven.com'],
  mediaHosts: ['cdn.polyhaven.com', 'dl.polyhaven.org'],
  limits: { pageSize: { max: 200, default: 24 }, rate: ['2/1s'] },
  terms: {
    url: 'https://github.com/Poly-Haven/Public-API/blob/master/ToS.md',
    license: 'CC0',
    cacheAtLeast: '6h', // one answer has everything
    attribution: '{title} by {author.name}',
    notice: 'Powered by Poly Haven',
  },
  paging: 'cursor',

  search: { params: FILTERS, request: list, parse: (res, q) => part(matching(res.json, q), q) },
  feed: { params: FILTERS, request: list, parse: (res, q) => part(matching(res.json, q), q) },

  details: {
    media: true,
    *run(item) {
      const id = encodeURIComponent(item.id);
      const [about, files] = yield [{ url: `/info/${id}` }, { url: `/files/${id}` }];
      return image(item.id, about.json, files.json);
    },
  },

  match: [
    { pattern: [`${SITE}/a/{id}`, ...TYPES.map((type) => `${SITE}/${type}/{id}`)], item: { id: '{id}' } },
  ],
};

/** @param {import('imgscript').Query} q */
function list({ params: { type, category } }) {
  return { url: '/assets', query: { type: type === 'all' ? null : type, category } };
}

/** The source finds nothing itself: everything has to have all words, those in its name before others. */
function matching(/** @type {Record<string, any>} */ assets, /** @type {import('imgscript').Query} */ { text, params }) {
  if (!params.category && !Object.keys(assets).length) fail('changed', 'The source has nothing at all.');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(assets).flatMap(([id, asset]) => {
    const name = `${asset.name} ${id}`.toLowerCase();
    const { tags = [], categories = [], category, description } = asset;
    const all = [name, ...tags, ...categories, category, description].join(' ').toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ id, asset, weight: words.filter((word) => name.includes(word)).length }];
  });
}

/**
 * @param {{ id: string, asset: any, weight: number }[]} found @param {import('imgscript').Query} q
 * @returns {import('imgscript').Page}
 */
function part(found, q) {
  const { sort } = q.params;
  const by = sort === 'newest' ? 'date_published' : 'download_count';
  const rank = (/** @type {any} */ one) => one.asset[by] ?? 0;
  const sorted = found.sort((one, other) => (sort === 'name' ? (one.asset.name < other.asset.name ? -1 : 1)
    : (sort ? 0 : other.weight - one.weight) || rank(other) - rank(one)));
  const from = q.cursor ?? 0;
  const to = from + q.limit;
  return {
    total: sorted.length,
    items: sorted.slice(from, to).map(({ id, asset }) => image(id, asset)),
    next: to < sorted.length ? to : null,
  };
}

/** @param {string} id @param {any} asset @param {any} [files] @returns {import('imgscript').Item} */
function image(id, asset, files) {
  const {
    name, description, type, date_published, download_count, authors, tags, categories, category, coords,
    max_resolution, thumbnail_url, ...extra
  } = asset;
  const people = Object.entries(authors ?? {}).map(([person, part]) => ({ name: person, part }));
  const preview = (/** @type {number} */ side) => thumbnail_url?.replace(/\?.*$/, `?width=${side}&height=${side}`);
  return {
    id,
    type: 'image',
    title: name,
    description,
    page: `${SITE}/a/${id}`,
    tags: [...new Set([TYPES[type], ...categories ?? [], ...tags ?? []].filter(Boolean))],
    author: people.length ? { name: people[0].name, id: people[0].name } : null,
    authors: people.length > 1 ? people.map((person) => ({ name: person.name, id: person.name })) : null,
    license: license('cc0'),
    created: Number.isFinite(date_published) ? new Date(date_published * 1000).toISOString() : null,
    location: Array.isArray(coords) && coords.length === 2 ? { latitude: coords[0], longitude: coords[1] } : null,
    stats: { downloads: download_count },
    media: [
      ...(files ? whole(files, asset) : []),
      { role: 'regular', url: preview(1024) ?? fail('changed', 'Something without its picture.') },
      { role: 'thumbnail', url: thumbnail_url },
    ],
    extra: { category, max_resolution, credits: authors, ...extra },
  };
}

/**
 * The largest pictures there are: of a panorama its tone-mapped form, of a surface each of its maps.
 * @param {any} files @param {any} asset @returns {import('imgscript').Media[]}
 */
function whole(files, asset) {
  if (files.tonemapped?.url) {
    const [width, height] = asset.max_resolution ?? [];
    return [{ role: 'original', url: files.tonemapped.url, width, height, bytes: files.tonemapped.size }];
  }
  const maps = Object.entries(files).filter(([, sizes]) => Object.keys(sizes).every((size) => /^\d+k$/.test(size)));
  const order = (/** @type {[string, any]} */ [name]) => (/^diff/i.test(name) ? 0 : 1);
  return maps.sort((one, other) => order(one) - order(other)).flatMap(([, sizes]) => {
    const [size, formats] = Object.entries(sizes).sort(([one], [other]) => parseInt(other, 10) - parseInt(one, 10))[0];
    const found = formats.jpg ?? formats.png;
    const width = parseInt(size, 10) * 1024;
    return found?.url ? [{ url: found.url, bytes: found.size, width, height: width }] : [];
  }).map((file, index) => ({ role: 'original', ...file, file: index + 1 }));
}
