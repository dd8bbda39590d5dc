const { fail, parseDate } = require('imgscript');

/** @type {Record<string, import('imgscript').Media['role']>} The API's own words for its sizes. */
const ROLES = { high_res_comp: 'large', comp: 'regular', preview: 'small', thumb: 'thumbnail' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'getty',
  name: 'Getty Images',
  version: '1.0.0',
  homepage: 'https://www.gettyimages.com/',
  summary: 'Creative and news photographs of a stock agency, as previews; a key comes with a contract.',
  category: 'stock',
  base: 'https://api.gettyimages.com',
  hosts: ['api.gettyimages.com'],
  mediaHosts: ['media.gettyimages.com'],
  auth: { type: 'header', name: 'Api-Key', help: 'https://developers.gettyimages.com/' },
  limits: { pageSize: { max: 100, default: 30 } },
  terms: {
    url: 'https://developers.gettyimages.com/docs/display-requirements/',
    license: 'Getty Images licence, by contract',
    attribution: '{author.name} via Getty Images',
  },

  // A key has a number of requests a second.
  check: (res) => {
    if (res.status === 403 && /over (qps|rate|queries)/i.test(res.text)) fail('rate', 'Too many requests a second.');
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', res.json.ErrorMessage ?? res.json.message);
  },

  search: {
    params: {
      family: { type: 'choice', values: ['creative', 'editorial'], default: 'creative', help: 'Stock, or news.' },
      orientations: {
        type: 'list', join: ',',
        values: ['horizontal', 'vertical', 'square', 'panoramic_horizontal', 'panoramic_vertical'],
      },
      graphical_styles: { type: 'list', values: ['photography', 'illustration', 'vector', 'fine_art'], join: ',' },
      sort_order: { type: 'choice', values: ['best_match', 'most_popular', 'newest', 'random'] },
      number_of_people: { type: 'list', values: ['none', 'one', 'two', 'group'], join: ',' },
    },
    request: ({ text, page, limit, params: { family, ...params } }) => ({
      url: `/v3/search/images/${family}`,
      query: { phrase: text, fields: 'summary_set,display_set', page, page_size: limit, ...params },
    }),
    parse: (res) => ({ total: res.json.result_count, items: res.json.images.map(image) }),
  },

  details: {
    request: (item) => ({
      url: `/v3/images/${encodeURIComponent(item.id)}`, query: { fields: 'detail_set,display_set' },
    }),
    parse: (res, item) => image(res.json.images?.[0] ?? fail('notFound', `Getty Images has no image ${item.id}.`)),
  },

  match: [{ pattern: 'https://www.gettyimages.com/detail/*/*/{id}', item: { id: '{id}' } }],
};

/** Addresses are signed and must stay as they are. @returns {import('imgscript').Item} */
function image({ id, title, caption, artist, keywords, date_created, display_sizes, referral_destinations, ...extra }) {
  const site = referral_destinations?.find((one) => one.site_name === 'gettyimages');
  return {
    id,
    type: 'image',
    title,
    description: caption,
    page: site?.uri ?? `https://www.gettyimages.com/detail/${id}`,
    tags: keywords?.map((keyword) => keyword.text),
    author: artist ? { name: artist } : null,
    license: { id: 'getty', name: 'Getty Images License', url: 'https://www.gettyimages.com/eula' },
    created: parseDate(date_created),
    media: (display_sizes ?? []).flatMap(({ name, uri: url, is_watermarked: watermarked }) => (
      ROLES[name] ? [{ role: ROLES[name], url, watermarked }] : [])),
    extra, // with `max_dimensions`, the size of the file to be licensed
  };
}
