const { fail, parseDate } = require('imgscript');

const SITE = 'https://www.pinterest.com';
const API = 'https://developers.pinterest.com/docs';
/** @type {Record<string, import('imgscript').Media['role']>} The documented sizes, the largest first. */
const ROLES = { originals: 'original', '1200x': 'original', '600x': 'large', '400x300': 'regular', '150x150': 'thumbnail' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'pinterest',
  name: 'Pinterest',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Your own pins and boards, secret ones included, after a login; the service shows those of others to no program.',
  category: 'web',
  base: 'https://api.pinterest.com',
  hosts: ['api.pinterest.com'],
  mediaHosts: ['*.pinimg.com'],
  auth: {
    type: 'oauth2',
    token: 'https://api.pinterest.com/v5/oauth/token',
    authorize: `${SITE}/oauth/`,
    scope: 'boards:read,boards:read_secret,pins:read,pins:read_secret',
    help: `${API}/getting-started/connect-app/`,
  },
  limits: { pageSize: { max: 250, default: 25 }, reset: { header: 'x-ratelimit-reset', unit: 'seconds' } },
  terms: {
    url: 'https://policy.pinterest.com/en/developer-guidelines',
    license: 'Of those who made the images, not stated',
    attribution: '{author.name} on Pinterest, {page}',
  },
  paging: 'cursor',

  // {"code":2,"message":"Authentication failed."}
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { code, message } = res.json;
    fail(res.status, `${message ?? 'Pinterest refuses the request.'} (${code ?? res.status})`);
  },

  // Among one's own pins.
  search: {
    request: (q) => ({ url: '/v5/search/pins', query: { query: q.text, bookmark: q.cursor } }),
    parse,
  },

  feed: {
    request: (q) => ({ url: '/v5/pins', query: { page_size: q.limit, bookmark: q.cursor } }),
    parse,
  },

  details: {
    request: (item) => ({ url: `/v5/pins/${encodeURIComponent(item.id)}` }),
    parse: (res) => pin(res.json),
  },

  // `boards:me`, `board:549755885175`.
  collection: {
    request: ({ id }, q) => {
      const [kind, name] = id.split(/:(.*)/s);
      const query = { page_size: q.limit, bookmark: q.cursor };
      if (kind === 'boards') return { url: '/v5/boards', query };
      return { url: `/v5/boards/${encodeURIComponent(name)}/pins`, query };
    },
    parse: (res, item) => (item.id.startsWith('boards:')
      ? { items: res.json.items.map(board), next: res.json.bookmark } : parse(res)),
  },

  match: [
    { pattern: ['https://*.pinterest.com/pin/{id}', `${SITE}/pin/{id}`], item: { id: '{id}' } },
    { pattern: 'boards:me', item: { id: 'boards:me', type: 'collection' } },
    { pattern: 'board:{id}', item: { id: 'board:{id}', type: 'collection' } },
  ],
};

/** Films have an image of their own, and several images lie in `items`. @param {import('imgscript').Response} res */
function parse({ json: { items, bookmark } }) {
  return { items: items.map(pin).filter((item) => item.media.length), next: bookmark };
}

/** @param {any} found @returns {import('imgscript').Item} */
function pin({ id, title, description, alt_text, note, link, board_owner, created_at, dominant_color, media, ...extra }) {
  return {
    id,
    type: 'image',
    title: title || alt_text || null,
    description: description || note || null,
    page: `${SITE}/pin/${id}/`,
    author: board_owner?.username
      ? { name: board_owner.username, url: `${SITE}/${board_owner.username}/` } : null,
    created: parseDate(created_at),
    colors: dominant_color ? [dominant_color.toLowerCase()] : null,
    media: sizes(media?.images ?? media?.items?.[0]?.images),
    extra: { ...extra, link, alt_text },
  };
}

/** @param {any} found @returns {import('imgscript').Item} */
function board({ id, name, description, owner, created_at, privacy, pin_count, media }) {
  const cover = media?.image_cover_url;
  return {
    id: `board:${id}`,
    type: 'collection',
    title: name,
    description: description || null,
    author: owner?.username ? { name: owner.username, url: `${SITE}/${owner.username}/` } : null,
    created: parseDate(created_at),
    stats: { pins: pin_count },
    media: cover ? [{ role: 'thumbnail', url: cover }] : [],
    extra: { privacy },
  };
}

/** @param {Record<string, any>} [images] @returns {import('imgscript').Media[]} */
function sizes(images = {}) {
  const known = Object.keys(ROLES).filter((name) => images[name]?.url);
  return known.map((name, place) => ({
    role: place === 0 ? 'original' : ROLES[name] === 'original' ? 'large' : ROLES[name],
    url: images[name].url,
    width: images[name].width || null,
    height: images[name].height || null,
  }));
}
