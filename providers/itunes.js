const { fail, parseHTML } = require('imgscript');

/** @type {Record<string, import('imgscript').Parameter>} */
const STORE = {
  country: { type: 'string', default: 'US', help: 'The store, by its two-letter country code.' },
  lang: { type: 'choice', values: ['en_us', 'ja_jp'] },
};
const ENTITIES = ['album', 'allArtist', 'allTrack', 'audiobook', 'audiobookAuthor', 'ebook', 'iPadSoftware',
  'macSoftware', 'mix', 'movie', 'movieArtist', 'musicArtist', 'musicTrack', 'musicVideo', 'podcast', 'podcastAuthor',
  'shortFilm', 'shortFilmArtist', 'software', 'song', 'tvEpisode', 'tvSeason'];

/** What each kind of media is searched for by default. @type {Record<string, string>} */
const ENTITY_OF = { movie: 'movie', podcast: 'podcast', music: 'musicTrack', musicVideo: 'musicVideo', audiobook: 'audiobook',
  shortFilm: 'shortFilm', tvShow: 'tvEpisode', software: 'software', ebook: 'ebook' };

// With an empty body or a page in HTML; `check` says what it means.
const THROTTLED = [403];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'itunes',
  name: 'iTunes',
  version: '1.1.0',
  homepage: 'https://www.apple.com/itunes/',
  summary: 'Covers of music, films, series, podcasts, books and apps in Apple’s stores.',
  category: 'media',
  base: 'https://itunes.apple.com',
  hosts: ['itunes.apple.com'],
  mediaHosts: ['*.mzstatic.com'],
  limits: { pageSize: { max: 200, default: 50 }, rate: ['20/60s'] },
  terms: {
    url: 'https://performance-partners.apple.com/search-api',
    license: 'Promotion of store content only',
    hotlink: true,
    attribution: '{title} by {author.name}, provided courtesy of iTunes',
  },
  paging: 'none',

  check: (res) => {
    if (res.status === 403) fail('rate', 'More than about 20 requests a minute.');
    if (res.status === 400) fail('unsupported', /"errorMessage":\s*"([^"]+)/.exec(res.text)?.[1] ?? res.text.trim());
  },

  search: {
    params: {
      ...STORE,
      media: {
        type: 'choice',
        values: ['all', 'movie', 'podcast', 'music', 'musicVideo', 'audiobook', 'shortFilm', 'tvShow', 'software',
          'ebook'],
      },
      entity: { type: 'choice', values: ENTITIES, help: 'The kind of result.' },
      attribute: { type: 'string', help: 'The field to search, such as artistTerm, albumTerm, directorTerm.' },
      explicit: { type: 'choice', values: ['Yes', 'No'] },
    },
    // Apple finds no books by `media`, and by `entity` it does.
    request: (q) => {
      const { media, entity, ...params } = q.params;
      const kind = entity ?? ENTITY_OF[media];
      const query = { term: q.text, limit: q.limit, ...params, entity: kind, media: kind ? null : media };
      return { url: '/search', query, allowStatus: THROTTLED };
    },
    parse: (res) => ({ total: res.json.resultCount, items: res.json.results.map(artwork) }),
  },

  details: {
    request: (item) => {
      if (item.id.startsWith('pl.')) {
        fail('unsupported', `${item.id} is a playlist, which Apple's API has not (expected an album or a song).`);
      }
      const country = /apple\.com\/(\w\w)\//.exec(item.page ?? '')?.[1]; // an item of another store
      return { url: '/lookup', query: { id: item.id, country }, allowStatus: THROTTLED };
    },
    parse: (res, item) => artwork(res.json.results[0] ?? fail('notFound', `The store has nothing with id ${item.id}.`)),
  },

  // An artist has no picture but works that do; the answer begins with the artist.
  collection: {
    params: { ...STORE, entity: { type: 'choice', values: ENTITIES, default: 'album' } },
    request: (item, q) => ({
      url: '/lookup', query: { id: item.id, limit: q.limit, ...q.params }, allowStatus: THROTTLED,
    }),
    parse: (res) => ({ items: res.json.results.slice(1).map(artwork) }),
  },

  // Addresses may lack the country, and the name before the number.
  match: [
    ...pages('music.apple.com', ['playlist'], '{id}'),
    ...pages('music.apple.com', ['artist'], '{id}', 'collection'),
    ...pages('music.apple.com', ['album', 'song', 'music-video'], '{id}'),
    ...pages('itunes.apple.com', ['artist'], 'id{id}', 'collection'),
    ...pages('itunes.apple.com', ['album', 'movie', 'music-video', 'podcast', 'app', 'book', 'audiobook', 'tv-season'],
      'id{id}'),
    ...pages('apps.apple.com', ['app'], 'id{id}'),
    ...pages('podcasts.apple.com', ['podcast'], 'id{id}'),
    ...pages('books.apple.com', ['book', 'audiobook'], 'id{id}'),
  ],
};

