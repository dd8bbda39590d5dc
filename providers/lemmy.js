const { fail, fileFormat } = require('imgscript');

const API = '/api/v3';
/** @type {Record<string, import('imgscript').Parameter>} */
const SCOPE = {
  type_: { type: 'choice', values: ['All', 'Local'], default: 'All', help: 'Or only communities of this server.' },
};
const SORTS = ['Active', 'Hot', 'New', 'Scaled', 'Controversial', 'MostComments', 'TopDay', 'TopWeek', 'TopMonth',
  'TopYear', 'TopAll'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'lemmy',
  name: 'Lemmy',
  version: '1.0.0',
  homepage: 'https://join-lemmy.org/',
  summary: 'Images in posts of communities, as one Lemmy server knows them.',
  category: 'web',
  instance: { default: 'https://lemmy.world', help: 'A Lemmy server.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'], // each server has its own, and shows files of others
  auth: { type: 'bearer', optional: true, help: 'https://join-lemmy.org/docs/contributors/04-api.html' },
  limits: { pageSize: { max: 50, default: 20 }, rate: ['1/1s'] },
  terms: {
    url: 'https://legal.lemmy.world/tos/', license: 'Of their authors, not stated', attribution: '{author.name}, {page}',
  },
  paging: 'cursor',

  // {"error":"couldnt_find_post"}, in older versions with status 400.
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const error = String(res.json.error ?? res.json.message ?? `status ${res.status}`);
    if (/^couldnt_find|not_found/.test(error)) fail('notFound', `The server says: ${error}.`);
    if (/rate_limit|too_many/.test(error)) fail('rate', `The server says: ${error}.`);
    if (/not_logged_in|instance_is_private|incorrect_login/.test(error)) fail('auth', `The server says: ${error}.`);
    fail(res.status, `The server says: ${error}.`);
  },

  search: {
    newestFirst: { sort: ['New'] },
    params: {
      sort: { type: 'choice', values: SORTS, default: 'TopAll' },
      community: { type: 'string', help: 'Only this community: pics@lemmy.world.' },
      ...SCOPE,
    },
    request: ({ text, limit, cursor, params: { sort, community, type_ } }) => ({
      url: `${API}/search`,
      query: {
        q: text, type_: 'Posts', sort, listing_type: type_, community_name: community, limit, page: cursor ?? 1,
      },
    }),
    parse: (res, q) => listed(res, res.json.posts.length < q.limit ? null : (q.cursor ?? 1) + 1),
  },

  feed: {
    newestFirst: { sort: ['New'] },
    params: { sort: { type: 'choice', values: SORTS, default: 'Hot' }, ...SCOPE },
    request: ({ limit, cursor, params }) => (
      { url: `${API}/post/list`, query: { ...params, limit, page_cursor: cursor } }),
    parse: (res) => listed(res, res.json.next_page ?? null),
  },

  details: {
    request: (item) => ({ url: `${API}/post`, query: { id: item.id } }),
    parse: (res) => {
      const found = image(res.json.post_view);
      return found.media.length ? found : fail('notFound', 'The post has no image.');
    },
  },

  // `community:pics`, `community:pics@lemmy.ml`, `user:anna`, `user:anna@lemmy.ml`.
  collection: {
    newestFirst: { sort: ['New'] },
    params: { sort: { type: 'choice', values: SORTS, default: 'New' } },
    request: (item, { limit, cursor, params: { sort } }) => {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'user') return { url: `${API}/user`, query: { username: name, sort, limit, page: cursor ?? 1 } };
      return { url: `${API}/post/list`, query: { community_name: name, sort, limit, page_cursor: cursor } };
    },
    parse: (res, item, q) => {
      if (!item.id.startsWith('user:')) return listed(res, res.json.next_page ?? null);
      return listed(res, res.json.posts.length < q.limit ? null : (q.cursor ?? 1) + 1);
    },
  },

  match: [
    { pattern: '{instance}/post/{id}', item: { id: '{id}' } },
    { pattern: ['{instance}/c/{name}', 'community:{name}'], item: { id: 'community:{name}', type: 'collection' } },
    { pattern: ['{instance}/u/{name}', 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
  ],
};

/** Most posts are links and texts. @param {import('imgscript').Response} res @param {any} next */
function listed(res, next) {
  return { items: res.json.posts.map(image).filter((item) => item.media.length), next };
}

/** @returns {import('imgscript').Item} */
function image(/** @type {any} */ { post, creator, community, counts, image_details: size }) {
  const { id, name, body, url, thumbnail_url, alt_text, ap_id, published, published_at, nsfw, language_id } = post;
  const host = (/** @type {any} */ { actor_id, ap_id: address }) => new URL(actor_id ?? address).hostname;
  const { score, upvotes, downvotes, comments } = counts ?? post;
  return {
    id,
    type: 'image',
    title: name,
    description: plain(body) || null,
    alt: alt_text,
    page: ap_id,
    tags: [community.name],
    author: {
      name: creator.display_name || creator.name,
      id: `${creator.name}@${host(creator)}`,
      url: creator.actor_id ?? creator.ap_id,
    },
    created: date(published ?? published_at),
    stats: { score, upvotes, downvotes, comments },
    media: files(post.removed || post.deleted ? null : url, thumbnail_url, size, body),
    rating: nsfw || community.nsfw ? 'sensitive' : null,
    extra: {
      community: `${community.name}@${host(community)}`, community_title: community.title, language_id,
      bot: creator.bot_account,
    },
  };
}

/**
 * The picture that the post links to, then those in its text.
 * @param {string | null} url @param {string | null} thumbnail @param {any} size @param {string | undefined} body
 * @returns {import('imgscript').Media[]}
 */
function files(url, thumbnail, size, body) {
  const shown = [...(body ?? '').matchAll(/!\[[^\]]*\]\(\s*<?([^\s)>]+)/g)].map(([, address]) => address);
  const addresses = [...new Set([isPicture(url, size) ? url : null, ...shown])]
    .filter((one) => URL.canParse(one ?? ''));
  return addresses.flatMap((address, index) => {
    /** @type {any} */
    const { width, height, content_type } = address === url && size?.link === url ? size : {};
    const file = index + 1;
    /** @type {import('imgscript').Media[]} */
    const media = [{
      role: 'original', url: address ?? '', file, width: width || null, height: height || null,
      format: fileFormat(address) ?? fileFormat(content_type),
    }];
    if (address === url && thumbnail && thumbnail !== url) media.push({ role: 'small', url: thumbnail, file });
    return media;
  });
}

/** @param {string | null} url @param {any} size */
function isPicture(url, size) {
  if (!url) return false;
  return /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(url) || /^image\//.test(size?.content_type ?? '');
}

/** The text of Markdown, without its pictures and marks. @param {string | undefined} text */
function plain(text) {
  return (text ?? '').replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^#+\s*|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gm, '').replace(/^[ \t]+|[ \t]+$/gm, '').trim();
}

/** Times of older versions lack their zone, which is UTC. @param {string | undefined} time */
function date(time) {
  if (!time) return null;
  const [, found, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(time) ?? [];
  return found ? `${found}${zone ?? 'Z'}` : null;
}
