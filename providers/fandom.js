const { fail, fit } = require('imgscript');
const { check, request, listed, image } = require('./mediawiki-theme');

const API = '/api.php';
const PICTURE = /^(?:jpeg|png|gif|webp|svg|avif|tiff|bmp)$/;
// What its server scales to, by the width in the URL.
/** @type {[import('imgscript').Media['role'], number][]} */
const WIDTHS = [['large', 1600], ['regular', 800], ['small', 400]];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'fandom',
  name: 'Fandom',
  version: '1.0.0',
  homepage: 'https://www.fandom.com/',
  summary: 'Pictures of one of the many wikis about films, games, series and books; name the wiki with --instance.',
  category: 'media',
  instance: { help: 'A wiki on Fandom, such as https://minecraft.fandom.com.' },
  hosts: ['{instance}'],
  mediaHosts: ['*.wikia.nocookie.net'],
  limits: { pageSize: { max: 50, default: 20 }, reachable: 10000, text: { max: 300 }, concurrent: 1, rate: ['1/1s'] },
  terms: {
    url: 'https://www.fandom.com/terms-of-use',
    license: 'As each file’s page says; many are stills under copyright',
    attribution: '“{title}”, {page}',
  },
  paging: 'cursor',

  check,

  *search(q) {
    return files(yield* listed(q, { generator: 'search', gsrsearch: q.text, gsrnamespace: 6, gsrlimit: q.limit }, API));
  },

  // The newest files.
  *feed(q) {
    const page = yield* listed(q, uploads(null, q), API);
    return page.items.length ? files(page) : fail('notFound', 'The wiki has no files.');
  },

  *details(item) {
    const { json } = yield request({ titles: item.id }, API);
    const [page] = json.query.pages;
    return page.imageinfo ? sized(image(page)) : fail('notFound', `The wiki has no file ${item.id}.`);
  },

  // `page:Creeper`: all pictures of an article; `Category:Maps`; `User:Anna`.
  *collection(item, q) {
    const [kind, name] = item.id.split(/:(.*)/s);
    const list = kind === 'User' ? uploads(name, q) : kind === 'Category'
      ? { generator: 'categorymembers', gcmtitle: item.id, gcmtype: 'file', gcmsort: 'timestamp', gcmdir: 'older',
        gcmlimit: q.limit }
      : { generator: 'images', titles: name, gimlimit: q.limit };
    const page = yield* listed(q, list, API);
    return page.items.length || page.next ? files(page) : fail('notFound', `The wiki has no pictures of ${item.id}.`);
  },

  match: [
    { pattern: '{instance}/wiki/File:{name}', item: { id: 'File:{name}' } },
    {
      pattern: ['{instance}/wiki/Category:{name}', 'Category:{name}'],
      item: { id: 'Category:{name}', type: 'collection' },
    },
    { pattern: ['{instance}/wiki/User:{name}', 'User:{name}'], item: { id: 'User:{name}', type: 'collection' } },
    { pattern: ['{instance}/wiki/{name}', 'page:{name}'], item: { id: 'page:{name}', type: 'collection' } },
  ],
};

/** The newest files of a user, or of all. @param {string | null} user @param {import('imgscript').Query} q */
function uploads(user, q) {
  return { generator: 'allimages', gaiuser: user, gaisort: 'timestamp', gaidir: 'older', gailimit: q.limit };
}

/** Films of other sites are files too. @param {import('imgscript').Page} page @returns {import('imgscript').Page} */
function files({ items, next = null }) {
  if (items.length > 2 && items.every((item) => !item.media[0].format)) fail('changed', 'Files of no kind.');
  return { items: items.filter((item) => PICTURE.test(item.media[0].format ?? '')).map(sized), next };
}

/**
 * Unless the original is asked for, it comes as WebP and smaller.
 * @param {import('imgscript').Item} item @returns {import('imgscript').Item}
 */
function sized({ media: [whole, ...others], ...item }) {
  const { url, width, format } = whole;
  const [path, query = ''] = url.split('?');
  const thumbnail = others.at(-1);
  if (!path.endsWith('/revision/latest')) return { ...item, media: [whole, ...others] };
  const scaled = WIDTHS.filter(([, side]) => format !== 'svg' && width && side < width).map(([role, side]) => (
    { role, url: `${path}/scale-to-width-down/${side}?${query}`, ...fit(whole, { width: side }) }));
  const original = { ...whole, url: `${path}?${[query, 'format=original'].filter(Boolean).join('&')}` };
  return { ...item, media: [original, ...scaled, ...(thumbnail ? [thumbnail] : [])] };
}
