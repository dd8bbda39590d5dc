const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, inTurn } = require('./lists-theme');

const { absolute, conditions, DANBOORU, file, isFile, isWanted, kind, media, rating, ratingParam, tags, words } = board;

const RATING = ratingParam('general', 'sensitive', 'questionable', 'explicit');
/** What a user has, by the tags that find it. @type {Record<string, string>} */
const LISTS = { gallery: 'user', favorites: 'ordfav' };
const NARROWING = board.conditionParams(DANBOORU);
/** @type {Record<string, string>} */
const ROLES = { '180x180': 'thumbnail', '360x360': 'small', '720x720': 'regular', sample: 'large', full: 'large' };

/**
 * Sites that run Danbooru; `help` is the page about keys.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = ({ help, ...site }) => ({
  contract: 1,
  version: '1.1.0',
  ...board.base(site),
  auth: { type: 'basic', user: '{user}', password: '{key}', optional: true, help },
  limits: { pageSize: { max: 200 }, rate: ['2/1s'] },
  paging: 'cursor',

  check: (res) => {
    // Filters before the site refuse clients without a name of their own, and those that pose as a browser.
    if (res.status === 403 && /^\s*</.test(res.text)) {
      fail('blocked', 'The site refuses this client with a page in HTML (expected JSON); a key does not help.');
    }
    if (res.status === 421) fail('rate', 'The site throttles this client.'); // “User Throttled”
    if (res.ok || res.status >= 500 || !res.text.startsWith('{') || isBeyondLast(res) || hasTooManyTags(res)) return;
    // 410 is a page beyond the last that may be asked for.
    fail(res.status === 410 ? 'unsupported' : res.status, res.json.message ?? res.json.error);
  },

  search: {
    newestFirst: { order: [''] },
    params: {
      order: { type: 'choice', values: ['id', 'score', 'favcount', 'rank', 'random', 'landscape', 'portrait'] },
      ...RATING,
      ...NARROWING,
    },
    run: (q) => listed(q.params.order ? `${q.text} order:${q.params.order}` : q.text, q),
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
    *run(q) {
      if (q.params.list === 'recent') return yield* listed('', q);
      const { scale, date: day } = q.params;
      const query = { scale, date: day, page: q.cursor ?? 1, limit: q.limit };
      return parse(yield { url: '/explore/posts/popular.json', query, allowStatus: [410] }, q);
    },
  },

  details: {
    *run(item) {
      const res = yield { url: `/posts/${encodeURIComponent(item.id)}.json` };
      const { file_ext, media_asset } = res.json;
      const post = image(res.json, res);
      if (file_ext !== 'zip' || !media_asset?.id) return post;
      const query = { 'search[media_asset_id]': media_asset.id };
      return animated(post, (yield { url: '/media_metadata.json', query }).json);
    },
  },

  // `pool:12` in the pool’s own order, `user:anna`, `fav:anna`.
  collection: {
    params: { ...include(Object.keys(LISTS)), ...RATING, ...NARROWING },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const lists = kind === 'user' ? chosen(q, Object.keys(LISTS)) : [kind];
      return yield* inTurn(lists, q, function* list(which, part) {
        const text = `${LISTS[which] ?? { pool: 'ordpool', fav: 'ordfav' }[which] ?? which}:${name}`;
        return yield* listed(text, { ...part, text });
      });
    },
  },
  // IQDB: [{"post_id":12,"score":91.4,"post":{…}}]; whoever has no key may name an address only.
  similar: {
    image: ['url', 'file'],
    params: { ...RATING },
    request: (q) => {
      const query = { 'search[limit]': q.limit, 'search[url]': q.image.url };
      if (q.image.url) return { url: '/iqdb_queries.json', query };
      return { url: '/iqdb_queries.json', method: 'POST', query, upload: 'search[file]' };
    },
    parse: (res, q) => {
      if (res.json.some(({ post }) => typeof post.rating !== 'string')) fail('changed', 'A match without its post.');
      const found = res.json.filter(({ post }) => isFile(post.file_url) && isWanted(post.rating, q));
      const items = found.map(({ post, score }) => {
        const item = image(post, res);
        return { ...item, extra: { ...item.extra, similarity: score } };
      });
      return { items, next: null };
    },
  },

  match: board.matches(site, { '/posts/{id}': '{id}', '/pools/{id}': 'pool:{id}' }, ['pool', 'user', 'fav']),
  ...site,
});

/**
 * The posts that have the words; where these and the conditions are more than a visitor may search for, the host alone
 * checks the conditions.
 * @param {string} text @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* listed(text, q) {
  const all = [text, ...conditions(DANBOORU, q)].filter(Boolean).join(' ');
  let res = yield posts(all, q);
  if (hasTooManyTags(res) && all !== text) res = yield posts(text, q);
  if (hasTooManyTags(res)) fail('unsupported', res.json.message);
  return parse(res, q);
}

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function posts(text, q) {
  const query = { tags: tags(text, q), limit: q.limit, page: q.cursor };
  return { url: '/posts.json', query, allowStatus: [410, 422] };
}

/** {"success":false,"error":"PostQuery::TagLimitError","message":"You cannot search for more than 2 tags at a time."} */
function hasTooManyTags(/** @type {import('imgscript').Response} */ { status, text }) {
  return status === 422 && /TagLimit|more than \d+ tags/i.test(text);
}

