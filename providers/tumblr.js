const { fail, fileFormat, parseDate, plainText } = require('imgscript');
const { chosen, include, inTurn } = require('./lists-theme');

const SITE = 'https://www.tumblr.com';
/** What a blog has: its posts, and what it likes, where it shows that. */
const LISTS = ['gallery', 'favorites'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'tumblr',
  name: 'Tumblr',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Images in posts with a tag, and in those of a blog.',
  category: 'web',
  base: 'https://api.tumblr.com',
  hosts: ['api.tumblr.com'],
  mediaHosts: ['*.tumblr.com'],
  auth: [
    // Own likes, the dashboard and private blogs: https://github.com/tumblr/docs/blob/master/api.md#oauth2
    {
      type: 'oauth2', token: 'https://api.tumblr.com/v2/oauth2/token', authorize: `${SITE}/oauth2/authorize`,
      scope: 'basic offline_access', help: `${SITE}/oauth/apps`,
    },
    { type: 'query', name: 'api_key', help: `${SITE}/oauth/apps` },
  ],
  limits: { pageSize: { max: 20, default: 20 }, rate: ['300/1m', '1000/1h', '5000/1d'] },
  terms: {
    url: `${SITE}/docs/en/api_agreement`,
    license: 'Of their authors, not stated',
    attribution: '{author.name} on Tumblr, {page}',
  },
  paging: 'cursor',

  // {"meta":{"status":401,"msg":"Unauthorized"},"response":[],"errors":[{"title":…,"detail":…}]}
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { meta, errors } = res.json;
    fail(res.status, errors?.[0]?.detail ?? meta?.msg ?? `Tumblr answered with status ${res.status}.`);
  },

  // Text is one tag, with its spaces.
  search: {
    newestFirst: true,
    request: (q) => tagged(q.text.replace(/^#/, ''), q),
    parse: (res, q) => listed(res.json.response, q),
  },

  details: {
    request: (item) => {
      const [blog, id] = item.id.split('/');
      return { url: posts(blog), query: { id, npf: true } };
    },
    parse: (res, item) => {
      const found = res.json.response.posts.flatMap(images);
      return found.find((image) => image.id === item.id) ?? found[0] ?? fail('notFound', 'The post has no image.');
    },
  },

  // `blog:anna`, `tag:red fox`, `post:anna/123`, `likes:anna`; `likes:me` and `dashboard:me` for whoever is logged in.
  collection: {
    params: {
      ...include(LISTS),
      tag: { type: 'string', help: 'Of a blog: only posts with this tag.' },
      reblogs: { type: 'boolean', help: 'Of a blog: posts of others that it passes on, too.' },
    },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind !== 'blog') return parts(yield part(kind, name, q), kind, q);
      return yield* inTurn(chosen(q, LISTS), q, function* list(which, page) {
        const of = which === 'gallery' ? 'blog' : 'likes';
        return parts(yield part(of, name, page), of, page);
      });
    },
  },

  match: [
    {
      pattern: [`${SITE}/liked/by/{blog}`, `${SITE}/{blog}/likes`, 'likes:{blog}'],
      item: { id: 'likes:{blog}', type: 'collection' },
    },
    { pattern: `${SITE}/likes`, item: { id: 'likes:me', type: 'collection' } },
    { pattern: [`${SITE}/dashboard`, 'dashboard:me'], item: { id: 'dashboard:me', type: 'collection' } },
    { pattern: [`${SITE}/tagged/{tag}`, 'tag:{tag}'], item: { id: 'tag:{tag}', type: 'collection' } },
    {
      pattern: [`${SITE}/{blog}/{id}`, `${SITE}/{blog}/{id}/*`, `${SITE}/blog/view/{blog}/{id}`],
      item: { id: '{blog}/{id}' },
    },
    { pattern: 'post:{blog}/{id}', item: { id: 'post:{blog}/{id}', type: 'collection' } },
    {
      pattern: [`${SITE}/{blog}`, `${SITE}/blog/view/{blog}`, 'blog:{blog}'],
      item: { id: 'blog:{blog}', type: 'collection' },
    },
  ],
};

/** @param {string} blog its name, or its own domain */
function posts(blog) {
  return `/v2/blog/${encodeURIComponent(blog.includes('.') ? blog : `${blog}.tumblr.com`)}/posts`;
}

