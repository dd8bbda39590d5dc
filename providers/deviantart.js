const { fail } = require('imgscript');
const { image, about } = require('./deviantart-theme');

const SITE = 'https://www.deviantart.com';
const API = '/api/v1/oauth2';
/** @type {import('imgscript').Parameter} */
const MATURE = { type: 'boolean', help: 'Works for adults too.' };

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
      mature_content: MATURE,
    },
    request: (q) => {
      const { by, ...params } = q.params;
      const words = by === 'tags' ? { tag: q.text.replace(/[^\p{L}\p{N}_]/gu, '') } : { q: q.text };
      return browse(`browse/${by}`, q, { ...words, ...params });
    },
    parse,
  },

  feed: {
    params: {
      list: { type: 'choice', values: ['popular', 'newest', 'dailydeviations'], default: 'popular' },
      date: { type: 'string', help: 'Of the daily deviations: the day, 2024-05-01.' },
      mature_content: MATURE,
    },
    request: (q) => {
      const { list, ...params } = q.params;
      return browse(`browse/${list}`, q, params);
    },
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
    params: { mature_content: MATURE },
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
    {
      pattern: [`${SITE}/{user}/gallery`, `${SITE}/{user}`, 'user:{user}'],
      item: { id: 'user:{user}', type: 'collection' },
    },
  ],
};

/** @param {string} path @param {{ limit: number, cursor?: any }} q @param {Record<string, any>} query */
function browse(path, { limit, cursor }, query) {
  return { url: `${API}/${path}`, query: { ...query, limit, offset: cursor ?? 0 } };
}

/** Journals, literature and what has been deleted have no image. @param {import('imgscript').Response} res */
function parse({ json: { results, estimated_total, next_offset } }) {
  const shown = results.filter(({ content, preview }) => content ?? preview);
  return { total: shown.length ? estimated_total : null, items: shown.map(image), next: next_offset ?? null };
}
