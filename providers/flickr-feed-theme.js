// Flickr's public feeds, in JSON, Atom or RSS: https://www.flickr.com/services/feeds/
const { fail, license, parseDate, plainText } = require('imgscript');
const { built } = require('./flickr-theme');

module.exports = { request, parse };

/** @param {string} feed @param {Record<string, any>} query @returns {import('imgscript').Request} */
function request(feed, { format = 'json', ...query }) {
  const url = `https://www.flickr.com/services/feeds/${feed}.gne`;
  const plain = format === 'json' ? 1 : null;
  return { url, query: { ...query, format, nojsoncallback: plain }, accept: 'text', auth: false };
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  const isXML = res.text.trimStart().startsWith('<');
  const items = isXML ? res.xml.querySelectorAll('entry, item').map(entry) : objects(res.text).map(object);
  return { items, next: null };
}

/** JSON with a `\'` that JSON forbids, inside a call or not. @param {string} text @returns {any[]} */
function objects(text) {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return JSON.parse(json.replace(/\\./g, (escape) => (escape === "\\'" ? "'" : escape))).items;
}

function object({ title, link, media, date_taken, description, author, author_id, tags, ...extra }) {
  const name = /\("?(.*?)"?\)$/.exec(author)?.[1] ?? author_id;
  const about = { title, created: date_taken, tags: tags.split(' '), author: { name, id: author_id }, extra };
  return photo(link, description, about, media.m);
}

/** Of Atom or RSS. @param {import('imgscript').Element} element */
function entry(element) {
  const text = (/** @type {string} */ name) => element.querySelector(name)?.textContent.trim() || undefined;
  const link = (/** @type {string} */ rel) => element.querySelector(`link[rel="${rel}"]`)?.getAttribute('href');
  const content = element.querySelector('media\\:content, enclosure');
  const file = link('enclosure') ?? content?.getAttribute('url');
  const author = text('author > name') ?? text('media\\:credit') ?? /\("?(.*?)"?\)$/.exec(text('author') ?? '')?.[1];
  const terms = element.querySelectorAll('category[term]').map((category) => category.getAttribute('term') ?? '');
  const about = {
    title: text('title'),
    created: parseDate(text('dc\\:date\\.Taken') ?? text('flickr\\:date_taken')),
    tags: terms.length ? terms : text('media\\:category')?.split(' ') ?? [],
    author: author ? { name: author, id: text('author > flickr\\:nsid') } : null,
    license: license(link('license') ?? text('creativeCommons\\:license')),
    extra: { published: parseDate(text('published') ?? text('pubDate')), updated: text('updated') },
  };
  const html = text('content') ?? text('description') ?? '';
  const item = photo(link('alternate') ?? text('link') ?? '', html, about);
  const [width, height] = ['width', 'height'].map((side) => Number(content?.getAttribute(side)) || null);
  if (file) item.media.unshift({ role: /_o\.\w+$/.test(file) ? 'original' : 'large', url: file, width, height });
  return item;
}

/**
 * The content says who posted the photo, shows it, and then describes it.
 * @param {string} page @param {string} html @param {Partial<import('imgscript').Item>} about @param {string} [small]
 * @returns {import('imgscript').Item}
 */
function photo(page, html, { tags = [], author, ...about }, small = /src="([^"]+_m\.jpg)"/.exec(html)?.[1]) {
  const [, user, id] = /(.*\/photos\/[^/]+\/)(\d+)/.exec(page) ?? fail('changed', `No photo’s page: ${page}`);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(html) ?? [];
  return {
    ...about,
    id,
    type: 'image',
    description: plainText(html.replace(/^\s*(<p>.*?<\/p>\s*){2}/s, '').replace(/\n/g, '<br>')),
    page,
    tags: tags?.filter(Boolean),
    author: author && { ...author, url: user },
    media: small
      ? built(small.replace(/_m\.jpg$/, ''), width ? { width: Number(width), height: Number(height) } : {})
      : [],
  };
}
