const { fileFormat } = require('imgscript');

const RATINGS = {
  g: 'safe', general: 'safe', safe: 'safe', s: 'sensitive', sensitive: 'sensitive', suggestive: 'sensitive',
  sketchy: 'questionable', q: 'questionable', questionable: 'questionable',
  e: 'explicit', explicit: 'explicit', unsafe: 'explicit',
};

/** What the sites’ own words and letters for it mean. @param {string | null | undefined} word */
exports.rating = (word) => /** @type {any} */ (RATINGS)[word ?? ''];

/** Which ratings are asked for, unless the user says otherwise: the safe one. @param {string[]} values */
exports.ratingParam = (...values) => ({
  rating: /** @type {const} */ ({ type: 'choice', values: [...values, 'any'], default: values[0], help: 'How safe.' }),
});

/** Whether the tags say that a model made it; where they do not, nothing is known. @param {string[]} tags */
exports.isGenerated = (tags) => (
  tags.some((tag) => /^ai[-_ ](?:generated|content|art|created)$/i.test(tag)) ? true : null);

/** The search with the rating among the tags. @param {string} text @param {import('imgscript').Query} q */
exports.tags = (text, q) => {
  const { rating } = q.params;
  return [text, rating && rating !== 'any' ? `rating:${rating}` : ''].filter(Boolean).join(' ');
};

/** @type {Record<string, import('imgscript').Parameter>} */
const CONDITIONS = {
  exclude: { type: 'list', filter: 'exclude-tag', help: 'Tags that a post must not have.' },
  since: { type: 'string', filter: 'since', help: 'Not older than this day: 2026-05-01.' },
  until: { type: 'string', filter: 'until', help: 'Not newer than this day.' },
  min_width: { type: 'integer', min: 1, filter: 'min-width', help: 'Pixels.' },
  min_height: { type: 'integer', min: 1, filter: 'min-height', help: 'Pixels.' },
  shape: { type: 'choice', values: ['landscape', 'portrait', 'square'], filter: 'aspect' },
};

/** @typedef {Record<string, (value: any) => string | string[]>} Conditions The site’s words for conditions, by parameter. */

/** The parameters of the conditions that a site checks. @param {Conditions} words */
exports.conditionParams = (words) => Object.fromEntries(
  Object.entries(CONDITIONS).filter(([name]) => words[name]));

/** The conditions of a search in the site’s words. @param {Conditions} words @returns {string[]} */
exports.conditions = (words, /** @type {import('imgscript').Query} */ { params }) => (
  Object.keys(words).flatMap((name) => (params[name] === undefined ? [] : words[name](params[name]))));

/**
 * A day near another: sites count days where they are, and the host checks the very time.
 * @param {string} time @param {number} days
 */
const dayFrom = (time, days) => new Date(Date.parse(time) + days * 86400000).toISOString().slice(0, 10);
exports.dayFrom = dayFrom;

/** Tags that are left out. @param {string[]} tags */
const without = (tags) => tags.map((tag) => `-${tag.trim().replace(/\s+/g, '_')}`);

/** Danbooru’s words, which Moebooru and e621 have too. @type {Conditions} */
exports.DANBOORU = {
  exclude: without,
  since: (time) => `date:>=${dayFrom(time, -1)}`,
  until: (time) => `date:<=${dayFrom(time, 1)}`,
  min_width: (pixels) => `width:>=${pixels}`,
  min_height: (pixels) => `height:>=${pixels}`,
  // Ratios are rounded to hundredths.
  shape: (name) => ({ landscape: 'ratio:>=1.01', portrait: 'ratio:<=0.99', square: 'ratio:0.97..1.03' })[name],
};

/** Gelbooru’s words. @type {Conditions} */
exports.GELBOORU = {
  exclude: without,
  min_width: (pixels) => `width:>=${pixels}`,
  min_height: (pixels) => `height:>=${pixels}`,
};

/** Whether a post is of the rating asked for, where the site does not see to it. @param {string} letter */
exports.isWanted = (letter, /** @type {import('imgscript').Query} */ { params: { rating } }) => (
  !rating || rating === 'any' || letter === rating[0]);

/** @param {string | null | undefined} text */
exports.words = (text) => (text ?? '').split(/\s+/).filter(Boolean);

/** Some sites leave out the scheme, or the host. @param {string | null | undefined} url @param {string} base */
exports.absolute = (url, base) => (url ? new URL(url, base).href : undefined);

/** The files that can be shown, each once. @returns {import('imgscript').Media[]} */
exports.media = (/** @type {any[]} */ files) => files.filter(({ url }, index) => (
  isFile(url) && files.findIndex((file) => file.url === url) === index));

/**
 * Page URLs on the site itself, by where on it they lie, and short forms of collections.
 * @param {any} site @param {Record<string, string>} pages @param {string[]} collections
 * @returns {import('imgscript').Match[]}
 */
exports.matches = (site, pages, collections) => [
  ...Object.entries(pages).map(([path, id]) => ({
    pattern: `${site.instance ? '{instance}' : `https://${site.hosts[0]}`}${path}`,
    item: { id, type: id.includes(':') ? /** @type {const} */ ('collection') : /** @type {const} */ ('image') },
  })),
  ...collections.map((name) => (
    { pattern: `${name}:{id}`, item: { id: `${name}:{id}`, type: /** @type {const} */ ('collection') } })),
];

/** Where relative URLs count from on a site of its own. @param {any} site */
exports.base = (site) => (site.instance ? {} : { base: `https://${site.hosts[0]}` });

/** @param {string | null | undefined} url */
const isFile = (url) => /\.(?:jpe?g|png|gif|webp|avif|svg|mp4|webm|zip)(?:\?|$)/i.test(url ?? '');
exports.isFile = isFile;

/** What a post shows, by its file: an archive has the frames of an animation. @param {string | null | undefined} url */
exports.kind = (url) => {
  if (/\.zip(?:\?|$)/i.test(url ?? '')) return /** @type {const} */ ('animation');
  return /\.(?:mp4|webm)(?:\?|$)/i.test(url ?? '') ? /** @type {const} */ ('video') : /** @type {const} */ ('image');
};

/**
 * A file as `media` takes it: numbers may come as text, and the address without scheme or host.
 * @param {string} role @param {string | null | undefined} address @param {string} base
 * @param {{ width?: any, height?: any, bytes?: any }} [sizes]
 */
exports.file = (role, address, base, sizes) => ({
  role,
  url: exports.absolute(address, base),
  type: exports.kind(address) === 'animation' ? 'animation' : null,
  width: Number(sizes?.width) || null,
  height: Number(sizes?.height) || null,
  bytes: Number(sizes?.bytes) || null,
  format: fileFormat(address),
});
