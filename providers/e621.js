const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, inTurn } = require('./lists-theme');

const { absolute, conditions, DANBOORU, file, isGenerated, isWanted, kind, matches, media, ratingParam, tags } = board;

/** What a user has, by the tags that find it. @type {Record<string, string>} */
const LISTS = { gallery: 'user', favorites: 'fav' };
const RATING = ratingParam('safe', 'questionable', 'explicit');
const NARROWING = board.conditionParams(DANBOORU);
/** @type {Record<string, import('imgscript').Item['rating']>} Here `s` is safe, where it is sensitive on Danbooru. */
const RATINGS = { s: 'safe', q: 'questionable', e: 'explicit' };
/** Tags among the artists that name none. */
const NOT_ARTISTS = /^(?:conditional_dnp|avoid_posting|sound_warning|unknown_artist|third-party_edit|anonymous_artist)/;
const ORDERS = ['score', 'favcount', 'comment_count', 'hot', 'random', 'mpixels', 'filesize', 'landscape', 'portrait'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'e621',
  name: 'e621',
  version: '1.1.0',
  homepage: 'https://e621.net/',
  summary: 'Illustrations of animal characters with thorough tags; also e926, e6AI and other sites that run e621ng.',
  category: 'boards',
  adult: true,
  instance: { default: 'https://e621.net', help: 'A site that runs e621ng, such as https://e926.net.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  auth: { type: 'basic', user: '{user}', password: '{key}', optional: true, help: 'https://e621.net/help/api' },
  // Two requests a second are refused; over a longer time one is asked for.
  limits: { pageSize: { max: 320, default: 20 }, rate: ['1/1s'] },
  terms: { url: 'https://e621.net/static/terms_of_service', license: 'Of their artists, seldom stated' },
  paging: 'cursor',

  // An error is a `message`, or a `reason`. Too fast is 503, as well as 429.
  check: (res) => {
    if (res.status === 429 && res.url.includes('/iqdb_queries')) {
      fail('rate', 'One image a minute is compared for visitors, with a key six in ten seconds.');
    }
    const isThrottled = res.status === 421 || (res.status === 503 && /limit|throttle/i.test(res.text));
    if (isThrottled) fail('rate', 'More than two requests a second.');
    if (res.status === 403 && /^\s*</.test(res.text)) {
      fail('blocked', 'The site refuses this client with a page in HTML (expected JSON); a key does not help.');
    }
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { message, reason } = res.json;
    fail(res.status === 410 ? 'unsupported' : res.status, message ?? reason ?? `status ${res.status}`);
  },

  search: {
    newestFirst: { order: [''] },
    params: { order: { type: 'choice', values: ORDERS }, ...RATING, ...NARROWING },
    request: (q) => posts(q.params.order ? `${q.text} order:${q.params.order}` : q.text, q),
    parse,
  },

  feed: {
    newestFirst: { list: ['recent'] },
    params: {
      list: { type: 'choice', values: ['recent', 'popular'], default: 'recent' },
      scale: { type: 'choice', values: ['day', 'week', 'month'], help: 'What time "popular" looks at.' },
      date: { type: 'string', help: 'The day "popular" looks at, such as 2024-05-01.' },
      ...RATING,
      ...NARROWING,
    },
    request: (q) => {
      const { list, scale, date } = q.params;
      return list === 'recent' ? posts('', q) : { url: '/popular.json', query: { scale, date } };
    },
    // “Popular” is one page, and has all ratings.
    parse: (res, q) => (q.params.list === 'recent' ? parse(res, q) : { ...listed(res, q), next: null }),
  },

  details: {
    request: (item) => ({ url: `/posts/${encodeURIComponent(item.id)}.json` }),
    parse: (res) => image(res.json.post, res),
  },

  // `pool:12`, `set:name`, `user:anna`, `fav:anna`; of a pool the oldest first, as in most it is read.
  collection: {
    params: { ...include(Object.keys(LISTS)), ...RATING, ...NARROWING },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const lists = kind === 'user' ? chosen(q, Object.keys(LISTS)) : [kind];
      return yield* inTurn(lists, q, function* list(which, part) {
        const text = words(`${LISTS[which] ?? which}:${name}`);
        return parse(yield posts(text, part), { ...part, text });
      });
    },
  },

  // IQDB: [{"hash":…,"post_id":12,"score":91.4,"post":{"posts":{"id":12,"file_url":…}}}]; the whole posts are a second request.
  similar: {
    image: ['file'], // an address would have to be one of the few that uploads may come from
    params: { score_cutoff: { type: 'number', min: 0, max: 100, help: 'How similar at least, in percent.' }, ...RATING },
    *run(q) {
      const form = { score_cutoff: q.params.score_cutoff };
      const found = yield { url: '/iqdb_queries.json', method: 'POST', form, upload: 'file' };
      const scores = new Map(matching(found.json).map(({ post_id, score }) => [post_id, score]));
      if (!scores.size) return { items: [], next: null };
      const res = yield { url: '/posts.json', query: { tags: `id:${[...scores.keys()].join()}`, limit: scores.size } };
      const { items } = listed(res, q);
      const scored = items.map((item) => ({ ...item, extra: { ...item.extra, similarity: scores.get(Number(item.id)) } }));
      return { items: scored.sort((a, b) => b.extra.similarity - a.extra.similarity), next: null };
    },
  },

  match: matches({ instance: true }, {
    '/posts/{id}': '{id}', '/pools/{id}': 'pool:{id}', '/post_sets/{id}': 'set:{id}',
  }, ['pool', 'set', 'user', 'fav']),
};

