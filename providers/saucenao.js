const { fail, hash, plainText } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'saucenao',
  name: 'SauceNAO',
  version: '1.0.0',
  homepage: 'https://saucenao.com/',
  summary: 'Where an illustration is from: looks for a picture in the indexes of Pixiv, boards, anime and manga.',
  category: 'media',
  base: 'https://saucenao.com',
  hosts: ['saucenao.com'],
  mediaHosts: ['saucenao.com', '*.saucenao.com'],
  auth: { type: 'query', name: 'api_key', help: 'https://saucenao.com/user.php?page=search-api' },
  limits: { pageSize: { max: 40, default: 16 }, rate: ['4/30s', '100/1d'] },
  terms: { url: 'https://saucenao.com/about.html', license: 'Of their artists, not stated' },
  paging: 'none',

  // {"header":{"status":-2,"message":"<strong>Search Rate Too High.</strong> …"}}; below 0 the request is at fault.
  check: (res) => {
    if (res.status >= 500 || !res.text.startsWith('{')) return;
    const { status, message } = res.json.header ?? {};
    const words = plainText(message)?.replace(/\s+/g, ' ') ?? `status ${status}`;
    if (res.status === 429 || /rate too high|limit|too many/i.test(words)) fail('rate', words);
    if (res.status === 403 || /\bkey\b|account|anonymous|banned/i.test(words)) fail('auth', words);
    if (status < 0) fail(res.ok ? 'unsupported' : res.status, words);
  },

  similar: {
    image: ['url', 'file'],
    params: {
      db: { type: 'integer', min: 0, default: 999, help: 'Only this index: 5 Pixiv, 9 Danbooru, 21 anime; 999 all.' },
      hide: {
        type: 'choice', values: ['0', '1', '2', '3'], default: '3', help: 'What is explicit is left out: 0 none, 3 all.',
      },
      minimum: { type: 'number', min: 0, max: 100, help: 'How similar at least, in percent.' },
    },
    request: (q) => {
      const { db, hide } = q.params;
      const query = { output_type: 2, numres: q.limit, db, hide, url: q.image.url };
      const url = '/search.php';
      return q.image.url ? { url, query } : { url, method: 'POST', query, upload: 'file' };
    },
    parse: ({ json: { header, results } }, q) => {
      if (!results && header.results_returned > 0) fail('changed', 'There are matches, and no list of them.');
      const least = Number(q.params.minimum ?? 0);
      const matches = (results ?? []).filter(({ header: { similarity } }) => Number(similarity) >= least);
      return { items: [...new Map(matches.map((match) => image(match)).map((item) => [item.id, item])).values()] };
    },
  },
};

/** What an index calls the one who made a picture, in the order of what is best. */
const MAKERS = ['member_name', 'author_name', 'user_acct', 'twitter_user_handle', 'pawoo_user_display_name', 'creator',
  'author', 'artist'];

/** @returns {import('imgscript').Item} */
function image(/** @type {any} */ { header, data }) {
  const { similarity, thumbnail, index_id, index_name, hidden } = header;
  const { ext_urls, title, source, material, characters, part, year, est_time, eng_name, jp_name, ...ids } = data;
  const key = ext_urls?.[0] ?? [title, source, part, est_time, jp_name].filter(isText).join(' ');
  const maker = MAKERS.map((name) => data[name]).flat().find(isText);
  return {
    id: `${index_id ?? fail('changed', 'A match without its index.')}-${hash('md5', key || thumbnail).slice(0, 16)}`,
    type: 'image',
    title: [[title, eng_name, jp_name, source, material].find(isText), part].filter(isText).join(', ') || null,
    page: ext_urls?.[0] ?? (URL.canParse(source ?? '') ? source : null),
    tags: [material, ...(characters ?? '').split(', ')].filter(Boolean),
    author: maker ? { name: maker, id: data.member_id ?? data.user_acct ?? null, url: data.author_url } : null,
    created: /^\d{4}$/.test(year ?? '') ? year : null,
    media: [{ role: 'thumbnail', url: thumbnail }], // what the index shows; `page` leads to the picture itself
    rating: hidden ? 'explicit' : null,
    extra: { similarity: Number(similarity), index: index_name, source, pages: ext_urls, time: est_time, ...ids },
  };
}

/** @param {any} value */
const isText = (value) => typeof value === 'string' && value !== '';
