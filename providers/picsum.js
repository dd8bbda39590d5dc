/** @type {Record<string, import('imgscript').Parameter>} */
const EFFECTS = {
  grayscale: { type: 'boolean', help: 'Files without colour.' },
  blur: { type: 'integer', min: 1, max: 10, help: 'Blurred files.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'picsum',
  name: 'Lorem Picsum',
  version: '1.0.0',
  homepage: 'https://picsum.photos/',
  summary: 'About a thousand photographs of Unsplash as placeholders of any size.',
  base: 'https://picsum.photos',
  hosts: ['picsum.photos'],
  mediaHosts: ['picsum.photos', 'fastly.picsum.photos'],
  limits: { pageSize: { max: 100, default: 20 } },
  terms: {
    url: 'https://picsum.photos/',
    license: 'Unsplash License',
    hotlink: true,
    attribution: 'Photo by {author.name} on Unsplash',
  },

  feed: {
    params: EFFECTS,
    request: (q) => ({ url: '/v2/list', query: { page: q.page, limit: q.limit } }),
    parse: (res, q) => ({
      items: res.json.map((/** @type {any} */ photo) => image(photo, q.params)),
      next: res.links.next ? undefined : null,
    }),
  },
  details: {
    request: (item) => ({ url: `/id/${encodeURIComponent(item.id)}/info` }),
    parse: (res) => image(res.json, {}),
  },

  match: ['', '/info', '/*', '/*/*'].map((end) => (
    { pattern: `https://picsum.photos/id/{id}${end}`, item: { id: '{id}' } })),
};

/** @param {any} photo @param {Record<string, any>} effects @returns {import('imgscript').Item} */
function image({ id, author, width, height, url, download_url, ...extra }, { grayscale, blur }) {
  const effect = [grayscale && 'grayscale', blur && `blur=${blur}`].filter(Boolean).join('&');
  /** @param {string} address */
  const changed = (address) => (effect ? `${address}?${effect}` : address);

  // The server makes whatever size is asked for.
  /** @type {[import('imgscript').Media['role'], number][]} */
  const sizes = [['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 200]];
  return {
    id,
    type: 'image',
    page: url,
    author: { name: author },
    license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
    media: [
      { role: 'original', url: changed(download_url), width, height },
      ...sizes.filter(([, side]) => side < width).map(([role, side]) => {
        const high = Math.max(1, Math.round((side * height) / width));
        return { role, url: changed(`https://picsum.photos/id/${id}/${side}/${high}`), width: side, height: high };
      }),
    ],
    extra,
  };
}
