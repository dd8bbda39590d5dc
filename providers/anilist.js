const { fail, parseDate, plainText } = require('imgscript');

const FIELDS = `id siteUrl type format status season seasonYear isAdult averageScore popularity favourites genres
  description(asHtml: true) title { userPreferred romaji english native } startDate { year month day }
  coverImage { extraLarge large medium color } bannerImage studios(isMain: true) { nodes { name siteUrl } }`;
const ONE = `query ($id: Int) { Media(id: $id) { ${FIELDS} } }`;
const LIST = `query ($page: Int, $perPage: Int, $search: String, $sort: [MediaSort], $type: MediaType,
  $format: MediaFormat, $season: MediaSeason, $seasonYear: Int, $genre_in: [String], $isAdult: Boolean) {
  Page(page: $page, perPage: $perPage) { pageInfo { hasNextPage } media(search: $search, sort: $sort, type: $type,
  format: $format, season: $season, seasonYear: $seasonYear, genre_in: $genre_in, isAdult: $isAdult) { ${FIELDS} } } }`;

// Where requests come from: those without a Referer are refused.
const HOMEPAGE = 'https://github.com/imgscript/imgscript';

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  type: { type: 'choice', values: ['ANIME', 'MANGA'] },
  format: {
    type: 'choice',
    values: ['TV', 'TV_SHORT', 'MOVIE', 'SPECIAL', 'OVA', 'ONA', 'MUSIC', 'MANGA', 'NOVEL', 'ONE_SHOT'],
  },
  season: { type: 'choice', values: ['WINTER', 'SPRING', 'SUMMER', 'FALL'] },
  seasonYear: { type: 'integer', min: 1940 },
  genre_in: { type: 'list', help: 'Such as Action, Drama, Slice of Life.' },
  isAdult: { type: 'boolean', help: 'Only works for adults, or none of them.' },
};
const SORTS = ['TRENDING_DESC', 'POPULARITY_DESC', 'SCORE_DESC', 'FAVOURITES_DESC', 'START_DATE_DESC', 'ID_DESC'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'anilist',
  name: 'AniList',
  version: '1.1.0',
  homepage: 'https://anilist.co/',
  summary: 'Covers and banners of anime and manga.',
  category: 'media',
  base: 'https://graphql.anilist.co',
  hosts: ['graphql.anilist.co'],
  mediaHosts: ['*.anilist.co'],
  auth: { type: 'bearer', optional: true, help: 'https://docs.anilist.co/guide/auth/' }, // when others are refused
  limits: {
    pageSize: { max: 50, default: 20 },
    rate: ['30/60s'], // 90 are announced
    reset: { header: 'x-ratelimit-reset', unit: 'unix' },
  },
  terms: { url: 'https://docs.anilist.co/guide/terms-of-use', license: 'Of their publishers, not stated',
    attribution: '{title}, from AniList' },

  // What is wrong stands in the answer, whatever its status.
  check: (res) => {
    const [error] = (/^\s*\{/.test(res.text) && res.json.errors) || [];
    if (/invalid token/i.test(error?.message)) fail('auth', error.message);
    // Since September 2026 this is what requests get that say neither where they come from nor who sends them.
    if (/temporarily disabled/i.test(error?.message)) fail('blocked', `${error.message} A token passes.`);
    if (res.status === 403) fail('blocked', error?.message ?? 'AniList refuses this client; with a token it may not.');
    if (error) fail(error.status ?? 400, error.message);
  },

  search: {
    params: { sort: { type: 'choice', values: ['SEARCH_MATCH', ...SORTS], default: 'SEARCH_MATCH' }, ...FILTERS },
    request: (q) => list(q, { search: q.text }),
    parse,
  },
  feed: {
    params: { sort: { type: 'choice', values: SORTS, default: 'TRENDING_DESC' }, ...FILTERS },
    request: (q) => list(q, {}),
    parse,
  },
  details: {
    request: (item) => ask(ONE, { id: parseInt(item.id, 10) }),
    parse: (res, item) => {
      const [cover, banner] = pictures(res.json.data.Media);
      return item.id.endsWith('-banner') ? banner : cover;
    },
  },

  match: ['anime', 'manga'].map((type) => (
    { pattern: [`https://anilist.co/${type}/{id}`, `https://anilist.co/${type}/{id}/*`], item: { id: '{id}' } })),
};

/** @param {string} query @param {Record<string, any>} variables @returns {import('imgscript').Request} */
function ask(query, variables) {
  return { url: '/', method: 'POST', headers: { Referer: HOMEPAGE }, json: { query, variables } };
}

/** @param {import('imgscript').Query} q @param {Record<string, any>} variables */
function list({ page, limit, params: { sort, ...params } }, variables) {
  return ask(LIST, { page, perPage: limit, sort: [sort], ...variables, ...params });
}

/** A page's total is not to be relied on. @param {import('imgscript').Response} res */
function parse(res) {
  const { pageInfo, media } = res.json.data.Page;
  return { items: media.flatMap(pictures), ...(pageInfo.hasNextPage ? {} : { next: null }) };
}

/** The cover, and the banner where there is one. @returns {import('imgscript').Item[]} */
function pictures({ id, siteUrl, title, description, coverImage, bannerImage, startDate, studios, ...rest }) {
  const { genres, isAdult, favourites, popularity, ...extra } = rest;
  const { color, extraLarge, large, medium } = coverImage;
  const [studio] = studios?.nodes ?? [];
  const date = [startDate?.year, startDate?.month, startDate?.day].filter(Boolean);
  /** @type {Omit<import('imgscript').Item, 'media'>} */
  const about = {
    id,
    type: 'image',
    title: title.userPreferred ?? title.english ?? title.romaji,
    description: plainText(description),
    page: siteUrl,
    tags: genres,
    author: studio ? { name: studio.name, url: studio.siteUrl } : null,
    created: parseDate(date.map((number) => String(number).padStart(2, '0')).join('-')),
    stats: { likes: favourites, popularity },
    rating: isAdult == null ? null : isAdult ? 'explicit' : 'safe',
    extra: { ...extra, title },
  };
  /** @type {import('imgscript').Media[]} */
  const cover = [{ role: 'large', url: extraLarge }, { role: 'regular', url: large }, { role: 'small', url: medium }];
  const covered = { ...about, colors: color ? [color] : [], media: cover.filter((file) => file.url) };
  if (!bannerImage) return [covered];
  const media = [{ role: /** @type {const} */ ('original'), url: bannerImage }];
  return [covered, { ...about, id: `${id}-banner`, title: `${about.title} (banner)`, media }];
}
