const { fail, fileFormat, fit, plainText } = require('imgscript');

const SITE = 'https://civitai.com';
const ADULT = 'https://civitai.red'; // the same API; since April 2026 it alone has what is not safe
const LEVELS = ['None', 'Soft', 'Mature', 'X'];
/** @type {import('imgscript').Item['rating'][]} By level; the last two are both explicit. */
const RATINGS = ['safe', 'sensitive', 'questionable', 'explicit', 'explicit'];
const PERIODS = ['AllTime', 'Year', 'Month', 'Week', 'Day'];

/** @type {Record<string, import('imgscript').Parameter>} */
const LEVEL = { nsfw: { type: 'choice', values: LEVELS, default: 'None', help: 'How explicit, at most.' } };
/** @type {Record<string, import('imgscript').Parameter>} */
const LISTING = {
  sort: { type: 'choice', values: ['Most Reactions', 'Most Comments', 'Most Collected', 'Newest', 'Oldest'] },
  period: { type: 'choice', values: PERIODS, help: 'Of what time.' },
  baseModels: { type: 'list', join: ',', help: 'Only of these base models: SDXL 1.0, Flux.1 D …' },
  ...LEVEL,
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'civitai',
  name: 'Civitai',
  version: '1.1.0',
  homepage: `${SITE}/`,
  summary: 'Pictures made with generative models, and the models’ own examples, which a search finds.',
  category: 'art',
  base: SITE,
  hosts: ['civitai.com', 'civitai.red'],
  mediaHosts: ['*.civitai.com'],
  auth: { type: 'bearer', optional: true, help: `${SITE}/user/account` },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: {
    url: `${SITE}/content/tos`,
    license: 'Of their authors, not stated',
    attribution: '{author.name} on Civitai, {page}',
  },
  paging: 'cursor',

  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const { error, message = error?.message ?? error } = res.json;
    fail(res.status, typeof message === 'string' ? message : 'Civitai did not accept the request.');
  },

  // Text finds models, of which each shows its first picture.
  search: {
    params: {
      sort: { type: 'choice', values: ['Highest Rated', 'Most Downloaded', 'Newest', 'Most Collected'] },
      period: { type: 'choice', values: PERIODS, help: 'Of what time.' },
      types: {
        type: 'list', values: ['Checkpoint', 'LORA', 'TextualInversion', 'Hypernetwork', 'Controlnet', 'Poses'],
      },
      baseModels: { type: 'list', help: 'Only of these base models: SDXL 1.0, Flux.1 D …' },
      ...LEVEL,
    },
    request: (q) => {
      const { nsfw, ...params } = q.params;
      const query = { query: q.text, nsfw: nsfw !== 'None', ...params, limit: q.limit, cursor: q.cursor };
      return { url: `${siteOf(nsfw)}/api/v1/models`, query };
    },
    parse: (res, q) => ({
      items: res.json.items.flatMap((model) => preview(model, LEVELS.indexOf(q.params.nsfw))),
      next: res.json.metadata.nextCursor ?? null,
    }),
  },

  feed: {
    newestFirst: { sort: ['Newest'] },
    params: LISTING,
    request: (q) => pictures(q, {}),
    parse: listed,
  },

  details: {
    request: (item) => ({ url: `${ADULT}/api/v1/images`, query: { imageId: item.id, nsfw: 'X', withMeta: true } }),
    parse: (res) => listed(res).items[0] ?? fail('notFound', 'There is no such picture, or it is not public.'),
  },

  // `user:anna`, `model:12`, `version:34`, `post:56`.
  collection: {
    params: LISTING,
    request: (item, q) => {
      const [kind, id] = item.id.split(/:(.*)/s);
      /** @type {Record<string, string>} */
      const names = { model: 'modelId', version: 'modelVersionId', post: 'postId' };
      return pictures(q, { [names[kind] ?? 'username']: id });
    },
    parse: listed,
  },

  match: [
    { pattern: pages('/images/{id}'), item: { id: '{id}' } },
    {
      pattern: [...pages('/models/{id}', '/models/{id}/*'), 'model:{id}'],
      item: { id: 'model:{id}', type: 'collection' },
    },
    {
      pattern: [...pages('/user/{name}', '/user/{name}/*'), 'user:{name}'],
      item: { id: 'user:{name}', type: 'collection' },
    },
    { pattern: [...pages('/posts/{id}'), 'post:{id}'], item: { id: 'post:{id}', type: 'collection' } },
    { pattern: 'version:{id}', item: { id: 'version:{id}', type: 'collection' } },
  ],
};

