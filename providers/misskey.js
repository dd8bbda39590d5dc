const { fail, fileFormat } = require('imgscript');
const { chosen, include, inTurn } = require('./lists-theme');

/** What an account has: its notes, and those it reacted to, where it shows that. */
const LISTS = ['gallery', 'favorites'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'misskey',
  name: 'Misskey',
  version: '1.0.0',
  homepage: 'https://misskey-hub.net/',
  summary: 'Images in public notes with a hashtag, of an account, or of everybody, as one Misskey server knows them.',
  category: 'web',
  instance: { default: 'https://misskey.io', help: 'A server that runs Misskey, or Sharkey, CherryPick …' },
  hosts: ['{instance}'],
  mediaHosts: ['*'], // each server has its own, and shows files of others
  auth: { type: 'bearer', optional: true, help: 'that server, at /settings/api' },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2/1s'] },
  terms: { license: 'Of their authors, not stated', attribution: '{author.name}, {page}' },
  paging: 'cursor',

  // {"error":{"message":"No such note.","code":"NO_SUCH_NOTE","kind":"client"}}
  check: (res) => {
    if (res.ok || !res.text.startsWith('{')) return;
    const { code = '', message = `status ${res.status}` } = res.json.error ?? {};
    if (/^NO_SUCH|NOT_FOUND/.test(code)) fail('notFound', message);
    if (code === 'RATE_LIMIT_EXCEEDED') fail('rate', message);
    if (/CREDENTIAL|AUTHENTICATION|PERMISSION|SIGNIN|DISABLED|UNAVAILABLE|NOT_PUBLIC/.test(code)) fail('auth', message);
    if (res.status < 500) fail(res.status, message);
  },

  // With a token in the words of notes; without one by hashtag.
  search: {
    newestFirst: true,
    params: {
      kind: { type: 'choice', values: ['tag', 'words'], default: 'tag', help: 'Words want a token on most servers.' },
    },
    request: (q) => (q.params.kind === 'words' ? notes('notes/search', q, { query: q.text })
      : notes('notes/search-by-tag', q, { tag: q.text.replace(/^#|\s+/g, ''), withFiles: true })),
    parse: page,
  },

  feed: {
    newestFirst: { list: ['local', 'global'] },
    params: {
      list: {
        type: 'choice', values: ['local', 'global', 'featured'], default: 'local',
        help: 'Of this server; all; what is popular.',
      },
    },
    request: (q) => {
      if (q.params.list === 'featured') return notes('notes/featured', q, {});
      return notes(`notes/${q.params.list}-timeline`, q, { withFiles: true, withRenotes: false });
    },
    parse: page,
  },

  details: {
    request: (item) => post('notes/show', { noteId: item.id }),
    parse: (res) => {
      const found = image(res.json, res.url);
      return found.media.length ? found : fail('notFound', 'The note has no image.');
    },
  },

  // `user:anna`, `user:anna@example.org`, `tag:cat`
  collection: {
    params: { ...include(LISTS), replies: { type: 'boolean', help: 'Images in replies too.' } },
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      if (kind === 'tag') return page(yield notes('notes/search-by-tag', q, { tag: name, withFiles: true }), q);
      return yield* inTurn(chosen(q, LISTS), q, (list, part) => listOf(list, name, part));
    },
  },

  match: [
    { pattern: '{instance}/notes/{id}', item: { id: '{id}' } },
    {
      pattern: ['{instance}/@{name}', '{instance}/@{name}/*', 'user:{name}'],
      item: { id: 'user:{name}', type: 'collection' },
    },
    { pattern: ['{instance}/tags/{name}', 'tag:{name}'], item: { id: 'tag:{name}', type: 'collection' } },
  ],
};

/**
 * What somebody posts, or reacts to. Once looked up, their id travels with the cursor.
 * @param {string} list @param {string} name @param {import('imgscript').Query} q
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* listOf(list, name, q) {
  const [username, host = null] = name.replace(/^@/, '').split('@');
  const userId = q.cursor?.user ?? (yield post('users/show', { username, host })).json.id;
  if (typeof userId !== 'string') fail('changed', 'The server gave an account without its id.');
  const part = { ...q, cursor: q.cursor?.before };
  if (list === 'favorites') {
    const res = yield notes('users/reactions', part, { userId });
    const items = res.json.map(({ note }) => image(note, res.url)).filter((item) => item.media.length);
    const last = res.json.at(-1)?.id;
    return { items, next: last ? { user: userId, before: last } : null };
  }
  const body = { userId, withFiles: true, withRenotes: false, withReplies: Boolean(q.params.replies) };
  const { items, next } = page(yield notes('users/notes', part, body), q);
  return { items, next: next && { user: userId, before: next } };
}

/** Everything is a POST with JSON. @param {string} path @param {object} json @returns {import('imgscript').Request} */
const post = (path, json) => ({ url: `/api/${path}`, method: /** @type {const} */ ('POST'), json });

/** @param {string} path @param {import('imgscript').Query} q @param {object} body @returns {import('imgscript').Request} */
function notes(path, q, body) {
  return post(path, { ...body, limit: q.limit, ...(q.cursor ? { untilId: q.cursor } : {}) });
}

/**
 * Pages go by the last note, shown or not; the server may give fewer than asked for, as it leaves out what is hidden.
 * @param {import('imgscript').Response} res @param {import('imgscript').Query} q
 */
function page(res, q) {
  const found = res.json;
  const items = found.map((note) => image(note, res.url)).filter((item) => item.media.length);
  const last = found.at(-1)?.id;
  const isWhole = res.url.endsWith('/notes/featured') && found.length < q.limit;
  return { items, next: found.length && last && !isWhole ? last : null };
}

/** @type {Record<string, import('imgscript').Media['type']>} */
const KINDS = { image: 'image', video: 'video' };

/**
 * A note with several pictures is one item; one that repeats another is that other.
 * @param {any} found @param {string} url
 */
function image(found, url) {
  const note = found.renote && !found.files?.length && !found.text ? found.renote : found;
  const { id, user, text, cw, createdAt, files = [], tags, reactions, renoteCount, repliesCount, visibility } = note;
  const shown = files.filter(({ type }) => KINDS[kindOf(type)]);
  const { origin } = new URL(url);
  const name = user.host ? `${user.username}@${user.host}` : user.username;
  const counts = Object.values(reactions ?? {}).filter(Number.isFinite);
  const first = shown[0];
  return /** @type {import('imgscript').Item} */ ({
    id,
    type: first && kindOf(first.type) === 'video' ? 'video' : 'image',
    title: null,
    description: [cw, text].filter(Boolean).join('\n') || null,
    alt: first?.comment,
    page: note.url ?? note.uri ?? (id && `${origin}/notes/${id}`),
    tags: tags ?? [],
    author: { name: user.name || user.username, id: name, url: user.username && `${origin}/@${name}` },
    created: createdAt,
    stats: {
      reactions: counts.length ? counts.reduce((sum, one) => sum + one, 0) : null, boosts: renoteCount, replies: repliesCount,
    },
    media: shown.flatMap((file, index) => sizes(file, index + 1)),
    rating: cw != null || shown.some((file) => file.isSensitive) ? 'sensitive' : null,
    extra: { visibility, files: shown.map(({ name: named, md5, comment }) => ({ name: named, md5, alt: comment })) },
  });
}

/** @param {string} type */
const kindOf = (type) => String(type).split('/')[0];

/** @param {any} file @param {number} number @returns {import('imgscript').Media[]} */
function sizes({ url, thumbnailUrl, type, size, properties }, number) {
  const { width, height } = properties ?? {};
  const kind = kindOf(type);
  /** @type {import('imgscript').Media[]} */
  const media = [{
    role: 'original', url, file: number, type: KINDS[kind], width: width || null, height: height || null,
    bytes: size || null, format: fileFormat(type) ?? type.split('/')[1],
  }];
  if (thumbnailUrl && thumbnailUrl !== url) media.push({ role: 'small', url: thumbnailUrl, file: number, type: 'image' });
  return media;
}
