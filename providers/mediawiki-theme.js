// What files are on a wiki with MediaWiki: https://www.mediawiki.org/wiki/API:Imageinfo
const { fail, license, parseDate, parseHTML, plainText } = require('imgscript');

const ABOUT = { prop: 'imageinfo', iiprop: 'url|size|mime|user|timestamp|extmetadata', iiurlwidth: 330 };
// Widths that Wikimedia's servers hold ready.
/** @type {[import('imgscript').Media['role'], number][]} */
const WIDTHS = [['large', 1920], ['large', 1280], ['regular', 960], ['small', 500]];

module.exports = { request, listed, image };

/** @param {Record<string, any>} query @returns {import('imgscript').Request} */
function request(query) {
  return { url: '/w/api.php', query: { action: 'query', format: 'json', formatversion: 2, ...query, ...ABOUT } };
}

/**
 * One page of a list. It may come in parts, each with some fields of some files, and is whole at `batchcomplete`.
 * To go on, every member of `continue` is sent back.
 * @param {import('imgscript').Query} q @param {Record<string, any>} query
 * @returns {Generator<import('imgscript').Request, import('imgscript').Page, import('imgscript').Response>}
 */
function* listed(q, query) {
  /** @type {Map<number, any>} */
  const pages = new Map();
  for (let next = q.cursor; ;) {
    const { json } = yield request({ ...query, ...next });
    /** @type {any[]} With format version 1 an object. */
    const part = Object.values(json.query?.pages ?? {});
    if (!json.query && !json.continue && json.batchcomplete === undefined) fail('changed', 'Neither files nor an end.');
    for (const page of part) pages.set(page.pageid, { ...pages.get(page.pageid), ...page });
    next = json.continue;
    if (next && json.batchcomplete === undefined) continue;
    const files = [...pages.values()].filter((page) => page.imageinfo);
    return { items: files.sort((a, b) => a.index - b.index).map(image), next: next ?? null };
  }
}

/** @param {any} page @returns {import('imgscript').Item} */
function image({ title, pageid, imageinfo: [file] }) {
  const { url, descriptionurl, width, height, size, mime, thumburl, thumbwidth, thumbheight, extmetadata } = file;
  /** @type {[string, any][]} */
  const metadata = Object.entries(extmetadata ?? {});
  const said = Object.fromEntries(metadata.map(([name, { value }]) => [name, plainText(shown(value))]));
  const { ObjectName, ImageDescription, Artist, DateTimeOriginal, Categories, ...rest } = said;
  const { License, LicenseShortName, LicenseUrl, GPSLatitude, GPSLongitude, ...others } = rest;
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
    media: [
      { role: 'original', url, width, height, bytes: size, format: mime?.replace(/^image\/|\+xml$/g, '') },
      ...scaled(file),
      ...(thumburl ? [thumbnail(thumburl, thumbwidth, thumbheight)] : []),
    ],
    extra: { ...others, pageid, user: file.user, uploaded: file.timestamp },
  };
}

/** Without what is there for machines alone: `label QS:Len,"…"`. @param {any} html */
function shown(html) {
  const text = ['string', 'number'].includes(typeof html) ? String(html) : undefined;
  return text?.replace(/<(\w+)[^>]*display:\s*none[^>]*>.*?<\/\1>/gs, '');
}

/** The thumbnail's URL names its width. @param {any} file @returns {import('imgscript').Media[]} */
function scaled({ thumburl, width, height }) {
  return WIDTHS.filter(([, side]) => side < width && /\/(\D*-)?330px-[^/]*$/.test(thumburl)).map(([role, side]) => ({
    role,
    url: thumburl.replace(/\b330px-(?=[^/]*$)/, `${side}px-`),
    width: side,
    height: Math.max(1, Math.round((height * side) / width)),
  }));
}

/** @param {string} url @param {number} width @param {number} height @returns {import('imgscript').Media} */
function thumbnail(url, width, height) {
  return { role: 'thumbnail', url, width, height };
}
