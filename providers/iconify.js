const { fail, license } = require('imgscript');

const API = 'https://api.iconify.design';
/** The most that one search gives; with fewer it may be sorted in another way. */
const MOST = 999;

/** @type {Record<string, import('imgscript').Parameter>} */
const SETS = {
  prefixes: { type: 'list', join: ',', help: 'Only these icon sets: mdi,tabler; "fa6-" is all that begin with it.' },
  category: { type: 'string', help: 'Only icon sets of this category, such as "Emoji" or "Logos".' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'iconify',
  name: 'Iconify',
  version: '1.0.0',
  homepage: 'https://icon-sets.iconify.design/',
  summary: 'Over 200,000 icons of open source icon sets, as vector graphics.',
  category: 'stock',
  base: API,
  hosts: ['api.iconify.design'],
  mediaHosts: ['api.iconify.design'],
  limits: { pageSize: { max: MOST, default: 64 }, reachable: MOST, rate: ['5/1s'] },
  terms: {
    url: 'https://iconify.design/docs/icons/',
    license: 'Open source, as each icon set says',
    cacheAtLeast: '1h',
    attribution: '“{title}” by {author.name}, {license.name}',
  },
  paging: 'cursor',

  search: {
    params: { ...SETS, similar: { type: 'boolean', help: 'false: only whole words.' } },
    request: (q) => ({ url: '/search', query: { query: q.text, limit: MOST, ...q.params } }),
    parse: ({ json: { icons, collections } }, q) => (
      part(icons, q, (name) => icon(name, collections[name.split(':')[0]]))),
  },

  // The icon sets, each with some of its icons; `collection` lists all of one.
  feed: {
    params: { category: SETS.category },
    request: () => ({ url: '/collections' }),
    parse: ({ json }, q) => {
      const { category } = q.params;
      const sets = Object.entries(json).filter(([, set]) => !set.hidden && (!category || set.category === category));
      return part(sets, q, ([prefix, set]) => iconSet(prefix, set));
    },
  },

  details: {
    *run(item) {
      const [prefix, name] = split(item.id);
      const [data, sets] = yield [
        { url: `/${encodeURIComponent(prefix)}.json`, query: { icons: name } },
        { url: '/collections', query: { prefix } },
      ];
      const { icons, aliases = {}, width = 16, height = width } = data.json;
      const found = icons?.[aliases[name]?.parent ?? name] ?? fail('notFound', `Iconify has no icon ${item.id}.`);
      const sides = { width: Math.round(found.width ?? width), height: Math.round(found.height ?? height) };
      return icon(item.id, sets.json[prefix], sides);
    },
  },

  // `set:mdi`
  collection: {
    request: (item) => ({ url: '/collection', query: { prefix: item.id.replace('set:', ''), info: true } }),
    parse: ({ json: { info, uncategorized = [], categories = {} } }, item, q) => {
      const prefix = item.id.replace('set:', '');
      const filed = Object.entries(categories).flatMap(([category, names]) => names.map((name) => [name, category]));
      const names = [...new Map([...uncategorized.map((name) => [name, null]), ...filed])];
      return part(names, q, ([name, category]) => {
        const found = icon(`${prefix}:${name}`, info);
        return category ? { ...found, tags: [...found.tags ?? [], category] } : found;
      });
    },
  },

  match: [
    {
      pattern: ['https://icon-sets.iconify.design/{set}/{name}/',
        'https://icones.js.org/collection/{set}?icon={set}:{name}',
        'https://api.iconify.design/{set}/{name}.svg', 'https://api.iconify.design/{set}:{name}.svg'],
      item: { id: '{set}:{name}' },
    },
    {
      pattern: ['https://icon-sets.iconify.design/{set}/', 'https://icones.js.org/collection/{set}', 'set:{set}'],
      item: { id: 'set:{set}', type: 'collection' },
    },
  ],
};

/**
 * The answer has everything; a page is a part of it.
 * @template Found @param {Found[]} found @param {import('imgscript').Query} q
 * @param {(one: Found) => import('imgscript').Item} item @returns {import('imgscript').Page}
 */
function part(found, q, item) {
  const from = q.cursor ?? 0;
  const to = from + q.limit;
  return { total: found.length, items: found.slice(from, to).map(item), next: to < found.length ? to : null };
}

/** @param {string} id */
function split(id) {
  const [, prefix, name] = /^([^:]+):(.+)$/.exec(id) ?? fail('notFound', `“${id}” is no icon (expected SET:NAME).`);
  return [prefix, name];
}

/**
 * @param {string} id @param {any} set @param {{ width: number, height: number }} [size]
 * @returns {import('imgscript').Item}
 */
function icon(id, set, size) {
  const [prefix, name] = split(id);
  const file = `${API}/${encodeURIComponent(prefix)}/${encodeURIComponent(name)}.svg`;
  return {
    id,
    type: 'image',
    title: name.replaceAll('-', ' '),
    page: `https://icon-sets.iconify.design/${prefix}/${name}/`,
    tags: [set?.name, set?.category].filter(Boolean),
    ...origin(set),
    media: [
      { role: 'original', url: file, format: 'svg', ...size },
      { role: 'thumbnail', url: `${file}?height=128`, format: 'svg' },
    ],
    extra: { set: prefix, palette: set?.palette, version: set?.version },
  };
}

/** @param {string} prefix @param {any} set @returns {import('imgscript').Item} */
function iconSet(prefix, set) {
  const { name, total, category, samples, tags, ...extra } = set;
  return {
    id: `set:${prefix}`,
    type: 'collection',
    title: name,
    page: `https://icon-sets.iconify.design/${prefix}/`,
    tags: [category, ...tags ?? []].filter(Boolean),
    ...origin(set),
    stats: { icons: total },
    media: (samples ?? []).map((sample, index) => ({
      role: 'thumbnail',
      url: `${API}/${prefix}/${encodeURIComponent(sample)}.svg?height=128`,
      file: index + 1,
      format: 'svg',
    })),
    extra: { version: extra.version, palette: extra.palette, height: extra.height },
  };
}

/** Whose a set is, and what may be done with it. @returns {Pick<import('imgscript').Item, 'author' | 'license'>} */
function origin(/** @type {any} */ set) {
  const { author, license: terms } = set ?? {};
  return {
    author: author?.name ? { name: author.name, url: author.url } : null,
    license: terms ? license(terms.spdx) ?? named(terms) : null,
  };
}

/** @returns {import('imgscript').License} */
function named({ spdx, title, url }) {
  const id = spdx ?? title ?? fail('changed', 'A licence without a name.');
  return { id: id.toLowerCase(), name: title, url };
}
