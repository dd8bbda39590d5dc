const { fail } = require('imgscript');
const { check, request, listed, image } = require('./mediawiki-theme');

const PICTURE = /^(?:jpeg|png|gif|webp|svg|avif|tiff|bmp)$/;
const ARTICLES = { prop: 'pageimages|description|info', inprop: 'url', piprop: 'name', pilimit: 50 };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'wikipedia',
  name: 'Wikipedia',
  version: '1.1.0',
  homepage: 'https://www.wikipedia.org/',
  summary: 'Pictures of the articles of an encyclopaedia in any language, and of other wikis of Wikimedia.',
  category: 'media',
  instance: { default: 'https://en.wikipedia.org', help: 'A wiki of Wikimedia, such as https://de.wikipedia.org.' },
  hosts: ['{instance}'],
  mediaHosts: ['upload.wikimedia.org', 'thumb.wikimedia.org'],
  limits: { pageSize: { max: 50, default: 20 }, reachable: 10000, text: { max: 300 }, concurrent: 1, rate: ['200/60s'] },
  terms: {
    url: 'https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use',
    license: 'Creative Commons, public domain and other free licences; some pictures are not free',
    hotlink: true,
    attribution: '“{title}” by {author.name}, {license.name}, via Wikipedia',
  },
  paging: 'cursor',

  check,

  search: {
    near: true,
    params: {
      free: { type: 'boolean', help: 'Only pictures under a free licence.' },
      category: { type: 'string', help: 'Only articles in this category or in one below it.' },
      sort: { type: 'choice', values: ['relevance', 'create_timestamp_desc', 'last_edit_desc', 'random'] },
      radius: { type: 'number', min: 0.1, default: 5, help: 'Kilometres around the point.' },
    },
    *run(q) {
      const { category, sort, radius } = q.params;
      const words = [
        q.text,
        category && `deepcategory:"${category}"`,
        q.near && `nearcoord:${radius}km,${q.near.lat},${q.near.lon}`,
      ];
      const gsrsearch = words.filter(Boolean).join(' ');
      return yield* articles(q, { generator: 'search', gsrsearch, gsrnamespace: 0, gsrlimit: q.limit, gsrsort: sort });
    },
  },

  // The newest files that lie on this wiki itself, not on Commons.
  *feed(q) {
    const newest = { generator: 'allimages', gaisort: 'timestamp', gaidir: 'older', gailimit: q.limit };
    const page = yield* listed(q, newest);
    return page.items.length || page.next ? pictures(page) : fail('notFound', 'This wiki has no files of its own.');
  },

  *details(item) {
    const { json } = yield request({ titles: item.id });
    const [page] = json.query.pages;
    return page.imageinfo ? image(page) : fail('notFound', `Wikipedia has no file ${item.id}.`);
  },

  // `page:Coffee`: all pictures of an article; `Category:Coffee`: one picture of each article in it.
  *collection(item, q) {
    const [kind, name] = item.id.split(/:(.*)/s);
    const page = kind === 'Category'
      ? yield* articles(q, { generator: 'categorymembers', gcmtitle: item.id, gcmtype: 'page', gcmlimit: q.limit })
      : pictures(yield* listed(q, { generator: 'images', titles: name, gimlimit: q.limit }));
    return page.items.length || page.next ? page : fail('notFound', `Wikipedia has no pictures of ${item.id}.`);
  },

  match: [
    { pattern: '{instance}/wiki/File:{name}', item: { id: 'File:{name}' } },
    {
      pattern: ['{instance}/wiki/Category:{name}', 'Category:{name}'],
      item: { id: 'Category:{name}', type: 'collection' },
    },
    { pattern: ['{instance}/wiki/{name}', 'page:{name}'], item: { id: 'page:{name}', type: 'collection' } },
  ],
};

/**
 * The files that are pictures: articles have sounds and films too.
 * @param {import('imgscript').Page} page @returns {import('imgscript').Page}
 */
function pictures({ items, next = null }) {
  if (items.length > 2 && items.every((item) => !item.media[0].format)) fail('changed', 'Files of no kind.');
  return { items: items.filter((item) => PICTURE.test(item.media[0].format ?? '')), next };
}

/**
 * Articles, each with the picture that stands for it; those without one are passed over, and so is a picture that has
 * been there before.
 * @param {import('imgscript').Query} q @param {Record<string, any>} query
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* articles(q, query) {
  const pilicense = q.params.free ? 'free' : 'any';
  const all = { action: 'query', format: 'json', formatversion: 2, ...ARTICLES, pilicense, ...query, ...q.cursor };
  const { json } = yield { url: '/w/api.php', query: all };
  const isWhole = json.query || json.continue || json.batchcomplete !== undefined;
  if (!isWhole) fail('changed', 'Neither articles nor an end.');
  /** @type {any[]} */
  const found = (json.query?.pages ?? []).filter((page) => page.pageimage).sort((a, b) => a.index - b.index);
  const next = json.continue ?? null;
  const titles = [...new Set(found.map(fileOf))];
  if (!titles.length) return { items: [], next };
  const files = (yield request({ titles: titles.join('|') })).json.query.pages.filter((page) => page.imageinfo);
  const items = titles.flatMap((title) => files.filter((file) => file.title === title).map((file) => {
    const { title: article, description, fullurl } = found.find((page) => fileOf(page) === title);
    const item = image(file);
    return { ...item, extra: { ...item.extra, article, article_description: description, article_url: fullurl } };
  }));
  if (!items.length) fail('changed', 'None of the pictures is described.');
  return pictures({ items, next });
}

/** A file is named with underscores there, with blanks in its own list. */
function fileOf({ pageimage }) {
  return `File:${pageimage.replaceAll('_', ' ')}`;
}
