const { fail, parseDate } = require('imgscript');

/** @type {Record<number, Parameters<typeof fail>[0]>} */
const FAILURES = { 401: 'auth', 403: 'auth', 404: 'notFound', 429: 'rate' };
const PERIODS = ['day', 'week', 'month', 'year', 'all'];
/** @type {[import('imgscript').Media['role'], string, number][]} Suffixes of the file's name; shapes stay. */
const SIZES = [['large', 'h', 1024], ['regular', 'l', 640], ['small', 'm', 320], ['thumbnail', 't', 160]];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'imgur',
  name: 'Imgur',
  version: '1.0.0',
  homepage: 'https://imgur.com/',
  summary: 'Images, albums and animations that people share; no new keys are given.',
  base: 'https://api.imgur.com',
  hosts: ['api.imgur.com'],
  mediaHosts: ['i.imgur.com'],
  auth: { type: 'header', name: 'Authorization', template: 'Client-ID {key}', help: 'https://apidocs.imgur.com/' },
  limits: { pageSize: { min: 60, max: 60, default: 60 }, rate: ['12500/1d'],
    reset: { header: 'x-ratelimit-userreset', unit: 'unix' } },
  terms: { url: 'https://imgur.com/tos', license: 'Of those who posted, not stated',
    attribution: '“{title}” by {author.name} on Imgur' },
  paging: 'page0',

  // The status stands inside the answer too.
  check: (res) => {
    const { success, status, data } = /** @type {any} */ (/^\s*\{/.test(res.text) ? res.json : {});
    if (success === false) fail(FAILURES[status] ?? 'unsupported', data.error?.message ?? data.error ?? `${status}`);
  },

  search: {
    params: {
      sort: { type: 'choice', values: ['time', 'viral', 'top'], default: 'time' },
      window: { type: 'choice', values: PERIODS, default: 'all', help: 'Of the top.' },
      q_type: { type: 'choice', values: ['jpg', 'png', 'gif', 'anigif', 'album'] },
      q_size_px: { type: 'choice', values: ['small', 'med', 'big', 'lrg', 'huge'], help: 'Of the image.' },
    },
    request: ({ text, page, params: { sort, window, ...params } }) => (
      { url: `/3/gallery/search/${sort}/${window}/${page}`, query: { q: text, ...params } }),
    parse,
  },

  feed: {
    params: {
      section: { type: 'choice', values: ['hot', 'top', 'user'], default: 'hot' },
      sort: { type: 'choice', values: ['viral', 'top', 'time', 'rising'], default: 'viral' },
      window: { type: 'choice', values: PERIODS, default: 'day', help: 'Of the top.' },
    },
    request: ({ page, params }) => (
      { url: `/3/gallery/${params.section}/${params.sort}/${params.window}/${page}` }),
    parse,
  },

  details: {
    request: (item) => ({ url: `/3/image/${item.id}` }),
    parse: (res) => image(res.json.data),
  },

  collection: {
    request: (item, q) => {
      const [kind, name] = item.id.split(':');
      return { url: kind === 'user' ? `/3/account/${name}/submissions/${q.page}` : `/3/album/${name}/images` };
    },
    parse: (res, item) => ({ ...parse(res), ...(item.id.startsWith('album:') ? { next: null } : {}) }),
  },

  match: Object.entries({
    'https://imgur.com/gallery/{slug}-{id}': 'album:{id}', 'https://imgur.com/gallery/{id}': 'album:{id}',
    'https://imgur.com/a/{slug}-{id}': 'album:{id}', 'https://imgur.com/a/{id}': 'album:{id}',
    'https://imgur.com/user/{name}': 'user:{name}', 'https://i.imgur.com/{id}.{format}': '{id}',
    'https://imgur.com/{id}': '{id}', 'album:{id}': 'album:{id}', 'user:{name}': 'user:{name}',
  }).map(([pattern, id]) => ({ pattern, item: { id, type: id.includes(':') ? 'collection' : 'image' } })),
};

/** @param {import('imgscript').Response} res */
function parse({ json: { data } }) {
  return { items: data.filter((/** @type {any} */ { is_ad }) => !is_ad).map(post) };
}

/** An album comes with three of its pictures at most; one with a single picture is that picture. @param {any} entry */
function post(entry) {
  const { is_album, images_count, images = [], cover } = entry;
  if (!is_album) return image(entry);
  const album = image(entry, images.find((/** @type {any} */ { id }) => id === cover) ?? images[0] ?? {});
  return images_count === 1 ? album : { ...album, id: `album:${entry.id}`, type: /** @type {const} */ ('collection') };
}

/** @param {any} entry @param {any} file @returns {import('imgscript').Item} */
function image(entry, file = entry) {
  const { title, description, account_url: user, account_id, link, nsfw, tags } = entry;
  return {
    id: file.id,
    type: 'image',
    title,
    description,
    page: entry.is_album ? link : `https://imgur.com/${file.id}`,
    tags: tags?.map((/** @type {any} */ tag) => tag.display_name),
    author: user ? { name: user, id: account_id && String(account_id), url: `https://imgur.com/user/${user}` } : null,
    created: parseDate(entry.datetime),
    stats: { views: entry.views, likes: entry.ups, downvotes: entry.downs, score: entry.score ?? entry.points,
      comments: entry.comment_count, favorites: entry.favorite_count },
    media: file.link ? media(file) : [],
    rating: nsfw == null ? null : nsfw ? 'sensitive' : 'safe',
    extra: { section: entry.section, topic: entry.topic, animated: file.animated, mp4: file.mp4,
      images_count: entry.images_count },
  };
}

/** The link may be to a smaller form, or to a film. @param {any} file @returns {import('imgscript').Media[]} */
function media({ id, link, type, width, height, size: bytes }) {
  const stem = `https://i.imgur.com/${id}`;
  const smaller = SIZES.filter(([, , most]) => most < Math.max(width, height)).map(([role, suffix, most]) => {
    const scale = most / Math.max(width, height);
    return { role, url: `${stem}${suffix}.jpg`, width: Math.round(width * scale), height: Math.round(height * scale) };
  });
  const original = { url: stem + /\.\w+$/.exec(link)?.[0], width, height, bytes, format: type.replace('image/', '') };
  return type.startsWith('image/') ? [{ role: /** @type {const} */ ('original'), ...original }, ...smaller] : smaller;
}