/** Nothing alike is an object without posts. @param {any} json @returns {any[]} */
function matching(json) {
  const found = Array.isArray(json) ? json : [];
  return found.every(({ post_id }) => Number.isInteger(post_id)) ? found : fail('changed', 'A match without its post.');
}

/** @param {string} id */
function words(id) {
  return id.startsWith('pool:') ? `${id} order:id` : id;
}

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function posts(text, q) {
  const all = [text, ...conditions(DANBOORU, q)].filter(Boolean).join(' ');
  return { url: '/posts.json', query: { tags: tags(all, q), limit: q.limit, page: q.cursor } };
}

/** @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function listed(res, q) {
  const { posts: all } = res.json;
  if (all.some((post) => typeof post.rating !== 'string')) fail('changed', 'A post without its rating.');
  const found = all.filter((post) => isWanted(post.rating, q)).map((post) => image(post, res));
  return { items: found.filter((item) => item.media.length) }; // what visitors may not see has no URL
}

/** Newest first, the next page is what lies before the last post; in any other order it has a number. */
function parse(/** @type {import('imgscript').Response} */ res, /** @type {import('imgscript').Query} */ q) {
  const { posts: found } = res.json;
  const numbered = q.params.order || /\border:/.test(q.text);
  const next = numbered ? (q.cursor ?? 1) + 1 : `b${found.at(-1)?.id}`;
  const isLast = found.length < q.limit || (numbered && next > 750);
  return { ...listed(res, q), next: isLast ? null : next };
}

/** @param {any} post @param {import('imgscript').Response} res @returns {import('imgscript').Item} */
function image(post, { url }) {
  const {
    id, created_at, file: whole, sample, preview, score, tags: kinds, rating, fav_count, sources, description,
    comment_count, uploader_name, ...extra
  } = post;
  const artists = (kinds.artist ?? []).filter((name) => !NOT_ARTISTS.test(name))
    .map((name) => name.replace(/_\(artist\)$/, '').replaceAll('_', ' '));
  return {
    id,
    type: kind(whole.url),
    description: description?.trim() || null,
    page: absolute(`/posts/${id}`, url),
    tags: Object.values(kinds).flat(),
    author: artists.length ? { name: artists.join(', ') } : null,
    created: parseDate(created_at),
    stats: { score: score.total, upvotes: score.up, downvotes: Math.abs(score.down), favorites: fav_count,
      comments: comment_count },
    media: media([
      file('original', whole.url, url, { ...whole, bytes: whole.size }),
      file('large', sample?.has ? sample.url : null, url, sample),
      file('thumbnail', preview?.url, url, preview),
    ]),
    aiGenerated: isGenerated(Object.values(kinds).flat()),
    rating: RATINGS[rating],
    extra: {
      ...extra, md5: whole.md5, sources, artists: kinds.artist, species: kinds.species, characters: kinds.character,
      copyrights: kinds.copyright, uploader: uploader_name,
    },
  };
}