/** Whether a listing has come to the last page that a visitor, or an account, may ask for: 1,000, or more. */
function isBeyondLast(/** @type {import('imgscript').Response} */ { status, url }) {
  return status === 410 && Number(new URL(url).searchParams.get('page')) > 1;
}

/** Newest first, the next page is what lies before the last post; in any other order it has a number. */
function parse(/** @type {import('imgscript').Response} */ res, /** @type {import('imgscript').Query} */ q) {
  if (isBeyondLast(res)) return { items: [], next: null };
  const numbered = q.params.list === 'popular' || q.params.order || /\bord(?:er|pool|fav):/.test(q.text);
  const next = numbered ? (q.cursor ?? 1) + 1 : `b${res.json.at(-1)?.id}`;
  return {
    // What a visitor may not see has no URL. “Popular” knows no rating.
    items: res.json.filter((post) => isFile(post.file_url) && isWanted(post.rating, q))
      .map((post) => image(post, res)),
    next: res.json.length < q.limit ? null : next,
  };
}

/** @param {any} post @param {import('imgscript').Response} res @returns {import('imgscript').Item} */
function image(post, { url }) {
  const {
    id, created_at, rating: letter, score, up_score, down_score, fav_count, media_asset,
    tag_string, tag_string_general, tag_string_artist, tag_string_character, tag_string_copyright, tag_string_meta,
    image_width: width, image_height: height, file_url, large_file_url, preview_file_url, file_size: bytes, file_ext,
    ...extra
  } = post;
  const artists = words(tag_string_artist);
  const variants = (media_asset?.variants ?? []).filter(({ type }) => type !== 'original').reverse();
  return {
    id,
    type: kind(file_url),
    page: absolute(`/posts/${id}`, url),
    tags: words(tag_string),
    author: artists.length ? { name: artists.join(', ').replaceAll('_', ' ') } : null,
    created: parseDate(created_at),
    stats: { score, favorites: fav_count, upvotes: up_score, downvotes: down_score && Math.abs(down_score) },
    media: media([
      file('original', file_url, url, { width, height, bytes }),
      ...variants.map((variant) => file(ROLES[variant.type] ?? 'small', variant.url, url, variant)),
      file('large', large_file_url, url),
      file('thumbnail', preview_file_url, url),
    ]),
    aiGenerated: board.isGenerated(words(tag_string)),
    rating: letter === 's' && !media_asset ? 'safe' : rating(letter), // there was no `g` before 2022
    extra: {
      ...extra, artists, characters: words(tag_string_character), copyrights: words(tag_string_copyright),
    },
  };
}

/** An archive of frames, which are files by their number. @param {import('imgscript').Item} post @param {any} found */
function animated(post, found) {
  const delays = found[0]?.metadata?.['Ugoira:FrameDelays'];
  if (!Array.isArray(delays)) return post;
  const frames = delays.map((delay, index) => ({ file: `${String(index).padStart(6, '0')}.jpg`, delay }));
  return { ...post, media: post.media.map((file) => (file.role === 'original' ? { ...file, frames } : file)) };
}
