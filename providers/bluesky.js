const { fail, fit, parseDate } = require('imgscript');
const { chosen, include, inTurn } = require('./lists-theme');

const SITE = 'https://bsky.app';
/** What an account has: posts with pictures, also replies, and what it likes. */
const LISTS = ['gallery', 'replies', 'favorites'];
// What Bluesky shows to people without an account.
const DISCOVER = 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot';
/** @type {Record<string, import('imgscript').Item['rating']>} Labels of a post, the gravest first. */
const RATINGS = { porn: 'explicit', sexual: 'questionable', nudity: 'sensitive', 'graphic-media': 'sensitive' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'bluesky',
  name: 'Bluesky',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Images in public posts of an account, a feed or a list; a search of all posts needs a token.',
  category: 'web',
  base: 'https://public.api.bsky.app',
  // What an account likes lies on the server that the directory names.
  hosts: ['public.api.bsky.app', 'api.bsky.app', 'plc.directory', 'bsky.social', '*.host.bsky.network'],
  mediaHosts: ['cdn.bsky.app'],
  // `accessJwt` of https://docs.bsky.app/docs/api/com-atproto-server-create-session, valid for some two hours.
  auth: { type: 'bearer', optional: true, help: 'https://docs.bsky.app/docs/api/com-atproto-server-create-session' },
  limits: {
    pageSize: { max: 100, default: 20 }, rate: ['3000/5m'], reset: { header: 'ratelimit-reset', unit: 'unix' },
  },
  terms: {
    url: 'https://bsky.social/about/support/tos',
    license: 'Of their authors, not stated',
    attribution: '{author.name}, {page}',
  },
  paging: 'cursor',

  check: (res) => {
    if (res.ok || res.status >= 500) return;
    if (res.status === 403 && res.url.includes('.searchPosts')) {
      fail('auth', 'A search needs a token; accounts, feeds and lists do not.');
    }
    if (!res.text.startsWith('{')) return;
    const { error, message = error } = res.json;
    if (/^(?:Blocked|BlockedBy)Actor$|Deactivated|Takedown|Suspended/.test(error)) fail('blocked', message);
    if (/AuthMissing|Token/.test(error)) fail('auth', message);
    if (/not found|could not (?:find|resolve)|unable to resolve/i.test(message)) fail('notFound', message);
    fail(error === 'RateLimitExceeded' ? 'rate' : res.status, message);
  },

  search: {
    newestFirst: { sort: ['latest'] },
    params: {
      sort: { type: 'choice', values: ['top', 'latest'], default: 'top' },
      author: { type: 'string', help: 'Only posts of this account: anna.bsky.social.' },
      tag: { type: 'list', help: 'Hashtags that must all be there.' },
      lang: { type: 'string', help: 'Only posts in this language: en, ja …' },
      domain: { type: 'string', help: 'Only posts that link to this site.' },
      since: { type: 'string', filter: 'since', help: 'Not older than this day: 2026-05-01.' },
      until: { type: 'string', filter: 'until', help: 'Older than this day.' },
    },
    request: (q) => ({
      url: 'https://api.bsky.app/xrpc/app.bsky.feed.searchPosts',
      query: { q: q.text, ...q.params, limit: q.limit, cursor: q.cursor },
      allowStatus: [403], // a page in HTML, which check explains
    }),
    parse: (res) => ({ items: images(res.json.posts), next: res.json.cursor ?? null }),
  },

  feed: {
    params: { feed: { type: 'string', help: 'Another feed than Discover: anna.bsky.social/birds.' } },
    *run(q) {
      return yield* posts(q, q.params.feed ? `feed:${q.params.feed}` : '');
    },
  },

  // `anna.bsky.social/3kabc`, perhaps with the number of the image; Bluesky itself names accounts `did:plc:…`.
  *details(item) {
    const [name, key, number] = item.id.split('/');
    const uris = `at://${yield* accountOf(name)}/app.bsky.feed.post/${key}`;
    const { json } = yield call('feed.getPosts', { uris });
    const found = images(json.posts);
    const asked = found.find((image) => String(image.id).endsWith(`/${number}`)) ?? found[0];
    return asked ?? fail('notFound', 'There is no such post, or it has no image.');
  },

  // `user:anna.bsky.social`, `feed:anna.bsky.social/birds`, and in the same way `list:` and `post:`.
  collection: {
    params: include(LISTS),
    *run(item, q) {
      if (item.id.startsWith('user:')) {
        return yield* inTurn(chosen(q, LISTS), q, (list, part) => (
          list === 'favorites' ? likes(item.id.slice('user:'.length), part) : posts(part, item.id, list)));
      }
      if (!item.id.startsWith('post:')) return yield* posts(q, item.id);
      const [name, key] = item.id.slice('post:'.length).split('/');
      const uris = `at://${yield* accountOf(name)}/app.bsky.feed.post/${key}`;
      return { items: images((yield call('feed.getPosts', { uris })).json.posts), next: null };
    },
  },

  match: [
    { pattern: `${SITE}/profile/{name}/post/{key}`, item: { id: '{name}/{key}' } },
    {
      pattern: [`${SITE}/profile/{name}/feed/{key}`, 'feed:{name}/{key}'],
      item: { id: 'feed:{name}/{key}', type: 'collection' },
    },
    {
      pattern: [`${SITE}/profile/{name}/lists/{key}`, 'list:{name}/{key}'],
      item: { id: 'list:{name}/{key}', type: 'collection' },
    },
    { pattern: 'post:{name}/{key}', item: { id: 'post:{name}/{key}', type: 'collection' } },
    { pattern: [`${SITE}/profile/{name}`, 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
  ],
};

/** @param {string} method @param {Record<string, any>} query @returns {import('imgscript').Request} */
function call(method, query) {
  return { url: `/xrpc/app.bsky.${method}`, query, auth: false };
}

/**
 * The id of an account, which a name such as `anna.bsky.social` stands for.
 * @param {string} name @returns {Generator<import('imgscript').Request, string, import('imgscript').Response>}
 */
function* accountOf(name) {
  const handle = name.replace(/^@/, '');
  if (handle.startsWith('did:')) return handle;
  const { did } = (yield {
    url: '/xrpc/com.atproto.identity.resolveHandle', query: { handle }, auth: false,
  }).json;
  return typeof did === 'string' ? did : fail('changed', 'The account came without its id.');
}

/**
 * A page of an account, a feed or a list. Once looked up, its address travels with the cursor.
 * @param {import('imgscript').Query} q @param {string} id @param {string} [list]
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* posts(q, id, list) {
  const [kind, name, key] = id.split(/:(.*)/s).flatMap((part, place) => (place === 1 ? part.split('/') : [part]));
  const page = { limit: q.limit, cursor: q.cursor?.after };
  const filter = list === 'replies' ? 'posts_with_replies' : 'posts_with_media';
  const account = q.cursor?.account ?? (kind ? yield* accountOf(name) : DISCOVER);
  const requests = {
    '': () => call('feed.getFeed', { feed: account, ...page }),
    feed: () => call('feed.getFeed', { feed: `at://${account}/app.bsky.feed.generator/${key}`, ...page }),
    list: () => call('feed.getListFeed', { list: `at://${account}/app.bsky.graph.list/${key}`, ...page }),
    user: () => call('feed.getAuthorFeed', { actor: account, filter, ...page }),
  };
  const { json } = yield (requests[kind] ?? requests.user)();
  // What somebody passes on is another’s.
  const own = json.feed.filter((entry) => !entry.reason || kind !== 'user').map((entry) => entry.post);
  return { items: images(own), next: json.cursor ? { account, after: json.cursor } : null };
}

/**
 * What an account likes, which its own server keeps as a list of addresses; posts are asked for 25 at a time.
 * @param {string} name @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* likes(name, q) {
  const account = q.cursor?.account ?? (yield* accountOf(name));
  const server = q.cursor?.server ?? (yield* serverOf(account));
  const query = { repo: account, collection: 'app.bsky.feed.like', limit: Math.min(q.limit, 25), cursor: q.cursor?.after };
  const { records, cursor } = (yield { url: `${server}/xrpc/com.atproto.repo.listRecords`, query, auth: false }).json;
  const uris = records.map(({ value }) => value.subject.uri).filter((uri) => uri.includes('/app.bsky.feed.post/'));
  const items = uris.length ? images((yield call('feed.getPosts', { uris })).json.posts) : [];
  return { items, next: cursor && records.length ? { account, server, after: cursor } : null };
}

/**
 * The server that an account's data lie on.
 * @param {string} account @returns {Generator<import('imgscript').Request, string, import('imgscript').Response>}
 */
function* serverOf(account) {
  if (!account.startsWith('did:plc:')) fail('unsupported', 'The likes of this account lie on a server of its own.');
  const { service } = (yield { url: `https://plc.directory/${account}`, auth: false }).json;
  const { serviceEndpoint } = service.find(({ type }) => type === 'AtprotoPersonalDataServer') ?? {};
  if (typeof serviceEndpoint !== 'string') fail('changed', 'The account came without its server.');
  const { hostname } = new URL(serviceEndpoint);
  if (hostname === 'bsky.social' || hostname.endsWith('.host.bsky.network')) return serviceEndpoint;
  return fail('unsupported', `The likes of this account lie on ${hostname} (expected a server of Bluesky).`);
}

/** A feed may have a post twice. @param {any[]} found @returns {import('imgscript').Item[]} */
function images(found) {
  if (found.some((post) => typeof post.uri !== 'string')) fail('changed', 'A post without its address.');
  const once = found.filter((post, place) => found.findIndex((other) => other.uri === post.uri) === place);
  return once.flatMap((post) => filesOf(post.embed).map((file, place) => image(post, file, place + 1)));
}

/** Beside a quoted post the images lie one level below. @returns {any[]} */
function filesOf(embed) {
  const shown = embed?.$type.includes('recordWithMedia') ? embed.media : embed;
  if (shown?.$type.includes('embed.gallery')) return shown.items.filter((file) => file.fullsize);
  return shown?.$type.includes('embed.images') ? shown.images : []; // links and films are no images
}

/** @param {any} post @param {any} file @param {number} number @returns {import('imgscript').Item} */
function image(post, { fullsize, thumb, thumbnail = thumb, alt, aspectRatio }, number) {
  const { uri, cid, author, record, labels = [] } = post;
  const [, did, key] = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/.exec(uri) ?? fail('changed', `${uri} is no post.`);
  const name = author.handle && author.handle !== 'handle.invalid' ? author.handle : did;
  const facets = (record.facets ?? []).flatMap((facet) => facet.features.map((feature) => feature.tag));
  const marks = labels.map((label) => label.val);
  // Some posts give 16 and 9 in place of pixels.
  const size = aspectRatio?.width > 100 ? fit(aspectRatio, { width: 2000, height: 2000 }) : {};
  return {
    id: `${did}/${key}/${number}`,
    type: 'image',
    title: alt || null,
    description: record.text || null,
    page: `${SITE}/profile/${name}/post/${key}`,
    tags: [...(record.tags ?? []), ...facets].filter(Boolean),
    author: { name: author.displayName || name, id: name, url: `${SITE}/profile/${name}` },
    created: parseDate(record.createdAt),
    stats: { likes: post.likeCount, reposts: post.repostCount, replies: post.replyCount, quotes: post.quoteCount },
    media: [
      { role: 'original', url: fullsize, ...size },
      { role: 'thumbnail', url: thumbnail },
    ],
    rating: Object.entries(RATINGS).find(([mark]) => marks.includes(mark))?.[1],
    extra: { did, uri, cid, langs: record.langs, labels: marks, indexedAt: post.indexedAt },
  };
}
