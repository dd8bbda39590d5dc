const { fail, license, parseDate } = require('imgscript');

// Burst’s pages lie on Shopify’s own site since 2026; its former addresses lead there.
const SITE = 'https://www.shopify.com/stock-photos';
const FORMER = 'https://burst.shopify.com';
const CDN = 'https://burst.shopifycdn.com/photos/';

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'burst',
  name: 'Burst',
  version: '2.0.0',
  homepage: SITE,
  summary: 'Free photographs for shops and websites, by Shopify.',
  category: 'photographs',
  base: 'https://www.shopify.com',
  hosts: ['www.shopify.com'],
  mediaHosts: ['burst.shopifycdn.com'],
  limits: { rate: ['1/1s'] }, // there is no API: these are the pages people read
  terms: {
    url: `${SITE}/legal/license`,
    license: 'CC0 or Burst License',
    attribution: 'Photo by {author.name} from Burst',
  },
  paging: 'cursor',

  search: {
    request: (q) => ({ url: '/stock-photos/photos/search', query: { q: q.text, page: q.cursor }, accept: 'html' }),
    parse: listing,
  },
  feed: {
    params: { sort: { type: 'choice', values: ['latest', 'trending'], default: 'latest' } },
    request: (q) => ({ url: '/stock-photos/photos', query: { sort: q.params.sort, page: q.cursor }, accept: 'html' }),
    parse: listing,
  },
  details: {
    request: (item) => ({ url: `/stock-photos/photos/${encodeURIComponent(item.id)}`, accept: 'html' }),
    parse: (res, item) => photo(res, item.id),
  },

  // `tag:coffee`, `user:annafield`, or a category such as `category:food-drink`.
  collection: {
    request: (item, q) => {
      const [kind, name] = item.id.split(':').map(encodeURIComponent);
      const place = kind === 'user' ? `@${name}` : kind === 'tag' ? `tags/${name}` : name;
      return { url: `/stock-photos/${place}`, query: { page: q.cursor }, accept: 'html' };
    },
    parse: listing,
  },

  match: [
    { pattern: pages('/photos/{id}'), item: { id: '{id}' } },
    { pattern: [...pages('/tags/{name}'), 'tag:{name}'], item: { id: 'tag:{name}', type: 'collection' } },
    { pattern: [...pages('/@{name}'), 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
    { pattern: 'category:{name}', item: { id: 'category:{name}', type: 'collection' } },
  ],
};

/** The addresses of a page, in other languages and before 2026 too. @param {string} path */
function pages(path) {
  return [`${SITE}${path}`, `https://www.shopify.com/*/stock-photos${path}`, `${FORMER}${path}`];
}

function listing(/** @type {import('imgscript').Response} */ { html }) {
  const main = html.querySelector('main') ?? fail('changed', 'The page has no main part.');
  const next = html.querySelector('a[rel~="next"], .pagination a.next, .pagination .next a')?.href;
  const tiles = main.querySelectorAll('a[href*="/photos/"]').filter((link) => link.querySelector('img'));
  if (!tiles.length && main.querySelector('img, a[href*="/photos/"]')) fail('changed', 'No image is a link.');
  const found = new Map(tiles.map((link) => [slugOf(link.href), link.querySelector('img')]));
  return {
    items: [...found].map(([id, image]) => ({
      id,
      type: /** @type {const} */ ('image'),
      title: image?.getAttribute('data-photo-title') || image?.getAttribute('alt'),
      page: `${SITE}/photos/${id}`,
      media: sizes(image?.getAttribute('data-srcset') ?? image?.getAttribute('srcset') ?? image?.src ?? ''),
    })),
    next: next ? new URL(next).searchParams.get('page') : null,
  };
}

/** @param {string} url */
function slugOf(url) {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

/** The server makes any width up to the original’s own. @returns {import('imgscript').Media[]} */
function sizes(/** @type {string} */ addresses) {
  const name = new RegExp(`${CDN}([^?\\s,]+)`).exec(addresses)?.[1];
  return !name ? [] : [
    { role: 'original', url: `${CDN}${name}`, format: 'jpeg' },
    { role: 'large', url: `${CDN}${name}?width=1850` },
    { role: 'regular', url: `${CDN}${name}?width=925` },
    { role: 'thumbnail', url: `${CDN}${name}?width=373` },
  ];
}

/** What the page says to search engines, and its links. @param {string} id @returns {import('imgscript').Item} */
function photo(/** @type {import('imgscript').Response} */ { html, url }, id) {
  const described = html.querySelectorAll('script[type="application/ld+json"]').flatMap((script) => {
    const data = JSON.parse(script.textContent);
    return data['@graph'] ?? data;
  });
  const about = described.find((one) => one.contentUrl) ?? {};
  const said = (/** @type {string} */ name) => (
    html.querySelector(`meta[property="og:${name}"]`)?.getAttribute('content') || undefined);
  const links = html.querySelectorAll('main a').map(({ href, textContent }) => ({ href, text: textContent.trim() }));
  const among = (/** @type {string} */ part) => links.filter(({ href }) => href.includes(part));
  const [author] = among('/@');
  const [terms] = [...among('/licenses/'), ...among('/legal/license')];
  const picture = about.contentUrl ?? said('image') ?? html.querySelector('main img')?.src
    ?? fail('changed', 'No photo is shown.');
  return {
    id,
    type: 'image',
    title: about.name ?? html.querySelector('main h1')?.textContent.trim() ?? said('title'),
    description: about.description ?? said('description'),
    page: url,
    tags: [...new Set(among('/tags/').map(({ text }) => text))],
    author: author ? { name: author.text, id: slugOf(author.href).slice(1), url: author.href }
      : about.author ? { name: about.author.name ?? about.author } : null,
    license: named(terms?.href ?? about.license),
    created: parseDate(about.datePublished ?? about.uploadDate),
    media: sizes(picture),
  };
}

/** @param {string | undefined} url */
function named(url) {
  if (!url) return null;
  return /cc0|creative-commons|publicdomain/.test(url) ? license('cc0', '1.0')
    : { id: 'burst', name: 'Burst License', url };
}
