const { fail } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'trace-moe',
  name: 'trace.moe',
  version: '1.0.0',
  homepage: 'https://trace.moe/',
  summary: 'Which anime, which episode and which second a screenshot is from.',
  category: 'media',
  base: 'https://api.trace.moe',
  hosts: ['api.trace.moe'],
  mediaHosts: ['api.trace.moe', '*.trace.moe'],
  auth: {
    type: 'header', name: 'x-trace-key', optional: true, help: 'https://trace.moe/account',
    limits: { pageSize: { max: 10 }, rate: ['100/60s', '1000/1d'], concurrent: 1 },
  },
  limits: { pageSize: { max: 10 }, rate: ['100/60s', '100/1d'], concurrent: 1 },
  terms: { url: 'https://soruly.github.io/trace.moe-api/#/terms', license: 'Of their studios, not stated' },
  paging: 'none',

  // {"error":"Concurrency limit exceeded"}; a quota that is used up is 402 too.
  check: (res) => {
    const said = /^\s*\{/.test(res.text) ? res.json.error : null;
    const error = typeof said === 'string' ? said : null;
    if (res.status === 402) fail('rate', error || 'The searches of this day are used up.');
    if (res.status === 403) fail('auth', error || 'The key is refused.');
    if (error && res.status < 500) fail([200, 400, 405].includes(res.status) ? 'unsupported' : res.status, error);
  },

  similar: {
    image: ['url', 'file'],
    params: {
      anilistID: { type: 'integer', min: 1, help: 'Only in this anime, by its number at AniList.' },
      cutBorders: { type: 'boolean', help: 'Cut off black borders first.' },
      minimum: {
        type: 'number', min: 0, max: 100, default: 80, help: 'How similar at least, in percent; below 90 most are wrong.',
      },
    },
    request: (q) => {
      const { anilistID, cutBorders } = q.params;
      const query = { anilistInfo: '', anilistID, cutBorders: cutBorders ? '' : null, url: q.image.url };
      return q.image.url ? { url: '/search', query } : { url: '/search', method: 'POST', query, upload: 'image' };
    },
    parse: (res, q) => {
      const least = Number(q.params.minimum ?? 0);
      const expires = expiry(res);
      const scenes = res.json.result.map((scene) => image(scene, expires));
      return { items: scenes.filter((scene) => scene.extra?.similarity >= least) };
    },
  },
};

/** The addresses of previews work for five minutes. @param {import('imgscript').Response} res */
function expiry(res) {
  const answered = Date.parse(res.headers.date ?? '');
  return answered ? new Date(answered + 300 * 1000).toISOString() : undefined;
}

/**
 * A scene is a still and a short film.
 * @param {any} scene @param {string} [expires] @returns {import('imgscript').Item}
 */
function image(scene, expires) {
  const { anilist, filename, episode, from, to, at, duration, similarity, image: still, video } = scene;
  if (!Number.isFinite(similarity) || !isText(still)) fail('changed', 'A scene without its similarity or picture.');
  /** @type {any} */
  const about = typeof anilist === 'object' && anilist ? anilist : { id: anilist };
  const { id, idMal, title, synonyms, isAdult } = about;
  if (!id || !Number.isFinite(from)) fail('changed', 'A scene without its place.');
  const name = [title?.english, title?.romaji, title?.native, filename].find(isText);
  const place = [episode == null ? null : `episode ${episode}`, clock(at ?? from)].filter(Boolean).join(', ');
  return {
    id: `${id}-${episode ?? 0}-${Math.round(from * 10)}`,
    type: 'image',
    title: [name, place].filter(Boolean).join(', '),
    page: `https://anilist.co/anime/${id}`,
    tags: [...new Set([title?.romaji, title?.native, ...synonyms ?? []].filter(isText))],
    media: [
      { role: 'large', url: `${still}${still.includes('?') ? '&' : '?'}size=l`, expires, type: 'image' },
      { role: 'small', url: still, expires, type: 'image' },
      ...film(video, expires),
    ],
    rating: isAdult == null ? null : isAdult ? 'explicit' : 'safe',
    extra: {
      similarity: Math.round(similarity * 10000) / 100, anilist: id, mal: idMal, episode, from, to, at, duration, filename,
    },
  };
}

/** @param {string | undefined} url @param {string} [expires] @returns {import('imgscript').Media[]} */
function film(url, expires) {
  return url ? [{ role: 'original', url, file: 2, expires, type: 'video', format: 'mp4' }] : [];
}

/** @param {any} value */
const isText = (value) => typeof value === 'string' && value !== '';

/** Seconds as `1:02:03`. @param {number | undefined} seconds */
function clock(seconds) {
  if (!Number.isFinite(seconds)) return null;
  const whole = Math.floor(seconds ?? 0);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
