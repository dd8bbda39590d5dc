const { fail, fileFormat, parseDate } = require('imgscript');
const board = require('./booru-theme');
const { chosen, include, inTurn } = require('./lists-theme');

const { absolute, file, kind, media, rating, words } = board;

/** What a user has, by the terms that find it. @type {Record<string, string>} */
const LISTS = { gallery: 'user', favorites: 'favorited_by' };

/** @typedef {{ page: number, form?: 'html' }} Place Where a listing goes on, and how this site is read. */

/**
 * Sites that run Shimmie 2. Not each of them has its Danbooru API; the pages that people see are read where it lacks.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = (site) => ({
  contract: 1,
  version: '1.0.0',
  ...board.base(site),
  limits: { pageSize: { max: 100, default: 50 }, rate: ['1/1s'] },
  paging: 'cursor',

  search: { newestFirst: true, run: (q) => posts(q.text, q) },
  feed: { newestFirst: true, run: (q) => posts('', q) },

  // Ratings, and the files of sites without the API, stand on the page alone.
  details: {
    *run(item) {
      const id = encodeURIComponent(item.id);
      const res = yield { ...listing({ id: item.id }), allowStatus: [403, 404] };
      const [post] = isListing(res) ? res.xml.querySelectorAll('post') : [];
      if (post) return fromAttributes(post, res);
      const page = yield { url: `/post/view/${id}`, accept: 'html' };
      return fromPage(item.id, page);
    },
  },

  // `tags:cat hat`, `user:anna`, `fav:anna`.
  collection: {
    params: include(Object.keys(LISTS)),
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'tags') return yield* posts(name, q);
      const lists = kind === 'user' ? chosen(q, Object.keys(LISTS)) : ['favorites'];
      return yield* inTurn(lists, q, (list, part) => posts(`${LISTS[list]}=${name}`, part));
    },
  },

  match: board.matches(site, {
    '/post/view/{id}': '{id}', '/post/list/{id}/*': 'tags:{id}', '/post/list/{id}': 'tags:{id}',
  }, ['tags', 'user', 'fav']),
  ...site,
});

/** @param {Record<string, any>} query @returns {import('imgscript').Request} */
const listing = (query) => ({ url: '/api/danbooru/find_posts', accept: 'xml', query });

/** A site without this API answers with a page, or an error. @param {import('imgscript').Response} res */
const isListing = (res) => res.ok && /^(?:\s|<\?[^>]*\?>)*<posts\b/.test(res.text);

/**
 * @param {string} text @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* posts(text, q) {
  /** @type {Place} */
  const { page, form } = q.cursor ?? { page: 1 };
  if (!form) {
    const res = yield { ...listing({ tags: text || null, limit: q.limit, page }), allowStatus: [403, 404] };
    if (isListing(res)) return listed(res, page, q);
  }
  const path = text ? `/post/list/${encodeURIComponent(text)}/${page}` : `/post/list/${page}`;
  const res = yield { url: path, accept: 'html', allowStatus: [404] };
  const thumbs = res.html.querySelectorAll('[data-post-id]').filter((element) => element.getAttribute('data-width'));
  const isEmpty = /No (?:Posts|Images) (?:Were )?Found/i.test(res.text);
  if (!res.ok && !isEmpty) fail(res.status, 'The site has no such page.');
  if (!thumbs.length && !isEmpty) fail('changed', 'The page has no list of posts.');
  const isLast = !res.html.querySelector('link[rel="next"]')
    && !res.html.querySelectorAll('a').some((link) => link.textContent.trim() === 'Next' && link.getAttribute('href'));
  return {
    items: thumbs.map((element) => fromThumb(element, res)),
    next: isLast || !thumbs.length ? null : { page: page + 1, form: 'html' },
  };
}

/** @param {import('imgscript').Response} res @param {number} page @param {import('imgscript').Query} q */
function listed(res, page, q) {
  const total = Number(res.xml.documentElement.getAttribute('count'));
  const found = res.xml.querySelectorAll('post');
  const isWrong = Number.isNaN(total) || (total > 0 && !found.length && page === 1);
  if (isWrong) fail('changed', 'The list has a number and no posts.');
  const next = page * q.limit < total ? { page: page + 1 } : null;
  return { total, items: found.map((post) => fromAttributes(post, res)), next };
}

/** @param {import('imgscript').Element} element @param {import('imgscript').Response} res */
function fromAttributes({ attributes }, res) {
  const post = Object.fromEntries(attributes.filter(({ value }) => value).map(({ name, value }) => [name, value]));
  return item(post, res.url);
}

/** @param {import('imgscript').Element} element @param {import('imgscript').Response} res */
function fromThumb(element, { url }) {
  const id = element.getAttribute('data-post-id');
  const thumb = element.querySelector('img') ?? fail('changed', 'A post without its small picture.');
  const mime = element.getAttribute('data-mime') ?? '';
  const format = mime.split('/')[1]?.replace('jpeg', 'jpg').replace(/\+.*$/, '');
  const [, md5] = /\/_?thumbs\/(?:[0-9a-f]{2}\/)?([0-9a-f]{32})/.exec(thumb.src) ?? [];
  const address = md5 && format && absolute(`/_images/${md5}/${id}.${format}`, url);
  return item({
    id, md5, tags: element.getAttribute('data-tags'), width: element.getAttribute('data-width'),
    height: element.getAttribute('data-height'), rating: element.getAttribute('data-rating'), file_url: address,
    preview_url: thumb.src, preview_width: thumb.getAttribute('width'), preview_height: thumb.getAttribute('height'),
  }, url);
}

/** @param {string} id @param {import('imgscript').Response} res */
function fromPage(id, { html, url }) {
  const shown = html.querySelector('#main_image') ?? fail('notFound', `There is no post ${id}.`);
  const source = shown.getAttribute('src') ?? shown.querySelector('source')?.getAttribute('src');
  const named = html.querySelector('meta[name="keywords"]')?.getAttribute('content')?.replaceAll(',', ' ');
  const edited = html.querySelector('[name="tag_edit__tags"], textarea[name="tags"]')?.textContent;
  const tags = named ?? edited ?? html.title.replace(/\s+-\s+.*$/, '');
  return item({
    id, tags, width: shown.getAttribute('data-width'), height: shown.getAttribute('data-height'), file_url: source,
    preview_url: html.querySelector('meta[property="og:image"]')?.getAttribute('content'),
    date: html.querySelector('time[datetime]')?.getAttribute('datetime'),
  }, url);
}

/** @param {any} post @param {string} base @returns {import('imgscript').Item} */
function item(post, base) {
  const {
    id, tags, author, date, rating: letter, score, width, height, file_url, preview_url, preview_width, preview_height,
    ...extra
  } = post;
  return {
    id,
    type: kind(file_url),
    page: absolute(`/post/view/${id}`, base),
    tags: words(tags),
    author: author && author !== 'Anonymous' ? { name: author } : null, // who posted it
    created: parseDate(date),
    stats: { score: Number(score) || null },
    media: media([
      { ...file('original', file_url, base, { width, height }), format: fileFormat(file_url) },
      file('thumbnail', preview_url, base, { width: preview_width, height: preview_height }),
    ]),
    aiGenerated: board.isGenerated(words(tags)),
    rating: letter?.toLowerCase() === 's' ? 'safe' : rating(letter?.toLowerCase()), // `?` is none
    extra,
  };
}
