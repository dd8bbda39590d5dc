const { fail, fileFormat, license, parseDate, plainText } = require('imgscript');

const SITE = 'https://wordpress.org/photos';
const API = '/photos/wp-json/wp/v2';
/** @type {Record<string, import('imgscript').Media['role']>} */
const ROLES = { full: 'original', '2048x2048': 'large', '1536x1536': 'large', large: 'regular', medium_large: 'regular',
  medium: 'small' };

/** @type {Record<string, import('imgscript').Parameter>} */
const ORDER = {
  orderby: { type: 'choice', values: ['date', 'modified'] },
  order: { type: 'choice', values: ['asc', 'desc'] },
  after: { type: 'string', help: 'Published after this time: 2026-05-01T00:00:00.' },
  before: { type: 'string', help: 'Published before this time.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'wordpress-photos',
  name: 'WordPress Photo Directory',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Photographs that people who make and use WordPress gave away.',
  category: 'photographs',
  base: 'https://wordpress.org',
  hosts: ['wordpress.org'],
  mediaHosts: ['pd.w.org'],
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: {
    url: `${SITE}/license/`,
    license: 'CC0',
    attribution: 'Photo by {author.name}, WordPress Photo Directory',
  },

  // A page past the last is 400, and so is a parameter that is not known.
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { code, message } = res.json;
    fail(/^rest_(?:post|user|term)_invalid_(?:id|slug)$/.test(code) ? 'notFound' : res.status, message);
  },

  search: {
    params: { ...ORDER, orderby: { type: 'choice', values: ['relevance', 'date', 'modified'], default: 'relevance' } },
    request: (q) => photos({ search: q.text, ...q.params }, q),
    parse: listed,
  },
  feed: {
    params: ORDER,
    request: (q) => photos(q.params, q),
    parse: listed,
  },
  details: {
    request: (item) => ({ url: `${API}/photos`, query: { slug: item.id, _embed: 'true' } }),
    parse: (res, item) => listed(res).items[0] ?? fail('notFound', `There is no photo ${item.id}.`),
  },

  // `user:anna`, `tag:coffee`, `category:food-drink`, `color:brown`: each has a number, which is looked up first.
  *collection(item, q) {
    const [kind, slug] = item.id.split(/:(.*)/s);
    const { name, list } = TERMS[kind] ?? fail('notFound', `There is no collection ${item.id}.`);
    const { json } = yield kind === 'user'
      ? { url: `/photos/wp-json/wporg/v1/users/${encodeURIComponent(slug)}` }
      : { url: `${API}/${list}`, query: { slug } };
    const found = kind === 'user' ? json : json[0] ?? fail('notFound', `There is no ${kind} ${slug}.`);
    if (typeof found.id !== 'number') fail('changed', `The ${kind} came without its number.`);
    return listed(yield photos({ [name]: found.id }, q));
  },

  match: [
    { pattern: `${SITE}/photo/{slug}/`, item: { id: '{slug}' } },
    { pattern: [`${SITE}/author/{name}/`, 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
    { pattern: [`${SITE}/t/{name}/`, 'tag:{name}'], item: { id: 'tag:{name}', type: 'collection' } },
    { pattern: [`${SITE}/c/{name}/`, 'category:{name}'], item: { id: 'category:{name}', type: 'collection' } },
    { pattern: [`${SITE}/color/{name}/`, 'color:{name}'], item: { id: 'color:{name}', type: 'collection' } },
  ],
};

/** What lists photos can be of. @type {Record<string, { name: string, list?: string }>} */
const TERMS = {
  user: { name: 'author' },
  tag: { name: 'photo-tags', list: 'photo-tags' },
  category: { name: 'photo-categories', list: 'photo-categories' },
  color: { name: 'photo-colors', list: 'photo-colors' },
};

/** @param {Record<string, any>} query @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function photos(query, q) {
  return { url: `${API}/photos`, query: { ...query, page: q.page, per_page: q.limit, _embed: 'true' } };
}

/** @param {import('imgscript').Response} res */
function listed(res) {
  return { total: Number(res.headers['x-wp-total']) || null, items: res.json.map(photo) };
}

/** @returns {import('imgscript').Item} */
function photo({ slug, link, date_gmt, content, _embedded, id }) {
  const { author: [author] = [], 'wp:featuredmedia': [file], 'wp:term': terms = [] } = _embedded;
  const { media_details: details, alt_text } = file;
  const named = (/** @type {string} */ taxonomy) => (
    terms.flat().filter((term) => term.taxonomy === taxonomy).map((term) => term.name));
  const about = details.image_meta ?? {};
  const text = plainText(content.rendered);
  return {
    id: slug,
    type: 'image',
    title: text ?? (alt_text || null),
    description: alt_text && alt_text !== text ? alt_text : null,
    page: link,
    tags: [...named('photo_tag'), ...named('photo_category')],
    author: author ? { name: author.name || author.slug, id: author.slug, url: author.link } : null,
    license: license('cc0'),
    // The camera’s clock, whose zone is not known; else when it was published.
    created: Number(about.created_timestamp)
      ? parseDate(Number(about.created_timestamp))?.replace(/Z$/, '') : date_gmt && `${date_gmt}Z`,
    camera: cameraOf(about),
    media: Object.entries(ROLES).flatMap(([name, role]) => sized(role, details.sizes[name], details)),
    extra: {
      number: id, colors: named('photo_color'), orientation: named('photo_orientation')[0], published: date_gmt,
    },
  };
}

/** Values that are not known are "0" or empty. @returns {import('imgscript').Camera | null} */
function cameraOf({ camera, aperture, focal_length, iso, shutter_speed }) {
  if (!camera) return null;
  const seconds = Number(shutter_speed);
  const known = (/** @type {string} */ value) => (Number(value) ? String(value) : null);
  return {
    model: camera,
    aperture: known(aperture),
    focalLength: known(focal_length),
    iso: Number(iso) || null,
    exposure: seconds ? (seconds < 1 ? `1/${Math.round(1 / seconds)}` : String(seconds)) : null,
  };
}

/** @param {import('imgscript').Media['role']} role @returns {import('imgscript').Media[]} */
function sized(role, size, whole) {
  if (!size) return [];
  const { source_url: url, width, height, mime_type, filesize } = size;
  const bytes = filesize ?? (role === 'original' ? whole.filesize : null);
  return [{ role, url, width, height, bytes, format: fileFormat(mime_type) }];
}
