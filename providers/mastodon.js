const { fail, plainText } = require('imgscript');
const { chosen, include, inTurn } = require('./lists-theme');

/** What an account has; the second and third are its owner's alone: `user:me`. */
const LISTS = ['gallery', 'favorites', 'bookmarks'];

/** @type {Record<string, import('imgscript').Parameter>} */
const WHERE = {
  local: { type: 'boolean', help: 'Only what was posted on this server.' },
  remote: { type: 'boolean', help: 'Only what was posted elsewhere.' },
};

/** @type {Record<string, 'image' | 'video'>} Attachments that are shown; a `gifv` is a film without sound. */
const KINDS = { image: 'image', gifv: 'video', video: 'video' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'mastodon',
  name: 'Mastodon',
  version: '1.1.0',
  homepage: 'https://joinmastodon.org/',
  summary: 'Images in public posts with a hashtag, of an account, or of everybody, as one Mastodon server knows them.',
  category: 'web',
  instance: { default: 'https://mastodon.social', help: 'A Mastodon server.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'], // each server has its own, and shows files of others
  auth: { type: 'bearer', optional: true, help: 'https://docs.joinmastodon.org/client/token/' },
  limits: {
    pageSize: { max: 40 }, rate: ['300/5m'], reset: { header: 'x-ratelimit-reset', unit: 'iso' },
  },
  terms: { url: 'https://mastodon.social/terms-of-service', license: 'Of their authors, not stated',
    attribution: '{author.name}, {page}' },
  paging: 'cursor',

  check: (res) => {
    // 401 since version 4.5.
    const isTimeline = res.url.includes('/timelines/');
    if (res.status === 422 || (res.status === 401 && isTimeline && !/invalid|revoked|expired/i.test(res.text))) {
      fail('auth', 'This server shows its timelines to its own users only; it wants a token.');
    }
  },

  search: {
    newestFirst: true,
    params: {
      ...WHERE,
      any: { type: 'list', help: 'Other hashtags that will do as well.' },
      all: { type: 'list', help: 'Other hashtags that must be there too.' },
      none: { type: 'list', filter: 'exclude-tag', help: 'Hashtags that must not be there.' },
    },
    request: (q) => tagged(q.text, q),
    parse: page,
  },

  feed: {
    newestFirst: { list: ['public'] },
    params: {
      list: { type: 'choice', values: ['public', 'trends'], default: 'public', help: 'All; what is popular.' },
      ...WHERE,
    },
    request: (q) => {
      const { list, ...where } = q.params;
      if (list === 'trends') return { url: '/api/v1/trends/statuses', query: { limit: q.limit, offset: q.cursor } };
      return { url: '/api/v1/timelines/public', query: { ...timeline(q), ...where } };
    },
    parse: page,
  },

  details: {
    request: (item) => ({ url: `/api/v1/statuses/${encodeURIComponent(item.id.split('-')[0])}` }),
    parse: (res, item) => {
      const found = images(res.json);
      return found.find((image) => image.id === item.id) ?? found[0] ?? fail('notFound', 'The post has no image.');
    },
  },

  // `user:anna`, `user:anna@example.org`, `tag:cat`, or `post:123`: all images of one post; `user:me` with a token.
  collection: {
    params: { ...include(LISTS), replies: { type: 'boolean', help: 'Images in replies too.' } },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const post = `/api/v1/statuses/${encodeURIComponent(name)}`;
      if (kind === 'post') return { items: images((yield { url: post }).json), next: null };
      if (kind === 'tag') return page(yield tagged(name, { ...q, params: {} }));
      return yield* inTurn(chosen(q, LISTS), q, function* list(which, part) {
        if (which === 'gallery') return yield* posted(name, part);
        if (name !== 'me') fail('auth', `A server shows ${which} to their owner only (expected user:me, with a token).`);
        const path = which === 'favorites' ? 'favourites' : 'bookmarks';
        return page(yield { url: `/api/v1/${path}`, query: { limit: q.limit, max_id: part.cursor } });
      });
    },
  },

  match: [
    {
      pattern: [...['', '/media', '/with_replies', '/featured'].map((tab) => `{instance}/@{name}${tab}`), 'user:{name}'],
      item: { id: 'user:{name}', type: 'collection' },
    },
    { pattern: ['{instance}/tags/{name}', 'tag:{name}'], item: { id: 'tag:{name}', type: 'collection' } },
    { pattern: '{instance}/@{name}/{id}', item: { id: '{id}' } },
    { pattern: 'post:{id}', item: { id: 'post:{id}', type: 'collection' } },
  ],
};

/**
 * What an account posts. Once looked up, its number travels with the cursor.
 * @param {string} name @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* posted(name, q) {
  const lookup = name === 'me' ? { url: '/api/v1/accounts/verify_credentials' }
    : { url: '/api/v1/accounts/lookup', query: { acct: name.replace(/^@/, '') } };
  const account = q.cursor?.account ?? (yield lookup).json.id;
  if (typeof account !== 'string') fail('changed', 'The server gave an account without its number.');
  const less = { exclude_reblogs: true, exclude_replies: !q.params.replies };
  const query = { ...timeline(q), max_id: q.cursor?.before, ...less };
  const { items, next } = page(yield { url: `/api/v1/accounts/${account}/statuses`, query });
  return { items, next: next && { account, before: next } };
}

/** @param {import('imgscript').Query} q */
function timeline(q) {
  return { only_media: true, limit: q.limit, max_id: q.cursor };
}

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function tagged(text, q) {
  const { any, all, none, ...where } = q.params;
  const tag = encodeURIComponent(text.replace(/^#|\s+/g, '')); // a hashtag is one word
  const query = { ...timeline(q), ...where, 'any[]': any, 'all[]': all, 'none[]': none };
  return { url: `/api/v1/timelines/tag/${tag}`, query };
}

/** The next page stands in the `Link` header; trends have an offset. @param {import('imgscript').Response} res */
function page(res) {
  const next = res.links.next && new URL(res.links.next).searchParams;
  const isTrends = res.url.includes('/trends/');
  return { items: res.json.flatMap(images), next: next?.get(isTrends ? 'offset' : 'max_id') || null };
}

/** A post has any number of images, and a boost those of the post it repeats. @returns {import('imgscript').Item[]} */
function images(post) {
  const status = post.reblog ?? post;
  const { id, account, language, visibility, edited_at, card } = status;
  const files = status.media_attachments.filter((file) => KINDS[file.type]);
  return files.map(({ id: number, type, description, url, preview_url, remote_url, meta, blurhash }) => ({
    id: id && number && `${id}-${number}`,
    type: KINDS[type],
    title: description,
    description: [status.spoiler_text, plainText(status.content)].filter((text) => text?.length).join('\n') || null,
    page: status.url ?? status.uri,
    tags: status.tags.map((tag) => tag.name),
    author: { name: account.display_name || account.acct, id: account.acct, url: account.url },
    created: status.created_at,
    stats: { boosts: status.reblogs_count, likes: status.favourites_count, replies: status.replies_count },
    media: [
      { role: 'original', type: KINDS[type], url: url ?? remote_url, width: meta?.original?.width, height: meta?.original?.height },
      { role: 'small', url: preview_url, width: meta?.small?.width, height: meta?.small?.height },
    ].filter((file) => file.url),
    rating: status.sensitive ? 'sensitive' : null,
    extra: { language, visibility, edited_at, card, remote_url, blurhash, focus: meta?.focus, bot: account.bot },
  }));
}
