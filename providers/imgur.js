const { fail, fileFormat, fit, parseDate } = require('imgscript');

const SITE = 'https://imgur.com';
const PERIODS = ['day', 'week', 'month', 'year', 'all'];
/** @type {[import('imgscript').Media['role'], string, number][]} Suffixes of the file's name, and their longer side. */
const SIZES = [['large', 'h', 1024], ['regular', 'l', 640], ['small', 'm', 320], ['thumbnail', 't', 160]];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'imgur',
  name: 'Imgur',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Images, albums and animations that people share; no new keys are given, and the United Kingdom is blocked.',
  category: 'web',
  base: 'https://api.imgur.com',
  hosts: ['api.imgur.com'],
  mediaHosts: ['i.imgur.com'],
  auth: { type: 'header', name: 'Authorization', template: 'Client-ID {key}', help: 'https://apidocs.imgur.com/' },
  limits: { pageSize: { min: 60, max: 60, default: 60 }, rate: ['12500/1d'],
    reset: { header: 'x-ratelimit-userreset', unit: 'unix' } },
  terms: { url: `${SITE}/tos`, license: 'Of those who posted, not stated',
    attribution: '“{title}” by {author.name} on Imgur' },
  paging: 'page0',

  // The status stands inside the answer too.
  check: (res) => {
    if (/\b(?:available|viewable|accessible) in your (?:region|country|location)|banned country/i.test(res.text)) {
      fail('blocked', 'Imgur does not serve this country, as since September 2025 the United Kingdom.');
    }
    if (/over capacity/i.test(res.text)) fail('rate', 'Imgur is over capacity, or refuses this network (its words are the same).');
    if (!/^\s*\{/.test(res.text)) return;
    const [error] = res.json.errors ?? [];
    if (error && !res.ok) fail(res.status, error.detail ?? error.status);
    if (res.json.success !== false) return;
    const { status, data } = res.json;
    if (status === 404 && res.url.endsWith('/images')) return; // a post of one image is no album
    fail(status ?? res.status, data?.error?.message ?? data?.error ?? `Imgur answers with ${status}`);
  },

  search: {
    newestFirst: { sort: ['time'] },
    params: {
      sort: { type: 'choice', values: ['time', 'viral', 'top'], default: 'time' },
      window: { type: 'choice', values: PERIODS, default: 'all', help: 'Of the top.' },
      q_type: { type: 'choice', values: ['jpg', 'png', 'gif', 'anigif', 'album'] },
      q_size_px: { type: 'choice', values: ['small', 'med', 'big', 'lrg', 'huge'], help: 'Of the image.' },
    },
    request: (q) => {
      const { sort, window, ...filters } = q.params;
      return { url: `/3/gallery/search/${sort}/${window}/${q.page}`, query: { q: q.text, ...filters } };
    },
    parse,
  },
  feed: {
    params: {
      section: { type: 'choice', values: ['hot', 'top', 'user'], default: 'hot' },
      sort: { type: 'choice', values: ['viral', 'top', 'time', 'rising'], default: 'viral' },
      window: { type: 'choice', values: PERIODS, default: 'day', help: 'Of the top.' },
    },
    request: ({ page, params }) => ({ url: `/3/gallery/${params.section}/${params.sort}/${params.window}/${page}` }),
    parse,
  },
  details: {
    request: (item) => ({ url: `/3/image/${item.id}` }),
    parse: (res) => image(res.json.data),
  },
  // `user:anna`, `album:Ab3`, and `gallery:Ab3`: an album, or a single image.
  *collection(item, q) {
    const [kind, name] = item.id.split(':');
    if (kind === 'user') return parse(yield { url: `/3/account/${name}/submissions/${q.page}` });
    const allowStatus = kind === 'gallery' ? [404] : [];
    const album = yield { url: `/3/album/${name}/images`, allowStatus };
    if (album.ok) return { ...parse(album), next: null };
    return { items: [image((yield { url: `/3/image/${name}` }).json.data)], next: null };
  },

  match: [
    {
      pattern: [`${SITE}/a/{slug}-{id}`, `${SITE}/a/{id}`, 'album:{id}'],
      item: { id: 'album:{id}', type: 'collection' },
    },
    {
      pattern: [...['gallery', 't/*', 'r/*'].flatMap((path) => [`${SITE}/${path}/{slug}-{id}`, `${SITE}/${path}/{id}`]),
        'gallery:{id}'],
      item: { id: 'gallery:{id}', type: 'collection' },
    },
    { pattern: [`${SITE}/user/{name}`, 'user:{name}'], item: { id: 'user:{name}', type: 'collection' } },
    { pattern: ['https://i.imgur.com/{id}.{format}', `${SITE}/{id}`], item: { id: '{id}' } },
  ],
};

/** @param {import('imgscript').Response} res */
function parse(res) {
  return { items: res.json.data.filter((entry) => !entry.is_ad).map(post) };
}

/** An album comes with three of its pictures at most; one with a single picture is that picture. */
function post(entry) {
  if (!entry.is_album) return image(entry);
  const { images = [] } = entry;
  const album = image(entry, images.find(({ id }) => id === entry.cover) ?? images[0] ?? {});
  return entry.images_count === 1 ? album : { ...album, id: `album:${entry.id}`, type: 'collection' };
}

/** What a post says, and its picture. @returns {import('imgscript').Item} */
function image(entry, file = entry) {
  const { title, description, account_url: user, account_id, nsfw, section, topic, images_count } = entry;
  return {
    id: file.id,
    type: file.type?.startsWith('video/') ? 'video' : 'image',
    title,
    description,
    page: entry.is_album ? entry.link : `${SITE}/${file.id}`,
    tags: entry.tags?.map((tag) => tag.display_name),
    author: user ? { name: user, id: account_id, url: `${SITE}/user/${user}` } : null,
    created: parseDate(entry.datetime),
    stats: { views: entry.views, likes: entry.ups, downvotes: entry.downs, score: entry.score ?? entry.points,
      comments: entry.comment_count, favorites: entry.favorite_count },
    media: file.link ? media(file) : [],
    rating: nsfw == null ? null : nsfw ? 'sensitive' : 'safe',
    extra: { section, topic, animated: file.animated, mp4: file.mp4, images_count },
  };
}

/** The link may be to a smaller form, or to a film, which has stills. @returns {import('imgscript').Media[]} */
function media({ id, link, type, width, height, size }) {
  const address = `https://i.imgur.com/${id}`;
  const smaller = SIZES.filter(([, , side]) => side < Math.max(width, height)).map(([role, suffix, side]) => (
    { role, url: `${address}${suffix}.jpg`, ...fit({ width, height }, { width: side, height: side }) }));
  if (!type.startsWith('image/')) {
    return [{ role: 'original', type: 'video', url: `${address}.mp4`, width, height, bytes: size, format: 'mp4' }, ...smaller];
  }
  const url = address + /\.\w+$/.exec(link)?.[0];
  return [{ role: 'original', url, width, height, bytes: size, format: fileFormat(type) }, ...smaller];
}
