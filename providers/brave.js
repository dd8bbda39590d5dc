const { fail, hash } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'brave',
  name: 'Brave Image Search',
  version: '1.1.0',
  homepage: 'https://search.brave.com/images',
  summary: 'Pictures from all over the web, as Brave’s own search engine finds them; its API costs from the first search.',
  category: 'web',
  base: 'https://api.search.brave.com',
  hosts: ['api.search.brave.com'],
  mediaHosts: ['*'],
  auth: {
    type: 'header', name: 'X-Subscription-Token', help: 'https://api-dashboard.search.brave.com/app/keys',
  },
  // Plans allow different rates; one request a second is in all of them. There is one page.
  limits: { pageSize: { max: 200, default: 50 }, text: { min: 1, max: 400 }, rate: ['1/1s'] },
  terms: {
    url: 'https://api-dashboard.search.brave.com/terms-of-service',
    license: 'Of the sites that show them, not stated',
    attribution: '{page}',
  },
  paging: 'none',

  // A key that is not valid is 422, as is a parameter.
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { code = '', detail, meta } = res.json.error ?? {};
    const message = [detail ?? `Brave answered with status ${res.status}.`, meta?.errors?.[0]?.msg]
      .filter(Boolean).join(' ');
    const isKey = /TOKEN|SUBSCRIPTION|RESOURCE_NOT_ALLOWED|OPTION_NOT_IN_PLAN/.test(code);
    fail(/RATE|QUOTA/.test(code) ? 'rate' : isKey ? 'auth' : res.status, message);
  },

  search: {
    params: {
      country: { type: 'string', default: 'ALL', help: 'Two letters, such as DE, or ALL.' },
      search_lang: { type: 'string', help: 'The language of the pages: en, de …' },
      safesearch: { type: 'choice', values: ['strict', 'off'], default: 'strict' },
      spellcheck: { type: 'boolean', help: 'Whether a misspelt text is corrected, as it is by default.' },
    },
    request: (q) => ({ url: '/res/v1/images/search', query: { q: q.text, count: q.limit, ...q.params } }),
    parse: (res) => {
      const ids = new Set();
      const items = res.json.results.map(image).filter(({ id }) => !ids.has(id) && ids.add(id));
      return { items, next: null };
    },
  },
};

/** Sites may change what lies at an address; Brave itself gives no id. @returns {import('imgscript').Item} */
function image({ title, url, source, page_fetched, thumbnail, properties, confidence, meta_url }) {
  const { url: original, width, height } = properties;
  return {
    id: hash('sha256', original).slice(0, 20),
    type: 'image',
    title,
    page: url,
    media: [
      { role: 'original', url: original, width: width || null, height: height || null },
      ...(thumbnail?.src ? [{
        role: /** @type {const} */ ('thumbnail'),
        url: thumbnail.src,
        width: thumbnail.width || null,
        height: thumbnail.height || null,
      }] : []),
    ],
    extra: { source: source ?? meta_url?.hostname, page_fetched, confidence },
  };
}
