// What files are on a wiki with MediaWiki: https://www.mediawiki.org/wiki/API:Imageinfo
const { fail, fileFormat, fit, license, parseDate, parseHTML, plainText } = require('imgscript');

const ABOUT = { prop: 'imageinfo', iiprop: 'url|size|mime|user|timestamp|extmetadata', iiurlwidth: 330 };
// Of the widths that Wikimedia's servers have; others are answered with status 400.
/** @type {[import('imgscript').Media['role'], number][]} */
const WIDTHS = [['large', 1920], ['large', 1280], ['regular', 960], ['small', 500]];

module.exports = { check, request, listed, image, isImage };

/** @type {[RegExp, import('imgscript').FailureKind | number][]} Codes of errors that are none of the query’s. */
const FAULTS = [
  [/ratelimited|maxlag|too-?(?:busy|many)/, 'rate'],
  [/^(?:internal_api_error|readonly)|backend|timeout|unavailable/i, 503],
  [/^(?:readapidenied|permissiondenied|assert|badtoken)/, 'auth'],
  [/block/, 'blocked'],
];

/** Errors come with status 200. @param {import('imgscript').Response} res */
function check(res) {
  // https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
  if ([403, 429].includes(res.status) && /user[- ]?agent|robot policy/i.test(res.text)) {
    fail('blocked', `${new URL(res.url).host} wants to know whom to write to: an e-mail address or a page in the `
      + 'User-Agent, which the setting "contact" names.');
  }
  const error = res.ok ? res.json.error : null;
  if (!error) return;
  const kind = FAULTS.find(([code]) => code.test(error.code))?.[1] ?? 'unsupported';
  fail(kind, `${error.info} (${error.code})`);
}

/** @param {Record<string, any>} query @param {string} [path] of the API @returns {import('imgscript').Request} */
function request(query, path = '/w/api.php') {
  return { url: path, query: { action: 'query', format: 'json', formatversion: 2, ...query, ...ABOUT } };
}

/**
 * One page of a list. It may come in parts, each with some fields of some files, and is whole at `batchcomplete`.
 * To go on, every member of `continue` is sent back.
 * @param {import('imgscript').Query} q @param {Record<string, any>} query @param {string} [path] of the API
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* listed(q, query, path) {
  /** @type {Map<string, any>} By title: files that another wiki lends have no number here. */
  const pages = new Map();
  for (let next = q.cursor; ;) {
    const { json } = yield request({ ...query, ...next }, path);
    /** @type {any[]} With format version 1 an object. */
    const part = Object.values(json.query?.pages ?? {});
    if (!json.query && !json.continue && json.batchcomplete === undefined) fail('changed', 'Neither files nor an end.');
    for (const page of part) pages.set(page.title, { ...pages.get(page.title), ...page });
    next = json.continue;
    if (next && json.batchcomplete === undefined) continue;
    const files = [...pages.values()].filter((page) => page.imageinfo);
    if (!files.length && [...pages.values()].some((page) => !page.missing)) fail('changed', 'Files without imageinfo.');
    return { items: files.filter(isImage).sort((a, b) => a.index - b.index).map(image), next: next ?? null };
  }
}

/** Lists hold sounds, films and books too: `application/ogg`, `video/webm`, `application/pdf`, `image/vnd.djvu`. */
function isImage({ imageinfo: [{ mime }] }) {
  return !mime || /^image\/(?!vnd\.djvu)/.test(mime);
}

/** @returns {import('imgscript').Item} */
function image({ title, pageid, imageinfo: [file] }) {
  const { url, descriptionurl, width, height, size, mime, user, timestamp, extmetadata = {} } = file;
  const {
    ObjectName, ImageDescription, Artist, DateTimeOriginal, Categories, License, LicenseShortName, LicenseUrl,
    GPSLatitude, GPSLongitude, ...others
  } = Object.fromEntries(Object.entries(extmetadata).map(([name, { value }]) => [name, text(value)]));
  const artist = Artist && parseHTML(extmetadata.Artist.value).querySelector('a')?.getAttribute('href');
  return {
    id: title,
    type: 'image',
    title: ObjectName ?? title.replace(/^File:|\.\w+$/g, ''),
    description: ImageDescription,
    page: descriptionurl,
    tags: Categories?.split('|'),
    author: Artist ? { name: Artist, url: artist && new URL(artist, descriptionurl).href } : null,
    license: license(LicenseUrl) ?? license(LicenseShortName)
      ?? (LicenseShortName ? { id: License ?? LicenseShortName, name: LicenseShortName, url: LicenseUrl } : null),
    created: parseDate(DateTimeOriginal),
    location: GPSLatitude ? { latitude: Number(GPSLatitude), longitude: Number(GPSLongitude) } : null,
    media: [{ role: 'original', url, width, height, bytes: size, format: fileFormat(mime) }, ...smaller(file)],
    extra: { ...others, pageid, user, uploaded: timestamp },
  };
}

/** HTML without what is there for machines alone: `label QS:Len,"…"`. @returns {string | undefined} */
function text(html) {
  if (typeof html !== 'string' && typeof html !== 'number') return undefined;
  return plainText(String(html).replace(/<(\w+)[^>]*display:\s*none[^>]*>.*?<\/\1>/gs, ''));
}

/** The thumbnail’s URL names its width, and others will do as well. @returns {import('imgscript').Media[]} */
function smaller({ thumburl, thumbwidth, thumbheight, width, height }) {
  if (!thumburl) return [];
  const url = thumburl.replace(/\?utm_.*$/, ''); // which list it comes from
  const widths = /\/(\D*-)?330px-[^/]*$/.test(url) ? WIDTHS.filter(([, side]) => side < width) : [];
  return [
    ...widths.map(([role, side]) => (
      { role, url: url.replace(/\b330px-(?=[^/]*$)/, `${side}px-`), ...fit({ width, height }, { width: side }) })),
    { role: /** @type {const} */ ('thumbnail'), url, width: thumbwidth, height: thumbheight },
  ];
}
