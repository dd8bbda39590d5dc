const { fail } = require('imgscript');
const { images } = require('./reddit-theme');

const SITE = 'https://www.reddit.com';
const HELP = 'https://support.reddithelp.com/hc/en-us/articles/42728983564564';
const PERIODS = ['hour', 'day', 'week', 'month', 'year', 'all'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'reddit',
  name: 'Reddit',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Images that people post to Reddit’s communities; keys are given on request only.',
  category: 'web',
  base: 'https://oauth.reddit.com',
  hosts: ['oauth.reddit.com', 'www.reddit.com'], // the second gives the token
  mediaHosts: ['*'], // posts link to images on any site
  // Since November 2025 Reddit approves each key: the page is its Responsible Builder Policy.
  auth: [
    // What one has saved and voted for: https://github.com/reddit-archive/reddit/wiki/OAuth2
    {
      type: 'oauth2', token: `${SITE}/api/v1/access_token`, authorize: `${SITE}/api/v1/authorize?duration=permanent`,
      scope: 'identity history read', help: HELP,
    },
    { type: 'oauth2', token: `${SITE}/api/v1/access_token`, help: HELP },
  ],
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

  // {"reason":"private","message":"Forbidden","error":403}, or a page of the guard before the API; neither is about keys.
  check: (res) => {
    if (res.status !== 403) return;
    const reason = /"reason":\s*"(\w+)"/.exec(res.text)?.[1];
    if (reason) fail('blocked', `The community does not show its posts to all (${reason}).`);
    if (/^\s*</.test(res.text)) fail('blocked', 'Reddit refuses this client or network with a web page (expected JSON).');
  },

  search: {
    newestFirst: { sort: ['new'] },
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
    newestFirst: { sort: ['new'] },
    params: {
      subreddit: { type: 'string', default: 'pics', help: 'The community; several with "+": pics+EarthPorn.' },
      sort: { type: 'choice', values: ['hot', 'new', 'top', 'rising', 'controversial'], default: 'hot' },
      t: { type: 'choice', values: PERIODS, help: 'How old at most.' },
    },
    request: (q) => listing(`/r/${q.params.subreddit}/${q.params.sort}`, q, { t: q.params.t }),
    parse,
  },

  details: {
    request: (item) => listing(`/comments/${item.id}`, { limit: 1 }),
    parse: (res) => post(res)[0],
  },

  // `r:pics`, `user:anna`, `share:pics/Xy1` and `share:user/anna/Xy1`; `saved:me` and `upvoted:me` are those of whoever is
  // logged in.
  *collection({ id }, q) {
    const [kind, name] = id.split(/:(.*)/s);
    if (kind === 'share') return { items: post(yield listing(yield* shared(name), { limit: 1 })), next: null };
    if (kind === 'saved' || kind === 'upvoted') {
      const user = name === 'me' ? q.cursor?.user ?? (yield* ownName()) : name;
      const page = parse(yield listing(`/user/${user}/${kind}`, { limit: q.limit, cursor: q.cursor?.after }));
      return { ...page, next: page.next && { user, after: page.next } };
    }
    return parse(yield listing(kind === 'user' ? `/user/${name}/submitted` : `/r/${name}/new`, q));
  },

  match: [
    {
      pattern: [
        ...pages('/r/*/comments/{id}', '/user/*/comments/{id}', '/comments/{id}').flatMap((page) => (
          [page, `${page}/*`, `${page}/*/*`])),
        ...pages('/gallery/{id}'), 'https://redd.it/{id}', 'post:{id}',
      ],
      item: { id: '{id}' },
    },
    ...lists('share:{name}/{code}', pages('/r/{name}/s/{code}')),
    ...lists('share:user/{name}/{code}', pages('/user/{name}/s/{code}', '/u/{name}/s/{code}')),
    ...lists('r:{name}', pages('/r/{name}', ...['hot', 'new', 'top', 'rising'].map((sort) => `/r/{name}/${sort}`))),
    ...['saved', 'upvoted'].flatMap((kind) => lists(`${kind}:{name}`, pages(`/user/{name}/${kind}`, `/u/{name}/${kind}`))),
    ...lists('user:{name}', pages('/user/{name}', '/u/{name}', '/user/{name}/submitted', '/u/{name}/submitted')),
  ],
};

/** Addresses on the site, and on its older and newer forms: old.reddit.com. @param {string[]} paths */
function pages(...paths) {
  return paths.flatMap((path) => [`${SITE}${path}`, `https://*.reddit.com${path}`]);
}

/** What leads to a list. @param {string} id @param {string[]} addresses @returns {import('imgscript').Match[]} */
function lists(id, addresses) {
  return [{ pattern: [...addresses, id], item: { id, type: 'collection' } }];
}

/** The name of whoever is logged in; an application has none. */
function* ownName() {
  const { json } = yield { url: '/api/v1/me' };
  return json.name ?? fail('auth', 'Reddit knows no user; what is saved is shown after a login.');
}

/** Where a short address to share leads. @param {string} name */
function* shared(name) {
  const [, kind = 'r', place, code] = /^(?:(user)\/)?([^/]+)\/([^/]+)$/.exec(name)
    ?? fail('unsupported', `"${name}" is no address to share (expected COMMUNITY/CODE).`);
  const url = `${SITE}/${kind}/${place}/s/${code}`;
  const res = yield { url, accept: 'text', auth: false, allowStatus: [301, 302, 403] };
  const [, path] = /(\/comments\/\w+)/.exec(`${res.headers.location ?? ''} ${res.url}`) ?? [];
  if (!path && res.status === 403) fail('blocked', `Reddit does not say where ${url} leads; open it in a browser.`);
  return path ?? fail('notFound', `${url} leads to no post.`);
}

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
