const { fail } = require('imgscript');

const SITE = 'https://mangadex.org';
const FILES = 'https://uploads.mangadex.org/covers';
/** @type {Record<string, import('imgscript').Item['rating']>} */
const RATINGS = { safe: 'safe', suggestive: 'sensitive', erotica: 'questionable', pornographic: 'explicit' };
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  contentRating: { type: 'list', values: Object.keys(RATINGS), default: ['safe', 'suggestive'] },
  originalLanguage: { type: 'list', help: 'Languages such as ja, ko, zh.' },
  status: { type: 'list', values: ['ongoing', 'completed', 'hiatus', 'cancelled'] },
  publicationDemographic: { type: 'list', values: ['shounen', 'shoujo', 'josei', 'seinen', 'none'] },
  year: { type: 'integer', min: 1900, help: 'The year in which it began.' },
};

/** @type {Record<string, string>} */
const ORDERS = { recent: 'latestUploadedChapter', popular: 'followedCount', rated: 'rating', new: 'createdAt' };

/** Lists are sent as `name[]`. @param {import('imgscript').Query} q @param {Record<string, any>} [more] */
const manga = (q, more) => ({
  url: '/manga',
  query: {
    title: q.text || null,
    limit: q.limit,
    offset: q.offset,
    'includes[]': ['cover_art', 'author', 'artist'],
    ...lists(q.params),
    ...more,
  },
});

/** @param {import('imgscript').Response} res */
const parse = ({ json: { total, data } }) => ({ total, items: data.flatMap(front) });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'mangadex',
  name: 'MangaDex',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Covers of manga, all volumes and languages.',
  category: 'media',
  base: 'https://api.mangadex.org',
  hosts: ['api.mangadex.org'],
  mediaHosts: ['uploads.mangadex.org'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000, rate: ['5/1s'] },
  terms: {
    url: 'https://api.mangadex.org/docs/',
    license: 'Of their publishers, not stated',
    hotlink: false,
    attribution: '“{title}” by {author.name}, from MangaDex',
  },
  paging: 'offset',

  // {"result":"error","errors":[{"status":404,"title":"not_found_http_exception","detail":"…"}]}
  check: (res) => {
    if (res.ok || res.status >= 500 || !res.text.startsWith('{')) return;
    const [error] = res.json.errors ?? [];
    if (error) fail(res.status, error.detail ?? error.title);
  },

  search: { params: FILTERS, request: (q) => manga(q), parse },
  feed: {
    params: { ...FILTERS, list: { type: 'choice', values: Object.keys(ORDERS), default: 'recent' } },
    request: (q) => {
      const { list, ...params } = q.params;
      return manga({ ...q, params }, { [`order[${ORDERS[list]}]`]: 'desc' });
    },
    parse,
  },

  // One cover, by its own id.
  details: {
    *run(item) {
      const { json } = yield { url: `/cover/${encodeURIComponent(item.id)}`, query: { 'includes[]': ['manga'] } };
      return whole(json.data);
    },
  },

  // `manga:ID`: the covers of all volumes.
  collection: {
    params: { locales: { type: 'list', help: 'Only covers of these languages: ja, en.' } },
    request: (item, q) => ({
      url: '/cover',
      query: {
        'manga[]': item.id.replace('manga:', ''), limit: q.limit, offset: q.offset, 'order[volume]': 'asc',
        'includes[]': ['manga'],
        ...lists(q.params),
      },
    }),
    parse: ({ json: { total, data } }) => ({ total, items: data.map(whole) }),
  },

  match: [
    {
      pattern: [`${SITE}/title/{id}`, `${SITE}/title/{id}/*`, 'manga:{id}'],
      item: { id: 'manga:{id}', type: 'collection' },
    },
  ],
};

/** @param {Record<string, any>} params @returns {Record<string, any>} */
function lists(params) {
  const pairs = Object.entries(params).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]);
  return Object.fromEntries(pairs);
}

/** @param {any} record @param {string} type @returns {any[]} */
function related({ relationships }, type) {
  return relationships.filter((one) => one.type === type);
}

/** A manga stands for its main cover; some have none. @param {any} title @returns {import('imgscript').Item[]} */
function front(title) {
  return related(title, 'cover_art').filter((cover) => cover.attributes).map((cover) => image(cover, title));
}

/** A cover that comes with its manga. @param {any} cover */
function whole(cover) {
  return image(cover, related(cover, 'manga')[0] ?? fail('changed', 'A cover without its manga.'));
}

/** Who wrote it and who drew it, each once. @param {any} title @returns {import('imgscript').Author[]} */
function makers({ relationships = [] }) {
  const people = ['author', 'artist'].flatMap((kind) => related({ relationships }, kind))
    .filter((person) => person.id && person.attributes?.name);
  const once = new Map(people.map((person) => [person.id, person.attributes.name]));
  return [...once].map(([id, name]) => ({ name, id, url: `${SITE}/author/${id}` }));
}

/** @param {any} cover @param {any} title @returns {import('imgscript').Item} */
function image({ id, attributes: { fileName, volume, locale, description, createdAt } }, title) {
  const about = title.attributes ?? {};
  const name = inEnglish(about.title);
  const authors = makers(title);
  if (!title.id || !fileName) fail('changed', 'A cover without its manga or its file.');
  const file = `${FILES}/${title.id}/${fileName}`;
  return {
    id,
    type: 'image',
    title: [name, volume ? `volume ${volume}` : null].filter(Boolean).join(', ') || null,
    description: description || inEnglish(about.description),
    page: `${SITE}/title/${title.id}`,
    tags: (about.tags ?? []).map((tag) => inEnglish(tag.attributes?.name)).filter(Boolean),
    author: authors[0],
    authors: authors.length > 1 ? authors : null,
    created: createdAt,
    media: [
      { role: 'original', url: file },
      { role: 'regular', url: `${file}.512.jpg`, format: 'jpeg' },
      { role: 'small', url: `${file}.256.jpg`, format: 'jpeg' },
    ],
    rating: RATINGS[about.contentRating],
    extra: {
      manga: title.id, volume, locale, year: about.year, status: about.status,
      demographic: about.publicationDemographic, original_language: about.originalLanguage,
    },
  };
}

/** A text by language, in English if there is such. @param {Record<string, string> | undefined} texts */
function inEnglish(texts) {
  const text = texts?.en ?? Object.values(texts ?? {})[0];
  return typeof text === 'string' ? text : undefined;
}
