const { request, parse } = require('./flickr-feed-theme');

/** @type {import('imgscript').Parameter} */
const FORMAT = { type: 'choice', values: ['json', 'atom', 'rss_200'], help: 'What Flickr answers in.' };
/** @type {Record<string, string>} */
const FEEDS = { user: 'photos_public', faves: 'photos_faves', group: 'groups_pool' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'flickr-feed',
  name: 'Flickr feeds',
  version: '1.0.0',
  homepage: 'https://www.flickr.com/services/feeds/',
  summary: 'The newest twenty photos of everyone, of a tag, a user or a group on Flickr, without a key.',
  category: 'photographs',
  base: 'https://www.flickr.com',
  hosts: ['www.flickr.com'],
  mediaHosts: ['*.staticflickr.com', '*.static.flickr.com'],
  limits: { pageSize: { max: 20, default: 20 } },
  terms: {
    url: 'https://www.flickr.com/help/terms/api',
    license: 'As each photographer says',
    attribution: '“{title}” by {author.name} on Flickr',
    cacheAtMost: '24h',
    notice: 'This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.',
  },
  paging: 'none',

  search: {
    params: { format: FORMAT },
    request: (q) => request('photos_public', { tags: q.text.trim().replace(/\s+/g, ','), tagmode: 'all', ...q.params }),
    parse,
  },

  feed: {
    params: {
      tags: { type: 'list', join: ',', help: 'Tags to have.' },
      tagmode: { type: 'choice', values: ['any', 'all'] },
      format: FORMAT,
    },
    request: (q) => request('photos_public', q.params),
    parse,
  },

  collection: {
    params: { format: FORMAT },
    request: (item, q) => {
      const [kind, id] = item.id.split(':');
      return request(FEEDS[kind], { id, ...q.params });
    },
    parse,
  },

  match: Object.keys(FEEDS).map((kind) => (
    { pattern: `${kind}:{id}`, item: { id: `${kind}:{id}`, type: /** @type {const} */ ('collection') } })),
};
