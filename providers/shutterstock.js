const { fail } = require('imgscript');

const SITE = 'https://www.shutterstock.com';
/** @type {[import('imgscript').Media['role'], string][]} */
const SIZES = [['large', 'preview_1500'], ['large', 'preview_1000'], ['regular', 'preview'], ['small', 'huge_thumb'],
  ['thumbnail', 'large_thumb'], ['thumbnail', 'small_thumb']];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'shutterstock',
  name: 'Shutterstock',
  version: '1.1.0',
  homepage: 'https://www.shutterstock.com/',
  summary: 'Stock photographs, vectors and illustrations, as previews with a watermark.',
  category: 'stock',
  base: 'https://api.shutterstock.com',
  hosts: ['api.shutterstock.com'],
  mediaHosts: ['*.shutterstock.com', '*.picdn.net'],
  auth: [
    { type: 'bearer', help: 'https://www.shutterstock.com/account/developers/apps' },
    {
      type: 'basic', user: '{client_id}', password: '{client_secret}',
      help: 'https://www.shutterstock.com/account/developers/apps',
    },
  ],
  limits: { pageSize: { max: 500, default: 20 } },
  terms: { url: 'https://www.shutterstock.com/license', license: 'Shutterstock licence, by subscription' },

  // {"message":"…","errors":[{"message":"…"}]}
  check: (res) => {
    if (res.status === 400 && res.text.startsWith('{')) {
      fail('unsupported', res.json.errors?.[0]?.message ?? res.json.message);
    }
  },

  search: {
    newestFirst: { sort: ['newest'] },
    params: {
      image_type: { type: 'list', values: ['photo', 'illustration', 'vector'] },
      orientation: {
        type: 'choice', values: ['horizontal', 'vertical'], filter: 'aspect',
        filterValues: { landscape: 'horizontal', portrait: 'vertical' },
      },
      sort: { type: 'choice', values: ['popular', 'newest', 'relevance', 'random'] },
      color: { type: 'string', help: 'A colour: 4F21EA, or grayscale.' },
      category: { type: 'string' },
      safe: { type: 'boolean' },
    },
    request: (q) => ({
      url: '/v2/images/search',
      query: { query: q.text, page: q.page, per_page: q.limit, view: 'full', ...q.params },
    }),
    parse: (res) => ({ total: res.json.total_count, items: res.json.data.map(image) }),
  },
  details: {
    request: (item) => ({ url: `/v2/images/${encodeURIComponent(item.id)}`, query: { view: 'full' } }),
    parse: (res) => image(res.json),
  },

  match: ['image-photo', 'image-vector', 'image-illustration'].map((kind) => (
    { pattern: [`${SITE}/${kind}/{slug}-{id}`, `${SITE}/*/${kind}/{slug}-{id}`], item: { id: '{id}' } })),
};

/** Contributors have no name here. @returns {import('imgscript').Item} */
function image({ id, description, assets, keywords, added_date, is_adult, ...extra }) {
  return {
    id,
    type: 'image',
    title: description,
    page: `https://www.shutterstock.com/image-${extra.image_type ?? 'photo'}/${id}`,
    tags: keywords,
    license: { id: 'shutterstock', name: 'Shutterstock License', url: 'https://www.shutterstock.com/license' },
    created: added_date,
    media: SIZES.filter(([, size]) => assets[size]?.url).map(([role, size]) => {
      const { url, width, height } = assets[size];
      return { role, url, width, height, watermarked: size.startsWith('preview') || null };
    }),
    rating: is_adult == null ? null : is_adult ? 'explicit' : 'safe',
    extra,
  };
}
