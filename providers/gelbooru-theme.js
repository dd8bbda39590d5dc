const { fail, parseDate } = require('imgscript');
const board = require('./booru-theme');

const { absolute, conditions, file, GELBOORU, isFile, kind, media, rating, ratingParam, tags, words } = board;

/**
 * Sites that run Gelbooru 0.2 or later; `ratings` are the words for it that the site knows, `pages` where its pages are
 * if its API has a host of its own.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = ({ ratings, pages, ...site }) => {
  const params = { ...(ratings ? ratingParam(...ratings) : {}), ...board.conditionParams(GELBOORU) };
  const parse = (/** @type {import('imgscript').Response} */ res) => listed(res, pages);
  return {
    contract: 1,
    version: '1.1.0',
    ...board.base(site),
    limits: { pageSize: { max: 100 }, reachable: 20000, rate: ['2/1s'] },
    paging: 'page0',
    check,

    search: {
      newestFirst: { sort: [''] },
      params: { sort: { type: 'choice', values: ['id', 'score', 'updated', 'random'] }, ...params },
      request: (q) => posts(q.params.sort ? `${q.text} sort:${q.params.sort}` : q.text, q),
      parse,
    },
    feed: {
      newestFirst: true,
      params,
      request: (q) => posts('', q),
      parse,
    },
    details: {
      request: (item) => ({ url: '/index.php', accept: 'xml', query: { ...API, id: item.id } }),
      parse: (res, item) => parse(res).items[0] ?? fail('notFound', `There is no post ${item.id}.`),
    },
    // The id is the tag that finds them: `user:anna`.
    collection: {
      newestFirst: true,
      params,
      request: (item, q) => posts(item.id, q),
      parse,
    },
    match: board.matches(pages ? { hosts: [new URL(pages).host] } : site, {
      '/index.php?page=post&s=view&id={id}': '{id}',
    }, ['user']),
    ...site,
  };
};

const API = { page: 'dapi', s: 'post', q: 'index' };
/** Errors that are a text alone. */
const TEXTS = /^\s*"?(?:(?:Missing|No|Invalid) authentication|Authentication|Unauthorized|Invalid|Search error)/i;

/** An error comes as 200: as XML, or as a JSON text. @param {import('imgscript').Response} res */
function check(res) {
  if (/^\s*"?too deep/i.test(res.text)) fail('unsupported', 'The site does not list posts as far down as this page.');
  const reason = /<response[^>]* reason="([^"]*)"|<error>([^<]*)/.exec(res.text)?.slice(1).join('')
    ?? (TEXTS.test(res.text) ? res.text.replaceAll('"', '') : null);
  if (reason === null) return;
  const kind = /authenticat|api.key/i.test(reason) ? 'auth' : /abuse|limit/i.test(reason) ? 'rate' : 'unsupported';
  fail(kind, reason.trim());
}

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function posts(text, q) {
  const all = [text, ...conditions(GELBOORU, q)].filter(Boolean).join(' ');
  return { url: '/index.php', accept: 'xml', query: { ...API, tags: tags(all, q), limit: q.limit, pid: q.page } };
}

/** @param {import('imgscript').Response} res @param {string} [pages] */
function listed(res, pages) {
  const posts = res.xml.querySelectorAll('post').map(fields);
  const total = Number(res.xml.documentElement.getAttribute('count'));
  return { total, items: posts.map((post) => image(post, res.url, pages)) };
}

/** Older sites write attributes, newer ones elements. @param {import('imgscript').Element} post */
function fields({ attributes, children }) {
  const pairs = [...attributes.map(({ name, value }) => [name, value]), ...children.map((field) => (
    [field.localName, field.textContent]))];
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** @param {any} post @param {string} url @param {string} [pages] @returns {import('imgscript').Item} */
function image(post, url, pages = url) {
  const {
    id, title, tags: tagged, owner, creator_id, created_at, rating: word, score, width, height, file_url,
    sample_url, sample_width, sample_height, preview_url, preview_width, preview_height, ...extra
  } = post;
  return {
    id,
    type: kind(file_url),
    title,
    page: absolute(`/index.php?page=post&s=view&id=${id}`, pages),
    tags: words(tagged),
    author: owner ? { name: owner, id: creator_id } : null, // who posted it
    created: parseDate(created_at),
    stats: { score: score === undefined ? null : Number(score) },
    media: media([
      file('original', file_url, url, { width, height }),
      file('large', sample_url, url, { width: sample_width, height: sample_height }),
      file('thumbnail', preview_url, url, { width: preview_width, height: preview_height }),
    ]),
    aiGenerated: board.isGenerated(words(tagged)),
    rating: word === 's' ? 'safe' : rating(word),
    extra: { ...(owner ? {} : { creator_id }), ...(isFile(file_url) ? {} : { file_url }), ...extra },
  };
}
