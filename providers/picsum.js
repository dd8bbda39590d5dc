const { fit } = require('imgscript');

/** @type {[import('imgscript').Media['role'], number][]} The server makes whatever size is asked for. */
const SIZES = [['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 200]];

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
  category: 'photographs',
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
      items: res.json.map((photo) => image(photo, q.params)),
      next: res.links.next ? undefined : null,
    }),
  },
  details: {
    request: (item) => ({ url: `/id/${encodeURIComponent(item.id)}/info` }),
    parse: (res) => image(res.json, {}),
  },

  match: [
    { pattern: ['', '/info', '/*', '/*/*'].map((end) => `https://picsum.photos/id/{id}${end}`), item: { id: '{id}' } },
  ],
};

/** @param {any} photo @param {Record<string, any>} effects @returns {import('imgscript').Item} */
function image({ id, author, width, height, url, download_url, ...extra }, { grayscale, blur }) {
  const effects = [grayscale && 'grayscale', blur && `blur=${blur}`].filter(Boolean).join('&');
  const ending = effects && `?${effects}`;
  const smaller = SIZES.filter(([, side]) => side < width).map(([role, side]) => {
    const sides = fit({ width, height }, { width: side });
    return { role, url: `https://picsum.photos/id/${id}/${sides.width}/${sides.height}${ending}`, ...sides };
  });
  return {
    id,
    type: 'image',
    page: url,
    author: { name: author },
    license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
    media: [{ role: 'original', url: download_url + ending, width, height }, ...smaller],
    extra,
  };
}
