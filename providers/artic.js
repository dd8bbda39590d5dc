const { fail, license, plainText } = require('imgscript');
const iiif = require('./iiif-theme');

// A search gives no more than it is asked for.
const FIELDS = ['id', 'title', 'image_id', 'alt_image_ids', 'thumbnail', 'description', 'short_description',
  'artist_title', 'artist_id', 'artist_display', 'date_display', 'date_start', 'date_end', 'place_of_origin',
  'medium_display', 'dimensions', 'credit_line', 'term_titles', 'department_title', 'is_public_domain',
  'copyright_notice', 'main_reference_number'].join();
const HEADERS = { 'AIC-User-Agent': 'imgscript' };

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
const request = (q) => ({
  url: '/api/v1/artworks/search',
  query: {
    q: q.text || null,
    fields: FIELDS,
    page: q.page,
    limit: q.limit,
    'query[bool][filter][0][exists][field]': 'image_id',
    'query[bool][filter][1][term][is_public_domain]': q.params.public_domain ? true : null,
  },
  headers: HEADERS,
});

/** @param {import('imgscript').Response} res */
const parse = (res) => ({
  total: res.json.pagination.total,
  items: res.json.data
    .filter((/** @type {any} */ work) => work.image_id)
    .map((/** @type {any} */ work) => image(work, res.json.config.iiif_url)),
});

/** @type {Record<string, import('imgscript').Parameter>} */
const params = { public_domain: { type: 'boolean', help: 'Only works that anyone may use.' } };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'artic',
  name: 'Art Institute of Chicago',
  version: '1.0.0',
  homepage: 'https://www.artic.edu/collection',
  summary: 'Paintings, prints, photographs and objects in the Art Institute of Chicago.',
  base: 'https://api.artic.edu',
  hosts: ['api.artic.edu'],
  mediaHosts: ['www.artic.edu'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000, rate: ['60/60s'] },
  terms: {
    url: 'https://www.artic.edu/terms',
    license: 'CC0 for works in the public domain',
    attribution: '{author.name}, “{title}”, The Art Institute of Chicago',
  },

  // 403 is a page too far, or too large.
  check: (res) => {
    const [, detail] = /"detail":\s*"([^"]+)/.exec(res.text) ?? [];
    if (detail && [400, 403, 404].includes(res.status)) fail(res.status === 404 ? 'notFound' : 'unsupported', detail);
  },

  search: { params, request, parse },
  feed: { params, request, parse },
  details: {
    request: (item) => ({ url: `/api/v1/artworks/${encodeURIComponent(item.id.split('/')[0])}`, headers: HEADERS }),
    parse: (res, item) => views(res).find(({ id }) => String(id) === item.id) ?? views(res)[0],
  },

  // All pictures of one work.
  collection: {
    request: (item) => ({ url: `/api/v1/artworks/${item.id.replace('views:', '')}`, headers: HEADERS }),
    parse: (res) => ({ items: views(res), next: null }),
  },

  match: [
    { pattern: 'https://www.artic.edu/artworks/{id}', item: { id: '{id}' } },
    { pattern: 'https://www.artic.edu/artworks/{id}/*', item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** The size that is known is the first picture’s. @returns {import('imgscript').Item[]} */
function views(/** @type {import('imgscript').Response} */ { json: { data: work, config: { iiif_url } } }) {
  /** @type {string[]} */
  const others = work.alt_image_ids ?? [];
  const bare = { ...work, thumbnail: null };
  return [image(work, iiif_url), ...others.map((image_id, index) => (
    { ...image({ ...bare, image_id }, iiif_url), id: `${work.id}/${index + 1}` }))];
}

/** @param {any} work @param {string} server @returns {import('imgscript').Item} */
function image({ id, title, image_id, thumbnail, description, artist_title, artist_id, term_titles, ...rest }, server) {
  const { is_public_domain, api_link, api_model, suggest_autocomplete_all, ...extra } = rest;
  return {
    id,
    type: 'image',
    title,
    description: plainText(description ?? rest.short_description),
    page: `https://www.artic.edu/artworks/${id}`,
    tags: term_titles,
    author: artist_title && { name: artist_title, id: artist_id && String(artist_id) },
    license: is_public_domain ? license('cc0') : null,
    // Of works under copyright the server gives 843 pixels at most.
    media: iiif.media(image_id && `${server}/${image_id}`, {
      width: thumbnail?.width,
      height: thumbnail?.height,
      whole: is_public_domain ? 'full' : null,
      sizes: [...(is_public_domain ? LARGE : []), ['regular', 843], ['small', 400], ['thumbnail', 200]],
    }),
    extra: { ...extra, is_public_domain, alt_text: thumbnail?.alt_text },
  };
}

/** @type {import('./iiif-theme').Sizes} */
const LARGE = [['large', 1686]];
