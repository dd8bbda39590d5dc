const { fail } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'serpapi',
  name: 'SerpApi (Google Images)',
  version: '1.0.0',
  homepage: 'https://serpapi.com/google-images-api',
  summary: 'What Google Images shows for a text, through a paid service.',
  category: 'web',
  base: 'https://serpapi.com',
  hosts: ['serpapi.com'],
  mediaHosts: ['*'], // images of any site
  auth: { type: 'query', name: 'api_key', help: 'https://serpapi.com/manage-api-key' },
  limits: { pageSize: { min: 100, max: 100, default: 100 } },
  terms: { url: 'https://serpapi.com/legal', license: 'As the page says that an image is from' },
  paging: 'page0',

  // Nothing found is an error too, with status 200.
  check: (res) => {
    const error = res.ok ? res.json.error : null;
    if (error && !/hasn't returned any results/.test(error)) fail('unsupported', error);
  },

  search: {
    params: {
      imgsz: { type: 'choice', values: ['i', 'm', 'l', 'vga', '2mp', '4mp', '8mp'], help: 'Icon to 8 megapixels.' },
      image_type: { type: 'choice', values: ['face', 'photo', 'clipart', 'lineart', 'animated'] },
      image_color: { type: 'string', help: 'bw, trans, or a name such as red.' },
      licenses: { type: 'choice', values: ['cl', 'ol'], help: 'Creative Commons, or commercial and other licences.' },
      safe: { type: 'choice', values: ['active', 'off'] },
      gl: { type: 'string', help: 'The country searched from, such as "de".' },
      hl: { type: 'string', help: 'The language searched in, such as "de".' },
    },
    request: (q) => (
      { url: '/search.json', query: { engine: 'google_images', q: q.text, ijn: q.page, ...q.params } }),
    parse: (res) => {
      const { error, images_results } = res.json;
      return { items: error ? [] : images_results.map(image) };
    },
  },
};

/** Results have no id of their own. @returns {import('imgscript').Item} */
function image({ original, original_width: width, original_height: height, thumbnail, title, link, ...extra }) {
  return {
    id: original,
    type: 'image',
    title,
    page: link,
    media: [{ role: 'original', url: original, width, height }, { role: 'thumbnail', url: thumbnail }],
    extra, // with `source`, the name of the site
  };
}
