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
    .filter((work) => work.image_id)
    .map((work) => image(work, res.json.config.iiif_url)),
});

/** @type {Record<string, import('imgscript').Parameter>} */
const params = { public_domain: {
    type: 'boolean', help: 'Only works that anyone may use.', filter: 'license', filterValues: { cc0: true },
  } };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'artic',
  name: 'Art Institute of Chicago',
  version: '1.1.0',
  homepage: 'https://www.artic.edu/collection',
  summary: 'Paintings, prints, photographs and objects in the Art Institute of Chicago.',
  category: 'museums',
  base: 'https://api.artic.edu',
  hosts: ['api.artic.edu'],
  mediaHosts: ['www.artic.edu'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 1000, rate: ['60/60s'] },
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
    { pattern: ['https://www.artic.edu/artworks/{id}', 'https://www.artic.edu/artworks/{id}/*'], item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** A work’s first picture, whose size alone is known, and its others. @returns {import('imgscript').Item[]} */
function views(/** @type {import('imgscript').Response} */ res) {
  const { data: work, config } = res.json;
  const others = (work.alt_image_ids ?? []).map((image_id, index) => {
    const other = image({ ...work, image_id, thumbnail: null }, config.iiif_url);
    return { ...other, id: `${work.id}/${index + 1}` };
  });
  return [image(work, config.iiif_url), ...others];
}

/** @param {any} work @param {string} server @returns {import('imgscript').Item} */
function image(work, server) {
  const {
    id, title, image_id, thumbnail, description, artist_title, artist_id, term_titles,
    api_link, api_model, suggest_autocomplete_all, ...extra
  } = work;
  const isFree = work.is_public_domain;
  return {
    id,
    type: 'image',
    title,
    description: plainText(description ?? work.short_description),
    page: `https://www.artic.edu/artworks/${id}`,
    tags: term_titles,
    author: artist_title && { name: artist_title, id: artist_id },
    license: isFree ? license('cc0') : null,
    // Of works under copyright the server gives 843 pixels at most.
    media: iiif.media(image_id && `${server}/${image_id}`, {
      width: thumbnail?.width,
      height: thumbnail?.height,
      whole: isFree ? 'full' : null,
      sizes: [...(isFree ? LARGE : []), ['regular', 843], ['small', 400], ['thumbnail', 200]],
    }),
    extra: { ...extra, width: thumbnail?.width, height: thumbnail?.height, alt_text: thumbnail?.alt_text },
  };
}

/** @type {import('./iiif-theme').Sizes} */
const LARGE = [['large', 1686]];
