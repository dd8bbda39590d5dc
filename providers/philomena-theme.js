const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, pagesInTurn } = require('./lists-theme');

const { absolute, conditions, dayFrom, file, media, rating, ratingParam } = board;

const RATING = ratingParam('safe', 'suggestive', 'questionable', 'explicit');
/** @type {import('./booru-theme').Conditions} */
const WORDS = {
  exclude: (tags) => tags.map((tag) => `-"${tag.replace(/["\\]/g, '\\$&')}"`),
  since: (time) => `created_at.gte:${dayFrom(time, 0)}`,
  until: (time) => `created_at.lt:${dayFrom(time, 1)}`,
  min_width: (pixels) => `width.gte:${pixels}`,
  min_height: (pixels) => `height.gte:${pixels}`,
  shape: (name) => ({ landscape: ['aspect_ratio.gt:1'], portrait: ['aspect_ratio.lt:1'],
    square: ['aspect_ratio.gte:0.97', 'aspect_ratio.lte:1.03'] })[name],
};
const NARROWING = board.conditionParams(WORDS);
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTER = { filter_id: { type: 'integer', min: 1, help: 'The filter to see the site through.' } };
/** What a user has, by the terms that find it. @type {Record<string, string>} */
const LISTS = { gallery: 'uploader', favorites: 'faved_by' };
const SORTS = ['created_at', '_score', 'random', 'width', 'height', 'comment_count', 'wilson_score', 'score', 'faves'];

/**
 * Sites that run Philomena; `help` is the page about keys.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = ({ help, ...site }) => ({
  contract: 1,
  version: '1.1.0',
  ...board.base(site),
  auth: { type: 'query', name: 'key', optional: true, help },
  limits: { pageSize: { max: 50 }, rate: ['2/1s'] },

  search: {
    newestFirst: { sf: ['', 'created_at'] },
    params: { sf: { type: 'choice', values: SORTS, help: 'What to sort by, highest first.' }, ...RATING, ...FILTER,
      ...NARROWING },
    request: (q) => images(`(${q.text})`, q, { sf: q.params.sf }),
    parse: listed,
  },

  feed: {
    newestFirst: { list: ['recent'] },
    params: { list: { type: 'choice', values: ['recent', 'popular'], default: 'recent' }, ...RATING, ...FILTER,
      ...NARROWING },
    request: (q) => (q.params.list === 'recent' ? images('*', q)
      : images('first_seen_at.gt:3 days ago', q, { sf: 'wilson_score' })),
    parse: listed,
  },

  details: {
    request: (item) => ({ url: `/api/v1/json/images/${encodeURIComponent(item.id)}` }),
    parse: (res) => {
      const { image: post } = res.json;
      if (post.hidden_from_users) fail('notFound', `The image was removed: ${post.deletion_reason ?? 'duplicate'}`);
      return image(post, res);
    },
  },

  // `gallery:12` in the gallery’s own order, `user:Anna`, `fav:Anna`.
  collection: {
    params: { ...include(Object.keys(LISTS)), ...RATING, ...FILTER, ...NARROWING },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const gallery = `gallery_id:${name}`;
      if (kind === 'gallery') return listed(yield images(gallery, q, { sf: gallery, sd: 'desc' }));
      if (kind !== 'user' && kind !== 'fav') return listed(yield images(item.id, q));
      const lists = kind === 'user' ? chosen(q, Object.keys(LISTS)) : ['favorites'];
      return yield* pagesInTurn(lists, q, function* list(which, part) {
        return listed(yield images(`${LISTS[which]}:${name}`, part));
      });
    },
  },
  // Nothing says how alike they are.
  similar: {
    image: ['url', 'file'],
    params: {
      distance: { type: 'number', min: 0, max: 1, default: 0.25, help: 'How different they may be: 0.2 to 0.5.' },
      ...RATING,
    },
    request: (q) => {
      const query = { url: q.image.url, distance: q.params.distance, limit: q.limit };
      const upload = q.image.url ? undefined : 'image[image]';
      return { url: '/api/v1/json/search/reverse', method: 'POST', query, upload };
    },
    parse: (res, q) => {
      const { items } = listed(res);
      const isWanted = ({ tags = [] }) => q.params.rating === 'any' || tags.includes(String(q.params.rating));
      return { items: items.filter(isWanted), next: null };
    },
  },

  match: board.matches(site, {
    '/images/{id}': '{id}', '/galleries/{id}': 'gallery:{id}', '/profiles/{id}': 'user:{id}',
  }, ['gallery', 'user', 'fav']),
  ...site,
});

/** @param {string} text @param {import('imgscript').Query} q @param {object} [sorting] */
function images(text, q, sorting) {
  const { rating: wanted, filter_id } = q.params;
  // A rating is a tag like any other; films are not images.
  const tags = [text, wanted === 'any' ? null : wanted, '-mime_type:video/webm', ...conditions(WORDS, q)]
    .filter(Boolean).join(', ');
  const query = { q: tags, page: q.page, per_page: q.limit, filter_id, ...sorting };
  return { url: '/api/v1/json/search/images', query };
}

/** @param {import('imgscript').Response} res */
function listed(res) {
  return { total: res.json.total, items: res.json.images.map((post) => image(post, res)) };
}

/** @param {any} post @param {import('imgscript').Response} res @returns {import('imgscript').Item} */
function image(post, { url }) {
  const {
    id, description, tags, created_at, score, faves, upvotes, downvotes, comment_count,
    representations: sizes, width, height, size: bytes, ...extra
  } = post;
  const artists = tags.filter((tag) => tag.startsWith('artist:')).map((tag) => tag.slice('artist:'.length));
  return {
    id,
    type: 'image',
    description: description?.replaceAll('\r\n', '\n').trim() || null,
    page: absolute(`/images/${id}`, url),
    tags,
    author: artists.length ? { name: artists.join(', ') } : null,
    created: parseDate(created_at),
    stats: { score, favorites: faves, upvotes, downvotes, comments: comment_count },
    media: media([
      file('original', sizes.full, url, { width, height, bytes }),
      file('large', sizes.large, url),
      file('large', sizes.tall, url),
      file('regular', sizes.medium, url),
      file('small', sizes.small, url),
      file('thumbnail', sizes.thumb, url),
      file('thumbnail', sizes.thumb_small, url),
      file('thumbnail', sizes.thumb_tiny, url),
    ]),
    aiGenerated: board.isGenerated(tags),
    rating: tags.map(rating).find(Boolean),
    extra,
  };
}
