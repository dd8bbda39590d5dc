const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, pagesInTurn } = require('./lists-theme');

const { absolute, conditions, file, isFile, isWanted, kind, media, rating, ratingParam, tags, words } = board;

const RATING = ratingParam('safe', 'questionable', 'explicit');
const { shape, ...WORDS } = board.DANBOORU; // it knows no shapes
const NARROWING = board.conditionParams(WORDS);

/** What a user has, by the tags that find it: a favourite is a vote of 3. @type {Record<string, string>} */
const LISTS = { gallery: 'user', favorites: 'vote:3' };

/**
 * Sites that run Moebooru, or the Danbooru it came from.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = (site) => ({
  contract: 1,
  version: '1.1.0',
  ...board.base(site),
  limits: { pageSize: { max: 100 }, rate: ['1/1s'] },

  search: {
    newestFirst: { order: [''] },
    params: { order: { type: 'choice', values: ['id', 'score', 'fav', 'random', 'landscape', 'portrait'] }, ...RATING,
      ...NARROWING },
    *run(q) {
      return listed(yield* posts(q.params.order ? `${q.text} order:${q.params.order}` : q.text, q));
    },
  },

  feed: {
    newestFirst: { list: ['recent'] },
    params: {
      list: { type: 'choice', values: ['recent', 'popular'], default: 'recent' },
      period: { type: 'choice', values: ['1d', '1w', '1m', '1y'], help: 'What time "popular" looks at.' },
      ...RATING,
      ...NARROWING,
    },
    *run(q) {
      if (q.params.list === 'recent') return listed(yield* posts('', q));
      return popular(yield { url: '/post/popular_recent.json', query: { period: q.params.period } }, q);
    },
  },

  *details(item) {
    const res = yield* ask('json', { tags: `id:${item.id}` });
    return image(res.json[0] ?? fail('notFound', `There is no post ${item.id}.`), res);
  },

  // The id is the tag that finds them: `pool:12`, `user:anna`; `tags:cat hat` are several, `fav:anna` what somebody likes.
  collection: {
    params: { ...include(Object.keys(LISTS)), ...RATING, ...NARROWING },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'fav') return listed(yield* posts(`${LISTS.favorites}:${name}`, q));
      if (kind !== 'user') return listed(yield* posts(item.id.replace(/^tags:/, ''), q));
      return yield* pagesInTurn(chosen(q, Object.keys(LISTS)), q, function* list(which, part) {
        return listed(yield* posts(`${LISTS[which]}:${name}`, part));
      });
    },
  },
  match: board.matches(site, {
    '/post/show/{id}': '{id}', '/post/show/{id}/*': '{id}', '/pool/show/{id}': 'pool:{id}',
    '/post?tags={id}': 'tags:{id}', '/post/index?tags={id}': 'tags:{id}',
  }, ['pool', 'user', 'tags', 'fav']),
  ...site,
});

/** XML, which alone says how many there are. @param {string} text @param {import('imgscript').Query} q */
function posts(text, q) {
  const all = [text, ...conditions(WORDS, q)].filter(Boolean).join(' ');
  return ask('xml', { tags: tags(all, q), limit: q.limit, page: q.page });
}

/**
 * Danbooru 1 has at `/post/index.xml` what Moebooru has at `/post.xml`.
 * @param {'xml' | 'json'} accept @param {Record<string, any>} query
 * @returns {Generator<import('imgscript').Request, import('imgscript').Response, import('imgscript').Response>}
 */
function* ask(accept, query) {
  const res = yield { url: `/post.${accept}`, accept, query, allowStatus: [404] };
  return res.ok ? res : yield { url: `/post/index.${accept}`, accept, query };
}

/** @param {import('imgscript').Response} res */
function listed(res) {
  return {
    total: Number(res.xml.documentElement.getAttribute('count')),
    items: res.xml.querySelectorAll('post').map(({ attributes }) => (
      image(Object.fromEntries(attributes.filter(({ value }) => value).map(({ name, value }) => [name, value])), res))),
  };
}

/** One page, of all ratings. @param {import('imgscript').Response} res @param {import('imgscript').Query} q */
function popular(res, q) {
  const found = res.json.filter((post) => isWanted(post.rating, q));
  return { items: found.map((post) => image(post, res)), next: null };
}

/** JSON has numbers where XML has text. @param {any} post @param {import('imgscript').Response} res */
function image(post, { url }) {
  const {
    id, tags: tagged, author, creator_id, created_at, rating: letter, score, width, height, file_url, file_size,
    jpeg_url, jpeg_width, jpeg_height, jpeg_file_size, sample_url, sample_width, sample_height, sample_file_size,
    preview_url, preview_width, preview_height, actual_preview_width, actual_preview_height, ...extra
  } = post;
  return /** @type {import('imgscript').Item} */ ({
    id,
    type: kind(file_url),
    page: absolute(`/post/show/${id}`, url),
    tags: words(tagged),
    author: author ? { name: author, id: creator_id } : null, // who posted it
    created: parseDate(created_at?.s ?? created_at),
    stats: { score: Number(score) },
    media: media([
      file('original', file_url, url, { width, height, bytes: file_size }),
      file('large', jpeg_url, url, { width: jpeg_width, height: jpeg_height, bytes: jpeg_file_size }),
      file('regular', sample_url, url, { width: sample_width, height: sample_height, bytes: sample_file_size }),
      file('thumbnail', preview_url, url, {
        width: actual_preview_width ?? preview_width, height: actual_preview_height ?? preview_height,
      }),
    ]),
    aiGenerated: board.isGenerated(words(tagged)),
    rating: letter === 's' ? 'safe' : rating(letter),
    extra: isFile(file_url) ? extra : { file_url, ...extra },
  });
}
