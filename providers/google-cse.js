const { fail, fileFormat } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'google-cse',
  name: 'Google Programmable Search',
  version: '1.1.0',
  homepage: 'https://programmablesearchengine.google.com/',
  summary: 'Images of the sites that your own Programmable Search Engine covers.',
  category: 'web',
  deprecated: {
    date: '2026-01-20',
    ends: '2027-01-01',
    note: 'Google gives no new keys for this API; -p brave, serpapi or openverse search the web for images',
  },
  base: 'https://www.googleapis.com',
  hosts: ['www.googleapis.com'],
  mediaHosts: ['*'], // images of any site
  auth: {
    type: 'query',
    fields: { key: '{key}', cx: '{cx}' },
    help: 'https://developers.google.com/custom-search/v1/introduction',
  },
  limits: { pageSize: { max: 10, default: 10 }, reachable: 100, rate: ['100/1d'] },
  terms: { url: 'https://developers.google.com/terms', license: 'As the page says that an image is from' },
  paging: 'offset',

  check: (res) => {
    if (res.status === 403 && /accessNotConfigured|SERVICE_DISABLED/.test(res.text)) {
      fail('blocked', 'The Custom Search API is disabled in the project of this key; enable it in the Google console.');
    }
    if (res.status === 403 && /LimitExceeded/.test(res.text)) fail('rate', res.json.error.message);
    if (res.status === 400) fail(/API key/.test(res.text) ? 'auth' : 'unsupported', res.json.error.message);
  },

  search: {
    params: {
      imgSize: { type: 'choice', values: ['icon', 'small', 'medium', 'large', 'xlarge', 'xxlarge', 'huge'] },
      imgType: { type: 'choice', values: ['clipart', 'face', 'lineart', 'stock', 'photo', 'animated'] },
      imgColorType: { type: 'choice', values: ['color', 'gray', 'mono', 'trans'] },
      imgDominantColor: {
        type: 'choice',
        values: ['black', 'blue', 'brown', 'gray', 'green', 'orange', 'pink', 'purple', 'red', 'teal', 'white',
          'yellow'],
      },
      rights: {
        type: 'list',
        values: ['cc_publicdomain', 'cc_attribute', 'cc_sharealike', 'cc_noncommercial', 'cc_nonderived'],
        join: '|',
        help: 'What Google takes for an image’s licence.',
      },
      fileType: { type: 'string', help: 'Such as jpg, png, svg.' },
      dateRestrict: { type: 'string', help: 'Not older than this: d7, w2, m6, y1.' },
      siteSearch: { type: 'string', help: 'Only this site.' },
      safe: { type: 'choice', values: ['active', 'off'] },
      gl: { type: 'string', help: 'The country searched from, such as "de".' },
      hl: { type: 'string', help: 'The language searched in, such as "de".' },
    },
    request: (q) => ({
      url: '/customsearch/v1',
      query: { q: q.text, searchType: 'image', num: q.limit, start: q.offset + 1, ...q.params },
    }),
    parse: (res) => ({
      total: Number(res.json.searchInformation.totalResults), // far more than the 100 that can be had
      items: (res.json.items ?? []).map(image),
      ...(res.json.queries.nextPage ? {} : { next: null }),
    }),
  },
};

/** Results have no id of their own. @returns {import('imgscript').Item} */
function image({ title, link, mime, snippet, image: file, ...extra }) {
  const format = fileFormat(mime);
  return {
    id: link,
    type: 'image',
    title,
    description: snippet,
    page: file.contextLink,
    media: [
      { role: 'original', url: link, width: file.width, height: file.height, bytes: file.byteSize, format },
      { role: 'thumbnail', url: file.thumbnailLink, width: file.thumbnailWidth, height: file.thumbnailHeight },
    ],
    extra: { ...extra, mime },
  };
}
