const { parseDate, parseHTML, plainText } = require('imgscript');

const MEDIA = 'http://search.yahoo.com/mrss/';

/** The images in an RSS, RDF or Atom feed. @param {import('imgscript').Response} res */
exports.entries = (res) => [
  ...res.xml.querySelectorAll('item'), ...res.xml.querySelectorAll('entry'),
].flatMap((element) => images(element, res.url));

/** Where the feed goes on, if it says so: RFC 5005. @param {import('imgscript').Response} res */
exports.next = ({ xml, url }) => {
  const link = xml.querySelectorAll('*').find((element) => (
    element.localName === 'link' && element.getAttribute('rel') === 'next'));
  return absolute(link?.getAttribute('href'), url) ?? null;
};

/** Without files of its own an entry has those its text shows. @returns {import('imgscript').Item[]} */
function images(/** @type {import('imgscript').Element} */ element, /** @type {string} */ base) {
  const named = (/** @type {string} */ name) => element.children.filter((child) => (
    child.localName === name && child.namespaceURI !== MEDIA));
  const text = (/** @type {string[]} */ ...names) => (
    names.map((name) => named(name)[0]?.textContent.trim()).find(Boolean));
  const link = named('link').find((child) => ['alternate', null].includes(child.getAttribute('rel')));
  const page = absolute(link?.getAttribute('href') || link?.textContent.trim(), base);
  const html = text('encoded', 'content', 'description', 'summary');
  const author = named('author')[0]?.children.find((child) => child.localName === 'name')?.textContent
    ?? text('creator', 'author') ?? inMedia(element, 'credit')[0]?.textContent;
  const keywords = inMedia(element, 'keywords')[0]?.textContent.replace(/\s+/g, ' ').split(',') ?? [];
  const [latitude, longitude] = text('point')?.split(/\s+/).map(Number) ?? []; // GeoRSS
  const thumbnails = inMedia(element, 'thumbnail').slice(0, 1).map((file) => described(file, 'url', 'thumbnail', base));
  const own = [...attached(element, base), ...thumbnails].filter(({ url }) => url);
  const id = text('guid', 'id') ?? page ?? '';
  return (own.length > 0 ? [own] : shown(html, page ?? base).map((file) => [file])).map((media, index) => ({
    id: index === 0 ? id : `${id}#${index + 1}`,
    type: 'image',
    title: plainText(text('title')),
    description: plainText(html),
    page,
    tags: [...new Set([
      ...named('category').map((child) => child.getAttribute('term') ?? child.textContent.trim()),
      ...keywords.map((word) => word.trim()),
    ].filter(Boolean))],
    author: author ? { name: author } : null,
    created: parseDate(text('pubDate', 'published', 'date', 'updated')),
    location: longitude === undefined ? null : { latitude, longitude },
    media: media.filter(({ url }, place) => url && media.findIndex((file) => file.url === url) === place),
    rating: inMedia(element, 'rating')[0]?.textContent === 'adult' ? 'sensitive' : null,
  }));
}

/** Media RSS and enclosures, the widest first. @param {import('imgscript').Element} element @param {string} base */
function attached(element, base) {
  const enclosures = element.children.filter((child) => (
    child.localName === 'enclosure' || child.getAttribute('rel') === 'enclosure'));
  return [...inMedia(element, 'content'), ...enclosures].filter(isImage)
    .map((file) => described(file, file.hasAttribute('url') ? 'url' : 'href', 'regular', base))
    .filter(({ url }) => url).sort((one, other) => (other.width ?? 0) - (one.width ?? 0))
    .map((file, index) => (index === 0 ? { ...file, role: 'original' } : file));
}

/** The images people see in a text, not those that count its readers. @param {string} base */
function shown(/** @type {string | undefined} */ html, base) {
  if (!html?.includes('<img')) return [];
  const found = parseHTML(html).querySelectorAll('img[src]').map((image) => described(image, 'src', 'regular', base));
  return found.filter(({ url, width }, place) => (
    url && width !== 1 && found.findIndex((file) => file.url === url) === place));
}

/** In `media:group` or not. @returns {import('imgscript').Element[]} */
function inMedia(/** @type {import('imgscript').Element} */ element, /** @type {string} */ name) {
  return /** @type {any} */ (element.xpath(`.//*[local-name()='${name}' and namespace-uri()='${MEDIA}']`));
}

/** @param {import('imgscript').Element} file */
function isImage(file) {
  const type = file.getAttribute('medium') ?? file.getAttribute('type');
  return type ? type.startsWith('image') : /\.(?:jpe?g|png|gif|webp|avif)\b/i.test(file.getAttribute('url') ?? '');
}

/** @param {string} name @param {string} role @param {string} base @returns {any} */
function described(file, name, role, base) {
  const number = (/** @type {string} */ attribute) => Number(file.getAttribute(attribute)) || null;
  const type = /^image\/(\w+)/.exec(file.getAttribute('type') ?? '')?.[1];
  return {
    role,
    url: absolute(file.getAttribute(name), base),
    width: number('width'),
    height: number('height'),
    bytes: number('fileSize') ?? number('length'),
    format: type === 'jpg' ? 'jpeg' : type,
  };
}

/** @param {string | null | undefined} reference @param {string} base */
function absolute(reference, base) {
  return reference && URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}