/**
 * @param {string} host @param {string[]} kinds @param {string} end @param {'collection'} [type]
 * @returns {import('imgscript').Match[]}
 */
function pages(host, kinds, end, type) {
  const song = kinds.includes('album') ? ['?i={id}'] : []; // one of the album's songs
  const paths = kinds.flatMap((kind) => ['', '*/'].flatMap((country) => ['', '*/'].map((name) => (
    `https://${host}/${country}${kind}/${name}`))));
  return [
    ...song.map((query) => ({ pattern: paths.map((path) => `${path}*${query}`), item: { id: '{id}' } })),
    { pattern: paths.map((path) => `${path}${end}`), item: type ? { id: '{id}', type } : { id: '{id}' } },
  ];
}

/** Results are of many kinds, each with its own fields. @returns {import('imgscript').Item} */
function artwork(result) {
  const {
    trackId, trackName, collectionId, collectionName, artistId, artistName, longDescription, description,
    primaryGenreName, genres, releaseDate, userRatingCount,
    artworkUrl30, artworkUrl60, artworkUrl100, artworkUrl512, artworkUrl600, ...extra
  } = result;
  const largest = artworkUrl512 ?? artworkUrl100 ?? artworkUrl60 ?? artworkUrl30;
  const works = trackId != null || collectionId != null;

  /** @type {[import('imgscript').Media['role'], string | undefined][]} The server scales to what is asked for. */
  const sizes = [
    ['large', resized(1200)], ['regular', artworkUrl600 ?? resized(600)], ['regular', artworkUrl512],
    ['small', artworkUrl100], ['thumbnail', artworkUrl60], ['thumbnail', artworkUrl30],
  ];
  return {
    id: trackId ?? collectionId ?? artistId,
    type: works ? 'image' : 'collection',
    title: trackName ?? collectionName ?? artistName,
    description: plain(longDescription ?? description ?? extra.shortDescription),
    page: extra.trackViewUrl ?? extra.collectionViewUrl ?? extra.artistLinkUrl ?? extra.artistViewUrl,
    tags: [...new Set([primaryGenreName, ...(genres ?? [])].filter((genre) => typeof genre === 'string'))],
    author: artistName && {
      name: artistName,
      id: artistId,
      url: extra.artistViewUrl ?? extra.artistLinkUrl ?? extra.collectionArtistViewUrl,
    },
    created: releaseDate,
    stats: userRatingCount == null ? null : { ratings: userRatingCount },
    media: sizes.flatMap(([role, url]) => (url ? [{ role, url: url.replace(/^http:/, 'https:') }] : [])),
    extra: works ? { collectionId, collectionName, ...extra } : extra,
  };

  /** @param {number} side */
  function resized(side) {
    return /\/\d+x\d+bb\b/.test(largest) ? largest.replace(/\/\d+x\d+bb\b/, `/${side}x${side}bb`) : undefined;
  }
}

/** @param {string | undefined} html */
function plain(html) {
  return html && parseHTML(html.replace(/<br\s*\/?>/gi, '\n')).textContent.trim();
}
