const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, pagesInTurn } = require('./lists-theme');

const { absolute, conditions, dayFrom, file, media, rating } = board;

/** @type {Record<string, import('imgscript').Parameter>} */
const SAFETY = {
  safety: { type: 'choice', values: ['safe', 'sketchy', 'unsafe', 'any'], default: 'safe', help: 'How safe.' },
};
/** What a user has, by the terms that find it. @type {Record<string, string>} */
const LISTS = { gallery: 'uploader', favorites: 'fav' };
/** @type {import('./booru-theme').Conditions} */
const WORDS = {
  exclude: (tags) => tags.map((tag) => `-${tag.trim().replace(/\s+/g, '_').replace(/[:*\\]/g, '\\$&')}`),
  since: (time) => `date:${dayFrom(time, -1)}..`,
  until: (time) => `date:..${dayFrom(time, 1)}`,
  min_width: (pixels) => `width:${pixels}..`,
  min_height: (pixels) => `height:${pixels}..`,
};
const NARROWING = board.conditionParams(WORDS);
const SORTS = ['id', 'score', 'fav-count', 'comment-count', 'tag-count', 'image-area', 'date', 'random'];

/**
 * Sites that run Szurubooru.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = (site) => ({
  contract: 1,
  version: '1.1.0',
  ...board.base(site),
  auth: { type: 'basic', optional: true, help: 'that server, as an account' },
  limits: { pageSize: { max: 100 }, rate: ['2/1s'] },
  paging: 'offset',

  check: (res) => {
    if (res.ok || !res.text.startsWith('{')) return;
    const { name, description } = res.json;
    if (!description) return;
    if (name === 'AuthError') fail('auth', description); // also where visitors may not look
    if (res.status === 404) fail('notFound', description);
    if (res.status === 400 || res.status === 409) fail('unsupported', description);
  },

  search: {
    newestFirst: { sort: ['', 'id', 'date'] },
    params: { sort: { type: 'choice', values: SORTS }, ...SAFETY, ...NARROWING },
    request: (q) => posts(q.params.sort ? `${q.text} sort:${q.params.sort}` : q.text, q),
    parse: listed,
  },
  feed: {
    newestFirst: { sort: ['', 'id', 'date'] },
    params: { sort: { type: 'choice', values: SORTS }, ...SAFETY, ...NARROWING },
    request: (q) => posts(q.params.sort ? `sort:${q.params.sort}` : '', q),
    parse: listed,
  },
  details: {
    request: (item) => ({ url: `/api/post/${encodeURIComponent(item.id)}` }),
    parse: (res) => image(res.json, res),
  },
  // `pool:12` in the pool’s own order, `uploader:anna`, `fav:anna`.
  collection: {
    params: { ...include(Object.keys(LISTS)), ...SAFETY, ...NARROWING },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'pool') return listed(yield posts(`${item.id} sort:pool`, q));
      const lists = kind === 'uploader' ? chosen(q, Object.keys(LISTS)) : [kind];
      return yield* pagesInTurn(lists, q, function* list(which, part) {
        return listed(yield posts(`${LISTS[which] ?? which}:${name}`, part));
      });
    },
  },
  match: board.matches(site, { '/post/{id}': '{id}', '/user/{id}': 'uploader:{id}' }, ['pool', 'uploader', 'fav']),
  ...site,
});

/** @param {string} text @param {import('imgscript').Query} q */
function posts(text, q) {
  const safety = q.params.safety === 'any' ? '' : `safety:${q.params.safety}`;
  const query = [text, safety, 'type:image,animation', ...conditions(WORDS, q)].filter(Boolean).join(' '); // films are not images
  return { url: '/api/posts/', query: { query, offset: q.offset, limit: q.limit } };
}

/** @param {import('imgscript').Response} res */
function listed(res) {
  return { total: res.json.total, items: res.json.results.map((post) => image(post, res)) };
}

/** @param {any} post @param {import('imgscript').Response} res @returns {import('imgscript').Item} */
function image(post, { url }) {
  const {
    id, tags, user, creationTime, safety, canvasWidth: width, canvasHeight: height, contentUrl, thumbnailUrl,
    score, favoriteCount, commentCount, fileSize: bytes, ...extra
  } = post;
  const root = url.replace(/\/api\/.*/, '/'); // addresses are relative to the site, which may lie in a folder
  return {
    id,
    type: 'image',
    page: absolute(`post/${id}`, root),
    tags: tags.map(({ names }) => names[0]),
    author: user ? { name: user.name, url: absolute(`user/${encodeURIComponent(user.name)}`, root) } : null,
    created: parseDate(creationTime),
    stats: { score, favorites: favoriteCount, comments: commentCount },
    media: media([
      file('original', contentUrl, root, { width, height, bytes }),
      file('thumbnail', thumbnailUrl, root),
    ]),
    aiGenerated: board.isGenerated(tags.flatMap(({ names }) => names)),
    rating: rating(safety),
    extra: { ...extra, categories: Object.fromEntries(tags.map(({ names, category }) => [names[0], category])) },
  };
}
