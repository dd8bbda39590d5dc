const { fail, fileFormat, license, parseDate, plainText } = require('imgscript');

// A page has some 5,000 records, whatever is asked for: descriptions and lists of formats would be most of it.
const FIELDS = ['identifier', 'mediatype', 'title', 'creator', 'date', 'subject', 'licenseurl', 'rights', 'collection',
  'publicdate', 'downloads', 'num_favorites', 'num_reviews', 'item_size'].join();
const SITE = 'https://archive.org';
const FORMAT = /\.(jpe?g|png|gif|webp|tiff?|jp2|bmp|svg)$/i;
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  sorts: { type: 'choice', values: ['downloads desc', 'publicdate desc', 'date desc', 'date asc'] },
  mediatype: { type: 'choice', values: ['image', 'texts', 'collection'], default: 'image' },
  collection: { type: 'string', help: 'Only items of this collection: nasa, flickrcommons.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'internet-archive',
  name: 'Internet Archive',
  version: '1.1.0',
  homepage: `${SITE}/details/image`,
  summary: 'Photographs, scans, covers and posters that people and libraries keep in the Internet Archive.',
  category: 'museums',
  base: SITE,
  hosts: ['archive.org'],
  mediaHosts: ['archive.org', '*.archive.org'],
  limits: { pageSize: { min: 5000, max: 5000, default: 5000 } },
  terms: { url: `${SITE}/about/terms`, license: 'As each item says', attribution: '{title}, Internet Archive' },
  paging: 'cursor',

  check: (res) => {
    const error = /^\s*\{\s*"error"/.test(res.text) ? res.json.error : null;
    if ((res.ok || res.status === 400) && typeof error === 'string') fail('unsupported', error);
  },

  search: { params: FILTERS, request: (q) => scrape(`(${q.text})`, q), parse },
  feed: { params: FILTERS, request: (q) => scrape(null, q), parse },

  details: {
    media: true,
    request: (item) => ({ url: `/metadata/${item.id.split('/')[0]}` }),
    parse: (res, { id }) => {
      const { item, pictures } = read(res, id.split('/')[0]);
      if (item.type === 'collection') return item; // its files are logos
      const picture = pictures.find((file) => file.id === id) ?? pictures[0];
      return { ...item, id, media: [...picture?.media ?? [], ...item.media] };
    },
  },

  // A collection has items, and logos among its files; an item has any number of files, all on one page.
  *collection({ id }, q) {
    const name = id.replace(/^collection:/, '');
    if (name === id && !q.cursor) {
      const { item, pictures } = read(yield { url: `/metadata/${id}` }, id);
      if (item.type !== 'collection') {
        if (!pictures.length) fail('notFound', `The item ${id} has no picture.`);
        return { items: pictures.map((picture) => ({ ...item, ...picture })), next: null };
      }
    }
    return parse(yield scrape(null, { ...q, params: { ...q.params, collection: name } }), q);
  },

  // Whether it is a collection, an item with one picture or with many, the address does not say.
  match: [
    { pattern: ['https://archive.org/details/{id}', 'files:{id}'], item: { id: '{id}', type: 'collection' } },
    { pattern: 'collection:{id}', item: { id: 'collection:{id}', type: 'collection' } },
  ],
};

/** @param {string | null} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function scrape(text, { cursor, params: { mediatype = 'image', collection, sorts } }) {
  const q = [text, `mediatype:${mediatype}`, collection && `collection:${collection}`].filter(Boolean).join(' AND ');
  const order = sorts ?? (text ? 'downloads desc' : 'publicdate desc');
  // With `count` the archive ignores the cursor, and may answer another query.
  return { url: '/services/search/v1/scrape', query: { q, fields: FIELDS, sorts: order, cursor: cursor?.at } };
}

/** The total of the first page alone is right. @param {import('imgscript').Query} q */
function parse(/** @type {import('imgscript').Response} */ { json: { items, total, cursor } }, q) {
  const known = q.cursor ?? { total, first: items[0]?.identifier };
  if (q.cursor && items[0]?.identifier === known.first) {
    fail('changed', `The archive answers with its first page again, from ${known.first}.`);
  }
  return { total: known.total, items: items.map(about), next: cursor ? { ...known, at: cursor } : null };
}

/** Most fields are one value or a list of them. @returns {import('imgscript').Item} */
function about(record) {
  const {
    identifier, mediatype, title, description, creator, date, subject, licenseurl,
    downloads, num_favorites: likes, num_reviews: reviews, ...extra
  } = record;
  if (typeof identifier !== 'string') fail('changed', 'A record without its identifier.');
  return {
    id: identifier,
    type: mediatype === 'collection' ? 'collection' : 'image',
    title: list(title)[0],
    description: plainText(list(description).join('<br>')),
    page: `${SITE}/details/${identifier}`,
    tags: list(subject).flatMap((words) => words.split(/\s*;\s*/)).filter(Boolean),
    author: list(creator).length ? { name: list(creator).join(', ') } : null,
    license: license(list(licenseurl)[0]),
    created: parseDate(list(date)[0]),
    stats: { downloads, likes, reviews },
    media: [{ role: 'thumbnail', url: `${SITE}/services/img/${identifier}` }],
    extra: { mediatype, ...extra },
  };
}

/** An item, and its pictures with all files of each. @param {import('imgscript').Response} res @param {string} id */
function read(res, id) {
  const { metadata, files, item_size } = res.json;
  if (!metadata) fail('notFound', `The archive has no item ${id}.`);
  const images = files.filter((file) => FORMAT.test(file.name) && file.name !== '__ia_thumb.jpg');
  const originals = images.filter((file) => file.source === 'original');
  const pictures = originals.map(({ name }, index) => ({
    ...(index ? { id: `${id}/${name}`, title: name } : { id }), // the first is the item’s own
    media: images.filter((file) => file.name === name || file.original === name).map((file) => media(file, id)),
  }));
  return { item: about({ ...metadata, item_size }), pictures };
}

/** @param {any} file @param {string} id @returns {import('imgscript').Media} */
function media({ name, source, format, size, width, height }, id) {
  const sides = { width: Number(width) || null, height: Number(height) || null };
  return {
    role: source === 'original' ? 'original' : /thumb/i.test(format) ? 'thumbnail' : 'regular',
    url: `${SITE}/download/${id}/${name.split('/').map(encodeURIComponent).join('/')}`,
    ...sides, bytes: Number(size) || null, format: fileFormat(name),
  };
}

/** @returns {string[]} */
const list = (value) => [value].flat().filter((one) => typeof one === 'string');
