const { fail } = require('imgscript');
const { images } = require('./reddit-theme');

const SITE = 'https://www.reddit.com';
const PERIODS = ['hour', 'day', 'week', 'month', 'year', 'all'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'reddit',
  name: 'Reddit',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Images that people post to Reddit’s communities.',
  base: 'https://oauth.reddit.com',
  hosts: ['oauth.reddit.com', 'www.reddit.com'], // the second gives the token
  mediaHosts: ['*'], // posts link to images on any site
  auth: { type: 'oauth2', token: `${SITE}/api/v1/access_token`, help: `${SITE}/prefs/apps` },
  limits: {
    pageSize: { max: 100, default: 25 },
    reachable: 1000,
    text: { max: 512 },
    rate: ['100/60s'],
    reset: { header: 'x-ratelimit-reset', unit: 'seconds' },
  },
  terms: {
    url: 'https://redditinc.com/policies/data-api-terms',
    license: 'Of those who posted, not stated',
    cacheAtMost: '48h', // what is deleted there has to go here
    attribution: '“{title}” by {author.name} on Reddit',
  },
  paging: 'cursor',

  search: {
    params: {
      subreddit: { type: 'string', help: 'Only this community: itookapicture; several with "+".' },
      sort: { type: 'choice', values: ['relevance', 'hot', 'top', 'new', 'comments'] },
      t: { type: 'choice', values: PERIODS, help: 'How old at most.' },
    },
    request: (q) => {
      const { subreddit, sort, t } = q.params;
      if (!subreddit) return listing('/search', q, { q: q.text, sort, t });
      return listing(`/r/${subreddit}/search`, q, { q: q.text, restrict_sr: true, sort, t });
    },
    parse,
  },

  feed: {
    params: {
      subreddit: { type: 'string', default: 'pics', help: 'The community; several with "+": pics+EarthPorn.' },
      sort: { type: 'choice', values: ['hot', 'new', 'top', 'rising', 'controversial'], default: 'hot' },
      t: { type: 'choice', values: PERIODS, help: 'How old at most.' },
    },
    request: (q) => listing(`/r/${q.params.subreddit}/${q.params.sort}`, q, { t: q.params.t }),
    parse,
  },

  details: {
    request: (item) => listing(`/comments/${item.id.split('-')[0]}`, { limit: 1 }),
    parse: (res, item) => post(res).find(({ id }) => id === item.id) ?? post(res)[0],
  },

  collection: {
    request: (item, q) => {
      const [kind, name] = item.id.split(':');
      if (kind === 'post') return listing(`/comments/${name}`, { limit: 1 });
      return listing(kind === 'user' ? `/user/${name}/submitted` : `/r/${name}/new`, q);
    },
    parse: (res, item) => (item.id.startsWith('post:') ? { items: post(res), next: null } : parse(res)),
  },

  // Whether a post has one image or several, its URL does not say.
  match: [
    {
      pattern: [`${SITE}/r/*/comments/{id}/*`, `${SITE}/gallery/{id}`, 'post:{id}'],
      item: { id: 'post:{id}', type: 'collection' },
    },
    { pattern: [`${SITE}/r/{name}`, 'r:{name}'], item: { id: 'r:{name}', type: 'collection' } },
    { pattern: [`${SITE}/user/{name}`, 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
  ],
};

/** @param {string} url @param {{ limit: number, cursor?: any }} q @param {Record<string, any>} [query] */
function listing(url, { limit, cursor }, query) {
  return { url, query: { ...query, limit, after: cursor, raw_json: 1 } }; // else URLs come with `&amp;`
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  const { children, after } = res.json.data;
  return { items: children.flatMap(images), next: after };
}

/** A post comes as a list of one, followed by its comments. @param {import('imgscript').Response} res */
function post(res) {
  const items = res.json[0].data.children.flatMap(images);
  return items.length ? items : fail('notFound', 'The post has no image.');
}
