const { fail } = require('imgscript');
const { image, about } = require('./deviantart-theme');
const { chosen, include, inTurn } = require('./lists-theme');

const SITE = 'https://www.deviantart.com';
const API = '/api/v1/oauth2';
// Lists end here, although the documentation says 50,000: https://github.com/wix-incubator/DeviantArt-API/issues/259
const END = 10000;
// What stands in an address where others have the user.
const PAGES = ['search', 'tag', 'topic', 'popular', 'newest', 'daily-deviations', 'watch', 'notifications', 'groups',
  'developers', 'about', 'shop', 'core-membership', 'settings', 'join', 'users'];
/** What a user's page has; scraps are in no list of the API. */
const LISTS = ['gallery', 'favorites'];
/** @typedef {{ limit: number, cursor?: any }} Paged */
/** @type {import('imgscript').Parameter} */
const MATURE = { type: 'boolean', help: 'Works for adults too.' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'deviantart',
  name: 'DeviantArt',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Drawings, paintings and photographs by a large community of artists.',
  category: 'art',
  base: SITE,
  hosts: ['www.deviantart.com'],
  mediaHosts: ['*.wixmp.com', '*.deviantart.net'],
  // Own favourites and folders for those who log in, else as a guest: https://www.deviantart.com/developers/authentication
  auth: [
    {
      type: 'oauth2', token: `${SITE}/oauth2/token`, authorize: `${SITE}/oauth2/authorize`, scope: 'browse',
      help: `${SITE}/developers/apps`,
    },
    { type: 'oauth2', token: `${SITE}/oauth2/token`, help: `${SITE}/developers/apps` },
  ],
  limits: { pageSize: { max: 50, default: 24 } }, // how deep a listing goes: END
  terms: { url: `${SITE}/developers/policies`, license: 'As each artist says',
    attribution: '“{title}” by {author.name} on DeviantArt' },
  paging: 'cursor',

  // Lists for signed-in users answer the token of an application as if it were too old, or ask for a user.
  check: (res) => {
    // A guard before the API refuses some networks, whatever key they send.
    if (res.status === 403 && /^\s*</.test(res.text)) {
      fail('blocked', 'DeviantArt refuses this client or network with a web page (expected JSON).');
    }
    if (res.status === 401 && /\/browse\/home\?/.test(res.url)) {
      fail('auth', 'DeviantArt gives its home list to signed-in users only; search with by=tags, or deviantart-feed.');
    }
    const isOwn = /\/(?:collections|gallery)\//.test(res.url) && !/[?&]username=/.test(res.url);
    if (isOwn && [400, 401, 403].includes(res.status)) fail('auth', 'DeviantArt shows your own lists after a login only.');
  },

  search: {
    params: {
      by: { type: 'choice', values: ['tags', 'home'], default: 'tags', help: 'One tag; any words, if the key may.' },
      mature_content: MATURE,
    },
    request: (q) => {
      const { by, ...params } = q.params;
      return by === 'home' ? browse('browse/home', q, { q: q.text, ...params }) : tagged(q.text, q, params);
    },
    parse,
  },

  feed: {
    params: {
      list: { type: 'choice', values: ['dailydeviations', 'home'], default: 'dailydeviations' },
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

  // `user:anna`, `folder:anna/pots-cups`, `favourites:anna`, `favourites:anna/lattes`, `tag:coffee`; `me` is whoever is
  // logged in: `favourites:me`.
  collection: {
    params: { ...include(LISTS), mature_content: MATURE },
    *run({ id }, q) {
      const [kind, name] = id.split(/:(.*)/s);
      const { include: _, ...params } = q.params;
      if (kind === 'tag') return parse(yield tagged(name, q, params));
      const [user, slug] = name.split('/');
      if (PAGES.includes(user)) {
        fail('unsupported', `/${user} is a page of the site (expected a user); search by text, or list tag:NAME.`);
      }
      const path = kind === 'favourites' ? 'collections' : 'gallery';
      if (kind !== 'user') return yield* listOf(path, user, slug, { ...q, params });
      const paths = { gallery: 'gallery', favorites: 'collections' };
      return yield* inTurn(chosen(q, LISTS), { ...q, params }, (list, part) => listOf(paths[list], user, slug, part));
    },
  },

  // The file as it was uploaded, where the artist gives it away; after ten in a week the one that is listed.
  *download(media, item) {
    if (media.role !== 'original' || !item.extra?.is_downloadable) return;
    const res = yield { url: `${API}/deviation/download/${item.id}`, allowStatus: [400] };
    if (res.ok) return { url: res.json.src };
    const reason = res.json.error_description ?? 'DeviantArt does not give the file.';
    if (!/download limit/i.test(reason)) fail(res.status, reason);
  },

  match: [
    { pattern: `${SITE}/{user}/art/{work}`, item: { id: '{user}/art/{work}' } },
    { pattern: [`${SITE}/tag/{name}`, 'tag:{name}'], item: { id: 'tag:{name}', type: 'collection' } },
    {
      pattern: [`${SITE}/search?q={text}`, `${SITE}/search/*?q={text}`],
      item: { id: 'tag:{text}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/{user}/favourites/all`, `${SITE}/{user}/favourites`, 'favourites:{user}'],
      item: { id: 'favourites:{user}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/{user}/favourites/*/{folder}`, 'favourites:{user}/{folder}'],
      item: { id: 'favourites:{user}/{folder}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/{user}/gallery/all`, `${SITE}/{user}/gallery`, `${SITE}/{user}`, 'user:{user}'],
      item: { id: 'user:{user}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/{user}/gallery/*/{folder}`, 'folder:{user}/{folder}'],
      item: { id: 'folder:{user}/{folder}', type: 'collection' },
    },
  ],
};

/** What has one tag, a word without spaces. @param {string} text @param {Paged} q @param {object} params */
function tagged(text, q, params) {
  return browse('browse/tags', q, { tag: text.replace(/^#|\s+/g, ''), ...params });
}

/**
 * The works of a user, or what they like; all of it, or one folder.
 * @param {string} path @param {string} user @param {string | undefined} slug @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* listOf(path, user, slug, q) {
  const username = user === 'me' ? null : user; // lists without a user are those of whoever is logged in
  const folder = slug ? q.cursor?.folder ?? (yield* folderOf(path, username, slug, q.params)) : 'all';
  const query = { username, mode: slug && path === 'gallery' ? 'newest' : null, ...q.params };
  const shorter = { limit: Math.min(q.limit, 24), cursor: q.cursor?.offset }; // these lists take no more
  const { next, ...page } = parse(yield browse(`${path}/${folder}`, shorter, query));
  return { ...page, next: next && { offset: next, folder } };
}

/**
 * The UUID of a folder, of which a page's address has the name alone: `Pots-Cups` for “Pots & Cups!”.
 * @param {string} path @param {string | null} username @param {string} slug @param {object} params
 * @returns {Generator<import('imgscript').Request, string, import('imgscript').Response>}
 */
function* folderOf(path, username, slug, params) {
  const bare = (/** @type {any} */ text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  for (let offset = 0; offset != null;) {
    const { json } = yield browse(`${path}/folders`, { limit: 50, cursor: offset }, { username, ...params });
    const found = json.results.find(({ folderid, name }) => folderid === slug || bare(name) === bare(slug));
    if (found) return found.folderid;
    offset = json.has_more ? json.next_offset : null;
  }
  return fail('notFound', `${username ?? 'You'} ${username ? 'has' : 'have'} no folder "${slug}" (expected the name that a folder's address ends in).`);
}

/** @param {string} path @param {Paged} q @param {Record<string, any>} query */
function browse(path, { limit, cursor }, query) {
  return { url: `${API}/${path}`, query: { ...query, limit, offset: cursor ?? 0 } };
}

/** Journals, literature and what has been deleted have no image. @param {import('imgscript').Response} res */
function parse({ json: { results, estimated_total, next_offset } }) {
  const shown = results.filter(({ content, preview }) => content ?? preview);
  const next = next_offset < END ? next_offset : null;
  return { total: shown.length ? estimated_total : null, items: shown.map(image), next: next ?? null };
}