/** Addresses on both sites. @param {string[]} paths */
function pages(...paths) {
  return paths.flatMap((path) => [`${SITE}${path}`, `${ADULT}${path}`]);
}

/** Which site shows pictures up to a level. @param {string} [level] */
function siteOf(level) {
  return level && level !== 'None' ? ADULT : SITE;
}

/** @param {import('imgscript').Query} q @param {Record<string, string>} of @returns {import('imgscript').Request} */
function pictures(q, of) {
  return { url: `${siteOf(q.params.nsfw)}/api/v1/images`, query: { ...of, ...q.params, type: 'image', limit: q.limit, cursor: q.cursor } };
}

/** @param {import('imgscript').Response} res @returns {import('imgscript').Page} */
function listed(res) {
  const { items, metadata } = res.json;
  return { items: items.filter((one) => one.type !== 'video').map(picture), next: metadata.nextCursor ?? null };
}

/** @param {any} one @returns {import('imgscript').Item} */
function picture({ id, url, width, height, username, createdAt, stats, nsfwLevel, browsingLevel, meta, ...extra }) {
  const { cryCount: cries, laughCount: laughs, likeCount: likes, heartCount: hearts, commentCount: comments } = stats;
  return {
    id,
    type: 'image',
    description: meta?.prompt,
    page: id && `${SITE}/images/${id}`,
    author: username ? { name: username, id: username, url: `${SITE}/user/${username}` } : null,
    created: createdAt,
    stats: { likes, hearts, laughs, cries, comments },
    media: files(url, { width, height }),
    rating: RATINGS[LEVELS.indexOf(nsfwLevel)],
    aiGenerated: true, // the site is for such images alone
    extra: { ...extra, browsingLevel, meta },
  };
}

/**
 * The first picture of a model that is no film and within the level; its level is a bit.
 * @param {any} model @param {number} most @returns {import('imgscript').Item[]}
 */
function preview({ id: number, name, description, tags, creator, stats, type, modelVersions }, most) {
  const [version] = modelVersions;
  const found = version?.images.find((one) => one.type !== 'video' && levelOf(one) <= most);
  if (!found) return [];
  const [, id] = /\/([^/]+?)(?:\.\w+)?$/.exec(found.url) ?? []; // its own number stands in its URL
  return [{
    id: found.id ?? id,
    type: 'image',
    title: name,
    description: plainText(description),
    page: number && `${SITE}/models/${number}`,
    tags,
    author: creator ? { name: creator.username, id: creator.username, url: `${SITE}/user/${creator.username}` } : null,
    created: version.publishedAt,
    stats: { downloads: stats?.downloadCount, likes: stats?.thumbsUpCount, comments: stats?.commentCount },
    media: files(found.url, found),
    rating: RATINGS[levelOf(found)],
    aiGenerated: true,
    extra: { model: number, model_type: type, version: version.id, base_model: version.baseModel, hash: found.hash },
  }];
}

/** 1, 2, 4, 8 and 16 are the levels 0 to 4. */
function levelOf({ nsfwLevel }) {
  if (typeof nsfwLevel !== 'number') fail('changed', 'A picture without its level.');
  return Math.floor(Math.log2(nsfwLevel || 1));
}

/**
 * A part of the URL says what the server makes of the file.
 * @param {string} url @param {{ width?: number, height?: number }} size @returns {import('imgscript').Media[]}
 */
function files(url, { width, height }) {
  const as = (/** @type {string} */ made) => url.replace(/\/(?:width=\d+|original=true)[^/]*\//, `/${made}/`);
  const format = fileFormat(url);
  const whole = { role: /** @type {const} */ ('original'), url: as('original=true'), width, height, format };
  if (as('') === url) return [whole];
  return [
    whole,
    { role: 'regular', url: as('width=832'), ...fit({ width, height }, { width: 832 }) },
    { role: 'thumbnail', url: as('width=450'), ...fit({ width, height }, { width: 450 }) },
  ];
}
