const { fail, parseDate } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  content_type: { type: 'list', values: ['photo', 'vector', 'psd'] },
  orientation: {
    type: 'list', values: ['landscape', 'portrait', 'square', 'panoramic'], filter: 'aspect',
    filterValues: { landscape: ['landscape', 'panoramic'], portrait: 'portrait', square: 'square' },
  },
  license: { type: 'choice', values: ['freemium', 'premium'], help: 'Free with credit, or for subscribers.' },
  color: { type: 'string', help: 'Such as red, blue, black.' },
  ai_generated: { type: 'choice', values: ['excluded', 'only'], help: 'Works that were made by a program.' },
  no_ai: { type: 'boolean', filter: 'no-ai', help: 'The same as ai_generated=excluded.' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'freepik',
  name: 'Freepik',
  version: '1.1.0',
  homepage: 'https://www.magnific.com/',
  summary: 'Stock photographs, vectors and layered files, as previews; Freepik is called Magnific since 2026.',
  category: 'stock',
  base: 'https://api.magnific.com',
  hosts: ['api.magnific.com'],
  mediaHosts: ['*.freepik.com', '*.magnific.com', '*.cdnpk.net', '*.flaticon.com'],
  auth: { type: 'header', name: 'x-magnific-api-key', help: 'https://docs.magnific.com/authentication' },
  limits: { pageSize: { max: 100, default: 20 } },
  terms: {
    url: 'https://www.freepik.com/legal/terms-of-use',
    license: 'Freepik licence; free ones with credit',
    attribution: 'Designed by {author.name} / Freepik',
  },

  check: (res) => {
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', res.json.message ?? 'Bad request');
  },

  search: {
    params: { ...FILTERS, order: { type: 'choice', values: ['relevance', 'recent'] } },
    request: (q) => list(q, { term: q.text }),
    parse,
  },
  feed: {
    params: { ...FILTERS, order: { type: 'choice', values: ['relevance', 'recent'], default: 'recent' } },
    request: (q) => list(q, {}),
    parse,
  },
  details: {
    request: (item) => ({ url: `/v1/resources/${encodeURIComponent(item.id)}` }),
    parse: (res) => detailed(res.json.data),
  },

  match: ['freepik', 'magnific'].flatMap((site) => ['', '*/'].map((language) => (
    { pattern: `https://www.${site}.com/${language}*/{slug}_{id}.htm`, item: { id: '{id}' } }))),
};

/** Filters are nested, each value a switch of its own. @param {import('imgscript').Query} q @param {object} query */
function list(q, query) {
  const { content_type = [], orientation = [], license, color, no_ai, order } = q.params;
  const ai_generated = q.params.ai_generated ?? (no_ai ? 'excluded' : undefined);
  const one = (/** @type {string | undefined} */ value) => (value ? [value] : []);
  const chosen = { content_type, orientation, license: one(license), 'ai-generated': one(ai_generated) };
  const switches = Object.entries(chosen);
  const filters = switches.flatMap(([name, values]) => values.map((/** @type {string} */ value) => (
    [`filters[${name}][${value}]`, 1])));
  const paged = { ...query, page: q.page, limit: q.limit, order };
  return { url: '/v1/resources', query: { ...paged, ...Object.fromEntries(filters), 'filters[color]': color } };
}

/** Pages past the hundredth are refused. @param {import('imgscript').Response} res */
function parse({ json: { data, meta } }) {
  const isLast = meta.current_page >= Math.min(meta.last_page, 100);
  return { total: meta.total, items: data.map(image), ...(isLast ? { next: null } : {}) };
}

/** @returns {import('imgscript').Item} */
function image(resource) {
  const {
    id, title, url, licenses, meta, image: { source, ...kind }, related, stats, author, is_ai_generated: aiGenerated,
    ...extra
  } = resource;
  const [width, height] = source.size?.split('x').map(Number) ?? [];
  const terms = licenses?.find(({ type }) => type === 'freemium' || type === 'premium');
  return {
    id,
    type: 'image',
    title,
    page: url,
    tags: related?.keywords?.map((keyword) => keyword.name ?? keyword),
    author: author ? { name: author.name, id: author.id } : null,
    license: terms && { id: `freepik-${terms.type}`, name: `Freepik License (${terms.type})`, url: terms.url },
    created: parseDate(meta?.published_at),
    stats: { downloads: stats?.downloads, likes: stats?.likes },
    media: [{ role: 'large', url: source.url, width, height }],
    aiGenerated: aiGenerated ?? null,
    extra: { ...kind, formats: meta?.available_formats && Object.keys(meta.available_formats), ...extra },
  };
}

/** The details have other names than the lists. @returns {import('imgscript').Item} */
function detailed(resource) {
  const {
    id, name, url, premium, license, author, created, dimensions, preview, download_size, available_formats,
    related_tags, related_resources, is_ai_generated: aiGenerated, ...extra
  } = resource;
  const type = premium ? 'premium' : 'freemium';
  return {
    id,
    type: 'image',
    title: name,
    page: url,
    tags: related_tags?.map((tag) => tag.name ?? tag),
    author: author ? { name: author.name, id: author.id } : null,
    license: { id: `freepik-${type}`, name: `Freepik License (${type})`, url: license },
    created: parseDate(created),
    media: [{ role: 'large', url: preview.url, width: preview.width, height: preview.height }],
    aiGenerated: aiGenerated ?? null,
    extra: { dimensions, download_size, formats: available_formats && Object.keys(available_formats), ...extra },
  };
}
