const { fail, fileFormat } = require('imgscript');
const { entries, next } = require('./feed-theme');

/** @type {Record<string, import('imgscript').Parameter>} */
const PARAMS = {
  s: { type: 'choice', values: ['id', 'fav'], default: 'id', help: 'Newest first, or most liked first.' },
  t: { type: 'choice', values: ['0', '1', '2'], help: 'Liked most of all, of the last 7,000, of the last 15,000.' },
  d: { type: 'choice', values: ['large', 'huge', 'landscape', 'portrait', 'square'] },
  c: { type: 'string', help: 'A color, such as red or blue.' },
};
const HELP = 'https://www.zerochan.net/api';
/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'zerochan',
  name: 'Zerochan',
  version: '1.1.0',
  homepage: 'https://www.zerochan.net/',
  summary: 'Illustrations in the style of anime, by tag: characters, series, themes.',
  category: 'boards',
  base: 'https://www.zerochan.net',
  hosts: ['www.zerochan.net', 'http://www.zerochan.net'],
  mediaHosts: ['*.zerochan.net', 'http://*.zerochan.net'],
  // The API asks for the user's Zerochan name in the User-Agent.
  auth: [
    {
      type: 'cookies', needs: ['z_id', 'z_hash'], headers: { 'User-Agent': 'imgscript - {user}' }, optional: true, help: HELP,
    },
    { type: 'header', name: 'User-Agent', template: 'imgscript - {user}', optional: true, help: HELP },
  ],
  limits: { pageSize: { max: 250 }, rate: ['60/60s'] },
  terms: { url: HELP, license: 'Of their artists, seldom stated' },
  paging: 'cursor',

  // Right pages come with status 500, too.
  check: (res) => {
    const isPage = /<item[\s>]|id="thumbs2"|<rss[\s>]|^\s*\{\s*"id"/.test(res.text);
    if (res.status === 500 && !isPage) fail(500, 'zerochan.net answered with status 500 (server error).');
  },

  search: { params: PARAMS, request: (q) => tagged(pathOf(q.text), q), parse: feed },
  feed: { params: PARAMS, request: (q) => tagged('', q), parse: feed },

  details: {
    media: true,
    request: (item) => ({ url: `/${encodeURIComponent(item.id)}`, query: { json: '' }, allowStatus: [500] }),
    parse: (res) => whole(res.json),
  },
  // The API leaves out meta tags; every tag has a web page.
  collection: {
    request: (item, q) => ({ url: `/${pathOf(item.id.replace('tag:', ''))}`, query: q.cursor, accept: 'html', allowStatus: [500] }),
    parse: (res) => {
      const link = res.html.querySelector('a[rel~="next"]');
      const list = res.html.querySelectorAll('#thumbs2 > li');
      if (!list.length) fail('changed', 'The page of the tag lists no image.');
      return { items: list.map(thumbnail), next: link && queryOf(link.href) };
    },
  },

  match: [{ pattern: 'tag:{name}', item: { id: 'tag:{name}', type: 'collection' } }],
};

/** @param {string} path @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function tagged(path, q) {
  return { url: `/${path}`, query: q.cursor ?? { ...q.params, l: q.limit, p: 1, xml: '' }, accept: 'xml', allowStatus: [500] };
}

/** Commas stand between tags, a plus is a space. @param {string} text */
function pathOf(text) {
  return text.split(/\s*,\s*/).map(encodeURIComponent).join(',').replaceAll(/%20|%2B/g, '+');
}

/** @returns {import('imgscript').Item} */
function whole({ id, primary, tags, width, height, size: bytes, full, large, medium, small, ...extra }) {
  return {
    id,
    type: 'image',
    title: primary,
    page: `https://www.zerochan.net/${id}`,
    tags,
    media: /** @type {import('imgscript').Media[]} */ ([
      { role: 'original', url: full, width, height, bytes, format: fileFormat(full) },
      { role: 'large', url: large, format: fileFormat(large) },
      { role: 'regular', url: medium, format: fileFormat(medium) },
      { role: 'thumbnail', url: small, format: fileFormat(small) },
    ]).filter((file) => file.url),
    extra,
  };
}

/** @param {string} url */
const queryOf = (url) => Object.fromEntries(new URL(url).searchParams);

/** Media RSS whose one file is a sample, with the size of the original. @param {import('imgscript').Response} res */
function feed(res) {
  const following = next(res);
  return {
    items: entries(res).map((entry) => {
      const [{ url, width, height }, ...small] = entry.media;
      const id = /(\d+)\/?$/.exec(entry.id)?.[1] ?? fail('changed', `no number in ${entry.id}`);
      /** @type {import('imgscript').Media[]} */
      const media = [{ role: 'regular', url }, ...small];
      const page = `https://www.zerochan.net/${id}`;
      return { ...entry, id, description: null, page, media, extra: { width, height } };
    }),
    next: following && queryOf(following),
  };
}

/** The title says `687x900 769kB`, of the original. @returns {import('imgscript').Item} */
function thumbnail(/** @type {import('imgscript').Element} */ element) {
  const image = element.querySelector('a > img') ?? fail('changed', 'an entry without an image');
  const numbers = (/** @type {RegExp} */ pattern, /** @type {string} */ name) => (
    (pattern.exec(image.getAttribute(name) ?? '') ?? []).slice(1).map(Number));
  const [width, height, kilobytes] = numbers(/(\d+)x(\d+) (\d+)kB/, 'title');
  const [wide, high] = numbers(/width: (\d+)px; height: (\d+)px/, 'style');
  const id = /\/(\d+)$/.exec(image.closest('a')?.href ?? '')?.[1] ?? fail('changed', 'an entry without a number');
  const full = element.querySelector('a[href*="static.zerochan.net"]')?.href;
  const likes = /(\d+) Fav/.exec(element.textContent)?.[1];
  return {
    id,
    type: 'image',
    title: image.getAttribute('alt'),
    page: `https://www.zerochan.net/${id}`,
    stats: likes ? { favorites: Number(likes) } : null,
    media: [
      ...(full ? [{ role: /** @type {const} */ ('original'), url: full, width, height }] : []),
      { role: 'thumbnail', url: image.src, width: wide, height: high },
    ],
    extra: { width, height, kilobytes },
  };
}
