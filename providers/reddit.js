const { fail, parseDate } = require('imgscript');

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
  limits: { pageSize: { max: 100, default: 25 }, reachable: 1000, text: { max: 512 }, rate: ['100/60s'],
    reset: { header: 'x-ratelimit-reset', unit: 'seconds' } },
  terms: { url: 'https://redditinc.com/policies/data-api-terms', license: 'Of those who posted, not stated',
    attribution: '“{title}” by {author.name} on Reddit' },
  paging: 'cursor',

  search: {
    params: {
      subreddit: { type: 'string', help: 'Only this community: itookapicture; several with “+”.' },
      sort: { type: 'choice', values: ['relevance', 'hot', 'top', 'new', 'comments'] },
      t: { type: 'choice', values: PERIODS, help: 'How old at most.' },
    },
    request: ({ text: words, params: { subreddit: name, ...params }, ...q }) => (
      listing(name ? `/r/${name}/search` : '/search', q, { q: words, restrict_sr: name && true, ...params })),
    parse,
  },

  feed: {
    params: {
      subreddit: { type: 'string', default: 'pics', help: 'The community; several with “+”: pics+EarthPorn.' },
      sort: { type: 'choice', values: ['hot', 'new', 'top', 'rising', 'controversial'], default: 'hot' },
      t: { type: 'choice', values: PERIODS, help: 'How old at most.' },
    },
    request: ({ params: { subreddit, sort, t }, ...q }) => listing(`/r/${subreddit}/${sort}`, q, { t }),
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
  match: Object.entries({
    'https://www.reddit.com/r/*/comments/{id}/*': 'post:{id}', 'https://www.reddit.com/gallery/{id}': 'post:{id}',
    'https://www.reddit.com/r/{name}': 'r:{name}', 'https://www.reddit.com/user/{name}': 'user:{name}',
    'post:{id}': 'post:{id}', 'r:{name}': 'r:{name}', 'user:{name}': 'user:{name}',
  }).map(([pattern, id]) => ({ pattern, item: { id, type: /** @type {const} */ ('collection') } })),
};

/** @param {string} url @param {{ limit: number, cursor?: any }} q @param {Record<string, any>} [query] */
function listing(url, { limit, cursor }, query) {
  return { url, query: { ...query, limit, after: cursor, raw_json: 1 } }; // else URLs come with `&amp;`
}

function parse(/** @type {import('imgscript').Response} */ { json: { data: { children, after } } }) {
  return { items: children.flatMap(images), next: after };
}

/** A post comes as a list of one, followed by its comments. @param {import('imgscript').Response} res */
function post({ json: [{ data: { children } }] }) {
  const found = children.flatMap(images);
  return found.length ? found : fail('notFound', 'The post has no image.');
}

/** The images of a post: one, the pictures of a gallery, or none. @param {any} child */
function images({ data: post }) {
  const { gallery_data, media_metadata, preview, post_hint, ...shown } = post.crosspost_parent_list?.[0] ?? post;
  if (gallery_data) {
    return gallery_data.items.flatMap((/** @type {any} */ { media_id: id, caption }) => {
      const { status, m: type, s: full, p: smaller } = media_metadata?.[id] ?? {}; // withheld where the post is gone
      return status === 'valid' ? [image(post, `${post.id}-${id}`, caption, [
        { ...file(full), role: 'original', format: type.replace(/^image\/(jpg)?/, (_, jpg) => (jpg ? 'jpeg' : '')) },
        ...smaller.map(file).reverse(),
      ])] : [];
    });
  }
  if (post_hint !== 'image') return [];
  const { source, resolutions } = preview?.images[0] ?? {};
  const previews = source ? [...resolutions, source].map(file).reverse() : [];
  const url = shown.url_overridden_by_dest ?? shown.url;
  return [image(post, post.id, null, [{ role: 'original', url }, ...previews])];
}

/** @param {any} size A preview's, or a gallery's, where the names are short. @returns {import('imgscript').Media} */
function file({ u, gif, x, y, url = u ?? gif, width = x, height = y }) {
  const role = width > 900 ? 'large' : width > 500 ? 'regular' : width > 200 ? 'small' : 'thumbnail';
  return { role, url, width, height };
}

/** @param {any} post @param {string} id @param {string | null} caption @param {import('imgscript').Media[]} media */
function image(post, id, caption, media) {
  const { author, link_flair_text: flair, subreddit, domain, upvote_ratio, spoiler, is_original_content } = post;
  return /** @type {import('imgscript').Item} */ ({
    id, type: 'image', title: post.title,
    description: caption || post.selftext || null, page: `https://www.reddit.com${post.permalink}`,
    tags: flair ? [flair] : [],
    author: author === '[deleted]' ? null : { name: author, url: encodeURI(`https://www.reddit.com/user/${author}`) },
    created: parseDate(post.created_utc),
    stats: { score: post.score, likes: post.ups, comments: post.num_comments },
    media,
    rating: post.over_18 ? 'sensitive' : 'safe',
    extra: { subreddit, domain, upvote_ratio, spoiler, is_original_content },
  });
}
