const { fit, license } = require('imgscript');

/** @type {import('imgscript').Parameter} */
const SORT = { type: 'choice', values: ['date', 'trending', 'views', 'downloads', 'favorites'], default: 'date' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'stocksnap',
  name: 'StockSnap',
  version: '1.0.0',
  homepage: 'https://stocksnap.io/',
  summary: 'Free stock photographs under CC0.',
  category: 'photographs',
  base: 'https://stocksnap.io',
  hosts: ['stocksnap.io'],
  mediaHosts: ['cdn.stocksnap.io'],
  limits: { pageSize: { min: 40, max: 40, default: 40 } },
  terms: { url: 'https://stocksnap.io/license', license: 'CC0 1.0' },
  paging: 'cursor',

  search: {
    params: { sort: { ...SORT, values: ['relevance', ...(SORT.values ?? [])], default: 'relevance' } },
    request: (q) => ({
      url: `/api/search-photos/${encodeURIComponent(q.text)}/${q.params.sort ?? 'relevance'}/desc/${q.cursor ?? 1}`,
    }),
    parse: page,
  },
  feed: {
    params: { sort: SORT },
    request: (q) => ({ url: `/api/load-photos/${q.params.sort ?? 'date'}/desc/${q.cursor ?? 1}` }),
    parse: page,
  },
};

/** `nextPage` is a number, or false. @param {import('imgscript').Response} res */
function page(res) {
  return { items: res.json.results.map(image), next: res.json.nextPage || null };
}

/** Addresses are not given but made of two words and the id. @returns {import('imgscript').Item} */
function image(photo) {
  const {
    img_id, img_width: width, img_height: height, keywords, tags, author_name, author_id, author_profile,
    downloads_raw, favorites_raw, page_views_raw, downloads, favorites, page_views, favorited, adjustedWidth, ...extra
  } = photo;
  const words = keywords.slice(0, 2).join('-');
  /** @param {string} size */
  const url = (size) => `https://cdn.stocksnap.io/img-thumbs/${size}/${words}_${img_id}.jpg`;
  return {
    id: img_id,
    type: 'image',
    page: `https://stocksnap.io/photo/${words}-${img_id}`,
    tags: tags ? tags.split(/\s*,\s*/).filter(Boolean) : keywords,
    author: { name: author_name, id: author_id, url: author_profile },
    license: license('cc0'),
    stats: { downloads: downloads_raw, favorites: favorites_raw, views: page_views_raw },
    media: [
      { role: 'large', url: url('960w'), ...fit({ width, height }, { width: 960 }), format: 'jpeg' },
      { role: 'small', url: url('280h'), width: adjustedWidth, height: 280, format: 'jpeg' },
    ],
    extra: { ...extra, img_width: width, img_height: height },
  };
}
