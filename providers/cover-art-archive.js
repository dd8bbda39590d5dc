const { fail } = require('imgscript');

const COVERS = 'https://coverartarchive.org';
const SITE = 'https://musicbrainz.org';
/** @type {[string, import('imgscript').Media['role']][]} The scaled copies, by their longer side. */
const SIZES = [['1200', 'large'], ['500', 'regular'], ['250', 'thumbnail']];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'cover-art-archive',
  name: 'Cover Art Archive',
  version: '1.0.0',
  homepage: `${COVERS}/`,
  summary: 'Covers, booklets and labels of the records in MusicBrainz.',
  category: 'media',
  base: SITE,
  hosts: ['musicbrainz.org', 'coverartarchive.org', 'archive.org', '*.archive.org'], // which it redirects to
  mediaHosts: ['coverartarchive.org', 'archive.org', '*.archive.org'],
  // MusicBrainz wants one request a second on average; the archive of covers has no limit.
  limits: { pageSize: { max: 25, default: 15 }, text: { min: 1 }, rate: ['20/20s'] },
  terms: {
    url: `${COVERS}/`,
    license: 'Of their artists and labels, not stated',
    attribution: '{title}, {author.name}; Cover Art Archive',
  },
  paging: 'cursor',

  // {"error":"…","help":"…"}; too fast is 503.
  check: (res) => {
    if (res.status === 503) fail('rate', 'MusicBrainz takes one request a second.');
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', res.json.error);
  },

  search: {
    params: {
      artist: { type: 'string', help: 'Words in the name of who made it.' },
      format: { type: 'string', help: 'What it came out on, such as CD, Vinyl or Digital Media.' },
      country: { type: 'string', help: 'Where it came out, as two letters: DE.' },
      type: { type: 'choice', values: ['album', 'single', 'ep', 'broadcast', 'other'] },
    },
    *run(q) {
      const { artist, format, country, type } = q.params;
      const fields = Object.entries({ artist, format, country, primarytype: type }).filter(([, value]) => value);
      const query = [q.text && `(${q.text})`, ...fields.map(([name, value]) => `${name}:"${value}"`)].join(' AND ');
      return yield* found(query, q);
    },
  },

  // A record is its front, or its first picture; `release:ID` has all.
  details: {
    *run(item) {
      const [id, picture] = item.id.split('/');
      const [release, covers] = yield [about(id), art(id)];
      const items = images(release.json, covers);
      return items.find((one) => one.id === item.id) ?? (picture ? undefined : items.find(isFront) ?? items[0])
        ?? fail('notFound', 'The release has no such picture.');
    },
  },

  // `release:ID`: all pictures of a release; `release-group:ID`: the releases of an album; `artist:ID`: of an artist.
  collection: {
    *run(item, q) {
      const [kind, id] = item.id.split(/:(.*)/s);
      if (kind === 'artist') return yield* found(`arid:${id}`, q);
      if (kind === 'release-group') return yield* found(`rgid:${id}`, q);
      const [release, covers] = yield [about(id), { ...art(id), allowStatus: [404] }];
      if (!covers.ok) fail('notFound', 'The release has no cover.');
      return { items: images(release.json, covers), next: null };
    },
  },

  match: [
    ...['release', 'release-group', 'artist'].map((kind) => ({
      pattern: [`${SITE}/${kind}/{id}`, `${SITE}/${kind}/{id}/*`, `${kind}:{id}`],
      item: { id: `${kind}:{id}`, type: /** @type {const} */ ('collection') },
    })),
    { pattern: `${COVERS}/release/{id}`, item: { id: 'release:{id}', type: 'collection' } },
  ],
};

/** @param {string} id */
const about = (id) => ({
  url: `/ws/2/release/${encodeURIComponent(id)}`,
  query: { fmt: 'json', inc: 'artist-credits+labels+release-groups+tags' },
});

/** @param {string} id @returns {import('imgscript').Request} */
const art = (id) => ({ url: `${COVERS}/release/${encodeURIComponent(id)}` });

/**
 * The fronts of releases that MusicBrainz finds; not every release has one.
 * @param {string} query @param {import('imgscript').Query} q @returns {Generator<any, import('imgscript').Page>}
 */
function* found(query, { limit, cursor }) {
  const offset = cursor ?? 0;
  const { count, releases } = (yield { url: '/ws/2/release', query: { query, fmt: 'json', limit, offset } }).json;
  const covers = yield releases.map((release) => ({ ...art(release.id), allowStatus: [404] }));
  const items = releases.flatMap((release, index) => {
    const all = covers[index].ok ? images(release, covers[index]) : [];
    const front = all.find(isFront) ?? all[0];
    return front ? [front] : [];
  });
  const to = offset + releases.length;
  return { items, next: releases.length && to < count ? to : null };
}

/** @param {import('imgscript').Item} item */
const isFront = (item) => Boolean(item.extra?.front);

/**
 * All pictures of a release.
 * @param {any} release @param {import('imgscript').Response} covers @returns {import('imgscript').Item[]}
 */
function images(release, { json }) {
  const { id, title, date, country, barcode, disambiguation, media, tags } = release;
  const credits = (release['artist-credit'] ?? []).map(({ name, artist }) => (
    { name: name ?? artist.name, id: artist?.id, url: artist?.id && `${SITE}/artist/${artist.id}` }));
  return json.images.map((picture) => {
    const { types = [], comment, front, approved } = picture;
    const label = [types.join(', '), comment].filter(Boolean).join(': ');
    return {
      id: id && picture.id && `${id}/${picture.id}`,
      type: 'image',
      title: front && !comment ? title : [title, label].filter(Boolean).join(', '),
      description: disambiguation || null,
      page: id && `${SITE}/release/${id}/cover-art`,
      tags: [...types, ...(tags ?? []).map((tag) => tag.name)],
      author: credits[0],
      authors: credits.length > 1 ? credits : null,
      created: /^\d{4}(?:-\d\d){0,2}$/.test(date ?? '') ? date : null,
      media: files(picture),
      extra: {
        release: id, front, types, comment: comment || null, approved, country, barcode: barcode || null,
        formats: media?.map((medium) => medium.format).filter(Boolean), release_group: release['release-group']?.id,
        labels: release['label-info']?.map((one) => one.label?.name).filter(Boolean),
      },
    };
  });
}

/** Addresses come as http. @returns {import('imgscript').Media[]} */
function files({ image, thumbnails }) {
  const secure = (/** @type {string} */ url) => url.replace(/^http:/, 'https:');
  const scaled = SIZES.map(([name, role]) => ({ role, url: thumbnails?.[name] })).filter(({ url }) => url);
  return [
    { role: 'original', url: secure(image) },
    ...scaled.map(({ role, url }) => ({ role, url: secure(url), format: 'jpeg' })),
  ];
}
