const { fail, license, parseDate, plainText } = require('imgscript');

const SITE = 'https://www.deviantart.com';
const API = '/api/v1/oauth2';
/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'deviantart',
  name: 'DeviantArt',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Drawings, paintings and photographs by a large community of artists.',
  base: SITE,
  hosts: ['www.deviantart.com'],
  mediaHosts: ['*.wixmp.com', '*.deviantart.net'],
  auth: { type: 'oauth2', token: `${SITE}/oauth2/token`, help: `${SITE}/developers/apps` },
  limits: { pageSize: { max: 50, default: 24 }, reachable: 50000 },
  terms: { url: `${SITE}/developers/policies`, license: 'As each artist says',
    attribution: '“{title}” by {author.name} on DeviantArt' },
  paging: 'cursor',

  search: {
    params: {
      by: { type: 'choice', values: ['popular', 'newest', 'tags'], default: 'popular', help: 'The order, or one tag.' },
      mature_content: { type: 'boolean', help: 'Works for adults too.' },
    },
    request: ({ text, params: { by, ...params }, ...q }) => (
      browse(`browse/${by}`, q, by === 'tags' ? { tag: text.replace(/\W/g, '') } : { q: text, ...params })),
    parse,
  },

  feed: {
    params: {
      list: { type: 'choice', values: ['popular', 'newest', 'dailydeviations'], default: 'popular' },
      date: { type: 'string', help: 'Of the daily deviations: the day, 2024-05-01.' },
      mature_content: { type: 'boolean', help: 'Works for adults too.' },
    },
    request: ({ params: { list, ...params }, ...q }) => browse(`browse/${list}`, q, params),
    parse,
  },

  // A page's URL ends in a number where the API wants the UUID, which the page holds.
  *details(item) {
    let { id } = item;
    if (id.includes('/')) {
      const { text } = yield { url: `/${id}`, accept: 'text', auth: false };
      id = /DeviantArt:\/\/deviation\/([\w-]{36})/i.exec(text)?.[1] ?? fail('changed', 'The page names no UUID.');
    }
    const [deviation, metadata] = yield [
      { url: `${API}/deviation/${id}` },
      { url: `${API}/deviation/metadata`, query: { 'deviationids[]': id, ext_camera: true } },
    ];
    return { ...image(deviation.json), ...about(metadata.json.metadata[0]) };
  },

  collection: {
    params: { mature_content: { type: 'boolean', help: 'Works for adults too.' } },
    request: (item, q) => browse('gallery/all', q, { username: item.id.replace('user:', ''), ...q.params }),
    parse,
  },

  // The file as it was uploaded, where the artist gives it away.
  *download(media, item) {
    if (media.role !== 'original' || !item.extra?.is_downloadable) return;
    return { url: (yield { url: `${API}/deviation/download/${item.id}` }).json.src };
  },

  match: [
    { pattern: `${SITE}/{user}/art/{work}`, item: { id: '{user}/art/{work}' } },
    ...[`${SITE}/{user}/gallery`, `${SITE}/{user}`, 'user:{user}'].map((pattern) => (
      { pattern, item: { id: 'user:{user}', type: /** @type {const} */ ('collection') } })),
  ],
};

/** @param {string} path @param {{ limit: number, cursor?: any }} q @param {Record<string, any>} query */
function browse(path, { limit, cursor }, query) {
  return { url: `${API}/${path}`, query: { ...query, limit, offset: cursor ?? 0 } };
}

/** Journals, literature and what has been deleted have no image. @param {import('imgscript').Response} res */
function parse({ json: { results, estimated_total, next_offset } }) {
  const shown = results.filter((/** @type {any} */ { content, preview }) => content ?? preview);
  return { total: shown.length ? estimated_total : null, items: shown.map(image), next: next_offset ?? null };
}

/** @param {any} deviation @returns {import('imgscript').Item} */
function image({ deviationid: id, url, title, author, stats, published_time, content, preview, thumbs, ...extra }) {
  const smaller = [...thumbs ?? [], preview].filter((size) => size && size.src !== content?.src).reverse();
  return {
    id,
    type: 'image',
    title,
    page: url,
    author: { name: author.username, id: author.userid, url: `${SITE}/${author.username}` },
    created: parseDate(published_time),
    stats: { likes: stats?.favourites, comments: stats?.comments },
    media: [...(content ? [file('original', content)] : []), ...smaller.map((size) => file(null, size))],
    rating: extra.is_mature ? 'sensitive' : 'safe',
    extra,
  };
}

/** @param {'original' | null} role @param {any} file @returns {import('imgscript').Media} */
function file(role, { src: url, width, height, filesize: bytes }) {
  const fitting = width > 900 ? 'large' : width > 400 ? 'regular' : width > 200 ? 'small' : 'thumbnail';
  return { role: role ?? fitting, url, width, height, bytes };
}

/** What only the metadata say. @param {any} metadata @returns {Partial<import('imgscript').Item>} */
function about({ description, license: terms, tags, camera }) {
  const clauses = { by: /^Creative/, nc: /Noncommercial/i, sa: /Share/i, nd: /No Deriv/i };
  const code = Object.entries(clauses).filter(([, words]) => words.test(terms)).map(([clause]) => clause).join('-');
  return {
    description: plainText(description),
    tags: tags?.map((/** @type {any} */ tag) => tag.tag_name),
    license: license(code, /\d\.\d/.exec(terms)?.[0]),
    camera: camera && { make: camera.make, model: camera.model, exposure: camera.shutter_speed,
      aperture: camera.aperture?.replace('f/', ''), focalLength: camera.focal_length?.replace(/ ?mm$/, '') },
  };
}
