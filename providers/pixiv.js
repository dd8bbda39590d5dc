const { fail, fileFormat, parseDate, plainText } = require('imgscript');
const { chosen, include, inTurn } = require('./lists-theme');

const SITE = 'https://www.pixiv.net';
const FILES = 'https://i.pximg.net';
const HEADERS = { Referer: `${SITE}/` }; // without it the files' server refuses
const PER_LIST = 48; // of a user's works and bookmarks
/** @type {Record<string, import('imgscript').Item['rating']>} By `xRestrict`. */
const RATINGS = { 0: 'safe', 1: 'explicit', 2: 'explicit' };
/** @type {import('imgscript').Parameter} */
const RATING = { type: 'choice', values: ['safe', 'r18', 'all'], default: 'safe', help: 'What the works may show.' };

/** What a user's page has: works, and public bookmarks. */
const LISTS = ['gallery', 'favorites'];
/** Of a work, that it is an animation whose frames are images. */
const UGOIRA = 2;

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'pixiv',
  name: 'Pixiv',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Illustrations, manga and animations by artists, many of them in Japan.',
  category: 'art',
  base: SITE,
  hosts: ['www.pixiv.net'],
  mediaHosts: ['i.pximg.net'],
  // The site answers a browser that is logged in: both its cookies and its User-Agent are the user's own.
  auth: {
    type: 'cookies', needs: ['PHPSESSID'], headers: { 'User-Agent': '{user_agent}' },
    help: 'https://accounts.pixiv.net/login',
  },
  limits: { pageSize: { min: 60, max: 60, default: 60 }, rate: ['1/1s'], concurrent: 1 },
  terms: {
    url: 'https://policies.pixiv.net/en.html',
    license: 'Of their artists, not stated',
    attribution: '“{title}” by {author.name} on pixiv',
  },
  paging: 'cursor',

  // {"error":true,"message":"…","body":[]}, with status 400, 403 or 404 for a work that is not there or not to be seen.
  check: (res) => {
    const isPage = /^\s*</.test(res.text);
    if (isPage && res.status === 403) fail('blocked', 'pixiv refuses this client with a web page (expected JSON).');
    if (!/^\s*\{\s*"error":\s*(?:true|")/.test(res.text)) return;
    const { error, message } = res.json;
    const words = typeof error === 'string' ? error : message;
    if (res.ok || res.status === 400) fail('unsupported', words || 'pixiv refuses this request, and says not why.');
    if (res.status < 500) fail(res.status, words || `pixiv answered with status ${res.status}.`);
  },

  // Tags, with spaces between them; `-` in front leaves one out.
  search: {
    newestFirst: { sort: ['newest'] },
    params: {
      rating: RATING,
      sort: { type: 'choice', values: ['newest', 'oldest', 'popular'], default: 'newest', help: 'popular: Premium.' },
      match: { type: 'choice', values: ['partial', 'exact', 'text'], default: 'partial', help: 'Of tags, or text.' },
      kind: { type: 'choice', values: ['all', 'illust', 'manga', 'ugoira'], default: 'all' },
      since: { type: 'string', filter: 'since', help: 'The first day: 2026-05-01.' },
      until: { type: 'string', filter: 'until', help: 'The last day.' },
      min_width: { type: 'integer', min: 1, filter: 'min-width', help: 'Pixels.' },
      min_height: { type: 'integer', min: 1, filter: 'min-height', help: 'Pixels.' },
      no_ai: { type: 'boolean', filter: 'no-ai', help: 'Without works that were generated.' },
    },
    request: (q) => tagged(q.text, q),
    parse: (res, q) => found(res.json.body.illustManga, q),
  },

  // 50 a page, up to the 500th place.
  feed: {
    params: {
      list: {
        type: 'choice', values: ['daily', 'weekly', 'monthly', 'rookie', 'original', 'male', 'female'],
        default: 'daily', help: 'Whose ranking.',
      },
      date: { type: 'string', help: 'Of which day: 2026-05-01.' },
      kind: { type: 'choice', values: ['all', 'illust', 'manga', 'ugoira'], default: 'all' },
    },
    request: (q) => {
      const { list, date, kind } = q.params;
      const query = { mode: list, date: date?.replace(/-/g, ''), content: kind === 'all' ? null : kind };
      return { url: '/ranking.php', query: { ...query, p: q.cursor ?? 1, format: 'json' } };
    },
    parse: ({ json: { contents, next } }) => ({ items: contents.map(ranked), next: next || null }),
  },

  details: {
    media: true,
    *run(item) {
      const id = number(item.id);
      const [work, pages] = yield [{ url: `/ajax/illust/${id}` }, { url: `/ajax/illust/${id}/pages` }];
      const about = whole(work.json.body);
      if (work.json.body.illustType !== UGOIRA) return { ...about, media: pages.json.body.flatMap(files) };
      const { body } = (yield { url: `/ajax/illust/${id}/ugoira_meta` }).json;
      return { ...about, media: [archive(body), ...pages.json.body.flatMap(files).filter(({ role }) => role !== 'original')] };
    },
  },

  // `user:11`, `bookmarks:11`, `tag:coffee`.
  collection: {
    params: { ...include(LISTS), rating: { ...RATING, help: 'Of a tag: what the works may show.' } },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const { rating } = q.params;
      if (kind === 'tag') return found((yield tagged(name, { ...q, params: { rating } })).json.body.illustManga, q);
      if (kind === 'bookmarks') return yield* bookmarksOf(name, q);
      return yield* inTurn(chosen(q, LISTS), q, (list, part) => (
        list === 'gallery' ? worksOf(name, part) : bookmarksOf(name, part)));
    },
  },

  match: [
    {
      pattern: [
        ...local('/artworks/{id}'), 'work:{id}',
        ...['', '/img', '/c/*', '/c/*/img'].map((path) => `${FILES}${path}/*/img/*/*/*/*/*/*/{id}_p*`),
      ],
      item: { id: '{id}' },
    },
    {
      pattern: [...['/users/{user}/bookmarks/artworks', '/users/{user}/bookmarks'].flatMap(local), 'bookmarks:{user}'],
      item: { id: 'bookmarks:{user}', type: 'collection' },
    },
    {
      pattern: ['/users/{user}', '/users/{user}/artworks', '/users/{user}/illustrations', '/users/{user}/manga']
        .flatMap(local).concat(`${SITE}/u/{user}`, 'user:{user}'),
      item: { id: 'user:{user}', type: 'collection' },
    },
    {
      pattern: ['/tags/{tag}', '/tags/{tag}/artworks', '/tags/{tag}/illustrations'].flatMap(local).concat('tag:{tag}'),
      item: { id: 'tag:{tag}', type: 'collection' },
    },
  ],
};

/** An address, and the same in one of the site's languages. @param {string} path */
function local(path) {
  return [`${SITE}${path}`, `${SITE}/*${path}`];
}

/** The number of a work. @param {string} id */
function number(id) {
  return /^\d+$/.test(id) ? id
    : fail('unsupported', `"${id}" is not a work (expected its number, such as 99123456).`);
}

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function tagged(text, q) {
  const { rating, sort, match, kind = 'all', since, until, min_width: wlt, min_height: hlt, no_ai } = q.params;
  const order = { newest: 'date_d', oldest: 'date', popular: 'popular_d' }[sort] ?? 'date_d';
  const s_mode = { partial: 's_tag', exact: 's_tag_full', text: 's_tc' }[match] ?? 's_tag';
  const days = { scd: since?.slice(0, 10), ecd: until?.slice(0, 10) };
  const query = { word: text, order, mode: rating, p: q.cursor ?? 1, s_mode, type: kind, ...days, wlt, hlt, ai_type: no_ai ? 1 : null };
  return { url: `/ajax/search/artworks/${encodeURIComponent(text)}`, query };
}

/** A page of 60, of 1,000 at most. @param {any} list @param {import('imgscript').Query} q */
function found({ data, total, lastPage }, q) {
  const page = q.cursor ?? 1;
  return { total, items: data.filter(isThere).map(image), next: page < Math.min(lastPage, 1000) ? page + 1 : null };
}

/** Among works are advertisements, and of what was deleted or is not for this user the number alone. */
function isThere({ id, isMasked, url }) {
  return id != null && !isMasked && url != null;
}

/**
 * The works of a user: the numbers of all, then those of one part.
 * @param {string} user @param {import('imgscript').Query} q
 */
function* worksOf(user, q) {
  const all = (yield { url: `/ajax/user/${user}/profile/all` }).json.body;
  const ids = [all.illusts, all.manga].flatMap((works) => Object.keys(works ?? {})).map(Number).sort((a, b) => b - a);
  const rest = q.cursor ? ids.filter((id) => id < q.cursor) : ids;
  const part = rest.slice(0, PER_LIST);
  if (!part.length) return { total: ids.length, items: [], next: null };
  const query = { 'ids[]': part, work_category: 'illustManga', is_first_page: 0 };
  const { works } = (yield { url: `/ajax/user/${user}/profile/illusts`, query }).json.body;
  const items = part.map((id) => works[id]).filter((work) => work && isThere(work)).map(image);
  return { total: ids.length, items, next: rest.length > part.length ? part.at(-1) : null };
}

/**
 * What a user keeps of others, where it is public.
 * @param {string} user @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* bookmarksOf(user, q) {
  const query = { tag: '', offset: q.cursor ?? 0, limit: PER_LIST, rest: 'show' };
  const { works, total } = (yield { url: `/ajax/user/${user}/illusts/bookmarks`, query }).json.body;
  const next = query.offset + works.length;
  return { total, items: works.filter(isThere).map(image), next: works.length && next < total ? next : null };
}

/** The frames of an ugoira in one archive. @returns {import('imgscript').Media} */
function archive({ originalSrc: url, frames }) {
  if (!url) fail('auth', 'pixiv gives no files of this work to this user.');
  return { role: 'original', type: 'animation', url, format: 'zip', frames, headers: HEADERS };
}

/** What a list says of a work: one small file, from whose address that of a larger one follows. */
function image({ description, tags, url, width, height, ...extra }) {
  return {
    ...work(/** @type {any} */ (extra)),
    description: plainText(description),
    tags,
    media: listed(url, extra.pageCount),
    extra: { width, height, pages: extra.pageCount, kind: extra.illustType },
  };
}

/** What a ranking says. @returns {import('imgscript').Item} */
function ranked({ illust_id: id, title, tags, user_id, user_name, illust_upload_timestamp: createDate, ...extra }) {
  return {
    ...work({ id, title, userId: user_id, userName: user_name, createDate, xRestrict: 0, illustType: Number(extra.illust_type) }),
    tags,
    stats: { views: extra.view_count, ratings: extra.rating_count },
    media: listed(extra.url, Number(extra.illust_page_count)),
    extra: { rank: extra.rank, width: extra.width, height: extra.height, pages: Number(extra.illust_page_count) },
  };
}

/** What the work itself says. @returns {import('imgscript').Item} */
function whole({ tags, description, likeCount, viewCount, bookmarkCount, commentCount, ...about }) {
  return {
    ...work(/** @type {any} */ (about)),
    description: plainText(description),
    tags: tags.tags.flatMap(({ tag, translation }) => [tag, translation?.en]).filter(Boolean),
    stats: { views: viewCount, likes: likeCount, favorites: bookmarkCount, comments: commentCount },
    media: [],
    extra: { pages: about.pageCount, kind: about.illustType, account: about.userAccount },
  };
}

/** @returns {import('imgscript').Item} */
function work({ id, title, userId, userName, createDate, xRestrict, illustType = 0, aiType = 0 }) {
  return {
    id,
    type: illustType === UGOIRA ? 'animation' : 'image',
    title,
    page: id && `${SITE}/artworks/${id}`,
    author: { name: userName, id: userId, url: userId && `${SITE}/users/${userId}` },
    created: parseDate(createDate),
    rating: RATINGS[xRestrict] ?? null,
    aiGenerated: { 1: false, 2: true }[aiType] ?? null, // 0 is unknown
    media: [],
  };
}

/** A list has files of the first page alone. @param {string} url @param {number} pages @returns {import('imgscript').Media[]} */
function listed(url, pages) {
  const [, path] = /\/img\/(\d{4}(?:\/\d\d){5}\/\d+(?:-[0-9a-f]+)?_p0)_\w+1200\.jpg$/.exec(url) ?? [];
  /** @type {import('imgscript').Media[]} */
  const files = [{ role: 'thumbnail', url, format: 'jpeg', headers: HEADERS }];
  const regular = `${FILES}/img-master/img/${path}_master1200.jpg`;
  return path && pages === 1 ? [{ role: 'regular', url: regular, format: 'jpeg', headers: HEADERS }, ...files] : files;
}

/**
 * The sizes of one page; without them the work is not for this user.
 * @param {any} page @param {number} place @returns {import('imgscript').Media[]}
 */
function files({ urls: { original, regular, small, thumb_mini }, width, height }, place) {
  if (!original) fail('auth', 'pixiv gives no files of this work to this user.');
  const file = (/** @type {import('imgscript').Media['role']} */ role, /** @type {string} */ url) => (
    { role, file: place + 1, url, format: fileFormat(url), headers: HEADERS });
  return [
    { ...file('original', original), width, height }, file('regular', regular), file('small', small),
    file('thumbnail', thumb_mini),
  ];
}
