const { base64, fileFormat, largest, parseDate, parseHTML, plainText } = require('imgscript');

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

/** An entry's own files, or where it has none the pictures its text shows. @returns {import('imgscript').Item[]} */
function images(/** @type {import('imgscript').Element} */ entry, /** @type {string} */ address) {
  const base = baseOf(entry, address);
  const page = pageOf(entry, base);
  const html = text(entry, 'encoded', 'content', 'description', 'summary');
  const files = attached(entry, base);
  const pictures = files.length > 0 ? [files] : shown(html, page ?? base);

  const id = text(entry, 'guid', 'id') ?? page ?? '';
  const author = authorOf(entry);
  const [latitude, longitude] = text(entry, 'point')?.split(/\s+/).map(Number) ?? []; // GeoRSS
  return pictures.map((media, index) => ({
    id: index === 0 ? id : `${id}#${index + 1}`,
    type: 'image',
    title: plainText(text(entry, 'title') ?? inMedia(entry, 'title')[0]?.textContent),
    description: plainText(html),
    page,
    tags: tagsOf(entry),
    author: author ? { name: author } : null,
    created: parseDate(text(entry, 'pubDate', 'published', 'issued', 'created', 'date', 'updated', 'modified')),
    location: longitude === undefined ? null : { latitude, longitude },
    media: unique(media),
    rating: inMedia(entry, 'rating')[0]?.textContent === 'adult' ? 'sensitive' : null,
  }));
}

/** As `xml:base` says, of the entry and of what it is in. @param {import('imgscript').Element} entry @param {string} address */
function baseOf(entry, address) {
  const bases = [];
  for (let element = /** @type {import('imgscript').Element | null} */ (entry); element; element = element.parentElement) {
    bases.unshift(element.getAttribute('xml:base'));
  }
  return bases.reduce((/** @type {string} */ base, written) => absolute(written, base) ?? base, address);
}

/** The entry’s own page: its link, or in RSS an id that is one. @param {import('imgscript').Element} entry @param {string} base */
function pageOf(entry, base) {
  const links = named(entry, 'link').filter((child) => ['alternate', null].includes(child.getAttribute('rel')));
  const link = links.find((child) => [null, 'text/html'].includes(child.getAttribute('type'))) ?? links[0];
  const written = link?.getAttribute('href') || link?.textContent.trim();
  if (written) return absolute(written, base);
  const [guid] = named(entry, 'guid');
  const isPage = guid && guid.getAttribute('isPermaLink') !== 'false' && /^https?:/.test(guid.textContent.trim());
  return isPage ? absolute(guid.textContent.trim(), base) : undefined;
}

/** Atom has a name inside of the author; others the author’s text. @param {import('imgscript').Element} entry */
function authorOf(entry) {
  const [author] = named(entry, 'author');
  return author?.children.find((child) => child.localName === 'name')?.textContent
    ?? text(entry, 'creator', 'author') ?? inMedia(entry, 'credit')[0]?.textContent;
}

/** Each once. @param {import('imgscript').Element} entry */
function tagsOf(entry) {
  const categories = [...named(entry, 'category'), ...named(entry, 'subject')]
    .map((child) => child.getAttribute('term') ?? child.textContent);
  const keywords = inMedia(entry, 'keywords')[0]?.textContent.split(',') ?? [];
  const words = [...categories, ...keywords].map((word) => word.replace(/\s+/g, ' ').trim());
  return [...new Set(words.filter(Boolean))];
}

/** Media RSS and enclosures, the widest first. @param {import('imgscript').Element} entry @param {string} base */
function attached(entry, base) {
  const enclosures = [
    ...named(entry, 'enclosure'), ...named(entry, 'link').filter((link) => link.getAttribute('rel') === 'enclosure'),
  ];
  const [original, ...others] = [...inMedia(entry, 'content'), ...enclosures].filter(isImage)
    .map((file) => described(file, file.hasAttribute('url') ? 'url' : 'href', 'regular', base))
    .filter(({ url }) => url)
    .sort((one, other) => (other.width ?? 0) - (one.width ?? 0));
  const thumbnails = inMedia(entry, 'thumbnail').slice(0, 1).map((file) => described(file, 'url', 'thumbnail', base));
  const files = original ? [{ ...original, role: 'original' }, ...others] : [];
  return [...files, ...thumbnails.filter(({ url }) => url)];
}

/** The files of each image people see in a text, not of those that count its readers. @param {string} base */
function shown(/** @type {string | undefined} */ html, base) {
  if (!html?.includes('<img')) return [];
  const found = parseHTML(html).querySelectorAll('img[src]').map((image) => ({
    regular: described(image, 'src', 'regular', base), large: largest(image.getAttribute('srcset'), base),
  }));
  const images = found.filter(({ regular: { url, width } }) => url && width !== 1);
  return images.filter(({ regular }, place) => images.findIndex((other) => other.regular.url === regular.url) === place)
    .map(({ regular, large }) => (
      large && large.url !== regular.url ? [{ role: /** @type {const} */ ('large'), ...large }, regular] : [regular]));
}

/** The first of these elements that says something. @param {import('imgscript').Element} entry */
function text(entry, /** @type {string[]} */ ...names) {
  return names.flatMap((name) => named(entry, name).slice(0, 1).map(decoded)).find(Boolean);
}

/** Atom has markup as elements, and texts in base64 too. @param {import('imgscript').Element} element */
function decoded(element) {
  const type = element.getAttribute('type') ?? '';
  if (['xhtml', 'application/xhtml+xml'].includes(type)) return element.innerHTML.trim();
  const written = element.textContent.trim();
  if (element.getAttribute('mode') !== 'base64' && type !== 'application/octet-stream') return written;
  try { return base64.decode(written).trim(); } catch { return written; }
}

/** The children of an entry by their names. @type {WeakMap<object, Map<string, any[]>>} */
const CHILDREN = new WeakMap();

/** Outside of Media RSS. @returns {import('imgscript').Element[]} */
function named(/** @type {import('imgscript').Element} */ entry, /** @type {string} */ name) {
  const known = CHILDREN.get(entry) ?? new Map();
  if (!CHILDREN.has(entry)) {
    for (const child of entry.children) {
      if (child.namespaceURI !== MEDIA) known.set(child.localName, [...known.get(child.localName) ?? [], child]);
    }
    CHILDREN.set(entry, known);
  }
  return known.get(name) ?? [];
}

/** @template {{ url?: string }} File @param {File[]} files @returns {File[]} */
function unique(files) {
  return files.filter((file, place) => files.findIndex((other) => other.url === file.url) === place);
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
  return {
    role,
    url: absolute(file.getAttribute(name), base),
    width: number('width'),
    height: number('height'),
    bytes: number('fileSize') ?? number('length'),
    format: fileFormat(file.getAttribute('type')),
  };
}

/** @param {string | null | undefined} reference @param {string} base */
function absolute(reference, base) {
  return reference && URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}
