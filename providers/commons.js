const { fail } = require('imgscript');
const { check, request, listed, image, isImage } = require('./mediawiki-theme');

const UPLOADS = 'https://upload.wikimedia.org/wikipedia/commons';
const THUMBNAILS = 'https://thumb.wikimedia.org/wikipedia/commons'; // since 2026
/** @type {Record<string, string>} */
const CATEGORIES = {
  featured: 'Featured pictures on Wikimedia Commons',
  quality: 'Quality images',
  valued: 'Valued images sorted by promotion date',
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'commons',
  name: 'Wikimedia Commons',
  version: '1.1.0',
  homepage: 'https://commons.wikimedia.org/',
  summary: 'Free photographs, drawings, maps and scans that anyone may contribute to.',
  category: 'museums',
  base: 'https://commons.wikimedia.org',
  hosts: ['commons.wikimedia.org'],
  mediaHosts: ['upload.wikimedia.org', 'thumb.wikimedia.org'],
  // 10 a minute without a User-Agent that names a contact: https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits
  limits: {
    pageSize: { max: 50, default: 20 }, reachable: 10000, text: { max: 300 }, rate: ['200/60s'], concurrent: 1,
  },
  terms: {
    url: 'https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use',
    license: 'Creative Commons, public domain and other free licences',
    hotlink: true,
    attribution: '“{title}” by {author.name}, {license.name}, via Wikimedia Commons',
  },
  paging: 'cursor',

  check,

  search: {
    near: true,
    params: {
      filetype: { type: 'choice', values: ['bitmap', 'drawing', 'all'], default: 'all', help: 'Photos; SVG; both.' },
      sort: { type: 'choice', values: ['relevance', 'create_timestamp_desc', 'last_edit_desc', 'random'] },
      category: { type: 'string', help: 'Only files in this category or in one below it.' },
      min_width: { type: 'integer', min: 1, filter: 'min-width', help: 'Pixels.' },
      min_height: { type: 'integer', min: 1, filter: 'min-height', help: 'Pixels.' },
      radius: { type: 'number', min: 0.1, default: 5, help: 'Kilometres around the point.' },
    },
    *run(q) {
      const { filetype, sort, category, min_width: width, min_height: height, radius } = q.params;
      const words = [
        q.text,
        `filetype:${filetype === 'all' ? 'bitmap|drawing' : filetype}`,
        category && `deepcategory:"${category}"`,
        width && `filew:>${width - 1}`,
        height && `fileh:>${height - 1}`,
        q.near && `nearcoord:${radius}km,${q.near.lat},${q.near.lon}`,
      ];
      const gsrsearch = words.filter(Boolean).join(' ');
      return yield* listed(q, { generator: 'search', gsrsearch, gsrnamespace: 6, gsrlimit: q.limit, gsrsort: sort });
    },
  },

  feed: {
    params: { list: { type: 'choice', values: ['recent', ...Object.keys(CATEGORIES)], default: 'recent' } },
    *run(q) {
      const category = CATEGORIES[q.params.list];
      return yield* listed(q, category ? members(category, q) : uploads(null, q));
    },
  },

  *details(item) {
    const { json } = yield request({ titles: item.id });
    const [page] = json.query.pages;
    if (!page.imageinfo) fail('notFound', `Commons has no file ${item.id}.`);
    const [{ mime }] = page.imageinfo;
    return isImage(page) ? image(page) : fail('unsupported', `${item.id} is ${mime} (expected an image).`);
  },

  *collection(item, q) {
    const [kind, name] = item.id.split(/:(.*)/);
    return yield* listed(q, kind === 'User' ? uploads(name, q) : members(name, q));
  },

  match: [
    {
      pattern: [...pages('File'), `${UPLOADS}/*/*/{name}`,
        ...[UPLOADS, THUMBNAILS].map((place) => `${place}/thumb/*/*/{name}/*`)],
      item: { id: 'File:{name}' },
    },
    { pattern: [...pages('Category'), 'Category:{name}'], item: { id: 'Category:{name}', type: 'collection' } },
    { pattern: [...pages('User'), 'User:{name}'], item: { id: 'User:{name}', type: 'collection' } },
  ],
};

/** The addresses of a page, on the site for phones too. @param {string} kind */
function pages(kind) {
  return ['commons.wikimedia.org', 'commons.m.wikimedia.org'].flatMap((host) => (
    [`https://${host}/wiki/${kind}:{name}`, `https://${host}/w/index.php?title=${kind}:{name}`]));
}

/** The newest files in a category. @param {string} category @param {import('imgscript').Query} q */
function members(category, q) {
  return { generator: 'categorymembers', gcmtitle: `Category:${category}`, gcmtype: 'file', gcmsort: 'timestamp',
    gcmdir: 'older', gcmlimit: q.limit };
}

/** The newest files of a user, or of all. @param {string | null} user @param {import('imgscript').Query} q */
function uploads(user, q) {
  return { generator: 'allimages', gaiuser: user, gaisort: 'timestamp', gaidir: 'older', gailimit: q.limit };
}