/** @param {string} kind @param {string} name @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function part(kind, name, q) {
  if (kind === 'tag') return tagged(name, q);
  if (kind === 'dashboard') return { url: '/v2/user/dashboard', query: { limit: q.limit, offset: q.cursor, npf: true } };
  if (kind === 'likes') {
    const url = name === 'me' ? '/v2/user/likes' : posts(name).replace(/posts$/, 'likes');
    return { url, query: { limit: q.limit, before: q.cursor, npf: true } };
  }
  const [blog, id] = name.split('/');
  if (kind === 'post') return { url: posts(blog), query: { id, npf: true } };
  return { url: posts(blog), query: { tag: q.params.tag, limit: q.limit, before: q.cursor, npf: true } };
}

/** @param {import('imgscript').Response} res @param {string} kind @param {import('imgscript').Query} q */
function parts({ json: { response } }, kind, q) {
  if (kind === 'tag') return listed(response, q);
  if (kind === 'likes') return liked(response.liked_posts, q);
  if (kind === 'dashboard') {
    const found = response.posts;
    return { items: found.flatMap(images), next: found.length < q.limit ? null : (q.cursor ?? 0) + found.length };
  }
  if (kind === 'post') return { items: response.posts.flatMap(images), next: null };
  const isOwn = (/** @type {any} */ post) => q.params.reblogs || !post.trail?.length;
  return { ...listed(response.posts, q), items: response.posts.filter(isOwn).flatMap(images) };
}

/** @param {string} tag @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function tagged(tag, q) {
  return { url: '/v2/tagged', query: { tag, limit: q.limit, before: q.cursor, npf: true } };
}

/** The next page is what lies before the last post. @param {any[]} found @param {import('imgscript').Query} q */
function listed(found, q) {
  const last = found.at(-1);
  const before = last && (last.featured_timestamp ?? last.timestamp);
  return { items: found.flatMap(images), next: before && !(before >= q.cursor) ? before : null };
}

/** What is liked is in the order in which it was. @param {any[]} found @param {import('imgscript').Query} q */
function liked(found, q) {
  const before = found.at(-1)?.liked_timestamp;
  return { items: found.flatMap(images), next: before && !(before >= q.cursor) ? before : null };
}

/**
 * A post has any number of images; of a post that is passed on they lie in the trail. Its number is too large for
 * JavaScript, so the text is read.
 * @returns {import('imgscript').Item[]}
 */
function images(post) {
  const { id_string, blog_name, post_url, timestamp, tags, note_count, summary, type } = post;
  return blocks(post).map(({ block, by }, place) => ({
    id: id_string && blog_name && `${blog_name}/${id_string}/${place + 1}`,
    type: 'image',
    title: block.alt_text || block.caption || null,
    description: plainText(summary),
    page: post_url,
    tags,
    author: by ? { name: by, id: by, url: `${SITE}/${by}` } : null,
    created: parseDate(timestamp),
    stats: { notes: note_count },
    colors: Object.values(block.colors ?? {}).filter((code) => /^[0-9a-f]{6}$/i.test(code)).map((code) => `#${code}`),
    media: files(block.media),
    rating: post.blog?.is_nsfw ? 'sensitive' : null,
    extra: { blog: blog_name, post_type: type, source_url: post.source_url, reblog_of: post.parent_post_url },
  }));
}

/** Old answers have `photos`, newer ones blocks. @returns {{ block: any, by: string }[]} */
function blocks({ blog_name, content, trail = [], photos = [] }) {
  if (!content) {
    return photos.map(({ original_size, alt_sizes, caption }) => (
      { block: { caption, media: [original_size, ...alt_sizes].filter(Boolean) }, by: blog_name }));
  }
  const parts = [...trail, { content, blog: { name: blog_name } }];
  return parts.flatMap(({ content: part, blog, broken_blog_name }) => part
    .filter((block) => block.type === 'image')
    .map((block) => ({ block, by: blog?.name ?? broken_blog_name ?? blog_name })));
}

/** All sizes of one image, the largest first. @param {any[]} media @returns {import('imgscript').Media[]} */
function files(media) {
  const sizes = media.filter((file, place) => !file.cropped && !/_75sq\.\w+$/.test(file.url)
    && media.findIndex((other) => other.url === file.url) === place).sort((a, b) => b.width - a.width);
  return sizes.map(({ url, width, height, type }, place) => ({
    role: place === 0 ? 'original' : roleOf(width),
    url,
    width,
    height,
    format: fileFormat(type) ?? fileFormat(url),
  }));
}

/** @param {number} width @returns {import('imgscript').Media['role']} */
function roleOf(width) {
  if (width >= 1000) return 'large';
  return width >= 500 ? 'regular' : width >= 250 ? 'small' : 'thumbnail';
}
