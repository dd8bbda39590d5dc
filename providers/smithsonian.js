const { fail, fileFormat, license } = require('imgscript');

const ROOT = '/openaccess/api/v1.0';
// Who made a thing stands among collectors, donors and those it shows.
const MAKER = /^(artist|author|creator|designer|engraver|illustrator|maker|manufacturer|painter|photographer|printer)/i;

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  sort: { type: 'choice', values: ['relevancy', 'id', 'newest', 'updated', 'random'] },
  unit: { type: 'string', help: 'The museum, by its code: NASM, SAAM, NMNHBOTANY …' },
  usage: {
    type: 'choice', values: ['CC0'], help: 'Only pictures that anyone may use.', filter: 'license',
    filterValues: { cc0: 'CC0' },
  },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { unit, usage, sort } = q.params;
  const text = /\b(OR|NOT)\b/.test(q.text) ? `(${q.text})` : q.text; // else they would bind what follows
  const terms = [text, 'online_media_type:"Images"', unit && `unit_code:"${unit}"`, usage && `media_usage:"${usage}"`];
  const words = terms.filter(Boolean).join(' AND ');
  return { url: `${ROOT}/search`, query: { q: words, start: q.offset, rows: q.limit, sort } };
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  const { rowCount, rows } = res.json.response;
  return { total: rowCount, items: rows.map((row) => image(row, 0)) };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'smithsonian',
  name: 'Smithsonian Open Access',
  version: '1.0.1',
  homepage: 'https://www.si.edu/openaccess',
  summary: 'Objects, art and specimens of the Smithsonian’s museums, archives and zoo.',
  category: 'museums',
  base: 'https://api.si.edu',
  hosts: ['api.si.edu'],
  mediaHosts: ['ids.si.edu'],
  auth: { type: 'query', name: 'api_key', help: 'https://api.data.gov/signup/' },
  limits: { pageSize: { max: 1000, default: 20 }, rate: ['1000/1h'] },
  terms: { url: 'https://www.si.edu/termsofuse', license: 'CC0 where an item says so',
    attribution: '“{title}”, Smithsonian' },
  paging: 'offset',

  search: { params: FILTERS, request, parse },
  feed: { params: { ...FILTERS, sort: { ...FILTERS.sort, default: 'newest' } }, request, parse },
  details: {
    request: (item) => ({ url: `${ROOT}/content/${encodeURIComponent(item.id.split('/')[0])}` }),
    parse: (res, item) => image(res.json.response, Number(item.id.split('/')[1] ?? 0)),
  },

  // All pictures of one object.
  collection: {
    request: (item) => ({ url: `${ROOT}/content/${encodeURIComponent(item.id.replace('views:', ''))}` }),
    parse: (res) => {
      const object = res.json.response;
      const items = picturesOf(object).map((_, place) => image(object, place));
      return items.length ? { items, next: null } : fail('notFound', 'The object has no picture.');
    },
  },

  match: [
    { pattern: 'https://collections.si.edu/search/detail/edanmdm:{id}', item: { id: 'edanmdm-{id}' } },
    { pattern: 'https://www.si.edu/object/{slug}:{id}', item: { id: 'edanmdm-{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** @returns {any[]} */
function picturesOf({ content }) {
  const { media } = content.descriptiveNonRepeating.online_media ?? {};
  return [media ?? []].flat().filter((one) => one.type === 'Images'); // one may be no list
}

/** One of an object’s pictures. @param {number} at @returns {import('imgscript').Item} */
function image({ id, title, url, content, unitCode, hash, docSignature, timestamp, ...rest }, at) {
  const { descriptiveNonRepeating: about, freetext = {}, indexedStructured = {} } = content;
  const pictures = picturesOf({ content });
  const picture = pictures[at];
  /** @type {(name: string, label: RegExp) => string | undefined} */
  const text = (name, label) => freetext[name]?.find((entry) => label.test(entry.label))?.content;
  const maker = text('name', MAKER);
  return {
    id: at ? `${id}/${at}` : id,
    type: 'image',
    title,
    description: text('notes', /^(summary|description)/i),
    page: about.record_link ?? (url && `https://collections.si.edu/search/detail/${url}`),
    tags: indexedStructured.topic,
    author: maker ? { name: maker } : null,
    license: license(picture?.usage?.access),
    location: place(text('place', /./), indexedStructured.geoLocation?.[0]?.points?.point),
    media: picture ? files(picture) : [],
    extra: { ...rest, unitCode, freetext, indexedStructured, guid: picture?.guid, views: pictures.length },
  };
}

/** @param {string | undefined} name @returns {import('imgscript').Location | null} */
function place(name, point) {
  if (point?.latitude?.type !== 'decimal') return name ? { name } : null;
  return { name, latitude: Number(point.latitude.content), longitude: Number(point.longitude.content) };
}

/** Many have a list of files beside the one address, which is of the whole picture or not. */
function files({ content, thumbnail, resources = [] }) {
  /** @type {import('imgscript').Media[]} */
  const listed = resources.flatMap(({ label, url, dimensions, ...size }) => {
    const [named] = /tif|jpe?g/i.exec(label) ?? [];
    const format = fileFormat(url) ?? fileFormat(named);
    const role = /screen/i.test(label) ? 'regular' : /thumb/i.test(label) ? 'thumbnail' : 'original';
    if (!format && role === 'original') return []; // a 3D model's
    // Some have the size in words alone: “High-resolution JPEG (4000 x 3000)”.
    const [, wide, high] = /(\d+)\s*[x×]\s*(\d+)/i.exec(dimensions ?? label) ?? [];
    const width = size.width ?? (Number(wide) || null);
    return [{ role, url, width, height: size.height ?? (Number(high) || null), format }];
  });
  const originals = listed.filter(({ role }) => role === 'original');
  const others = listed.filter(({ role }) => role !== 'original');
  const isWhole = !originals.length && !/[?&]max=\d/.test(content);
  /** @type {import('imgscript').Media[]} */
  const served = content ? [{ role: isWhole ? 'original' : 'large', url: content }] : [];
  const hasPreview = others.some(({ role }) => role === 'thumbnail');
  /** @type {import('imgscript').Media[]} */
  const preview = thumbnail && !hasPreview ? [{ role: 'thumbnail', url: thumbnail }] : [];
  return [...originals, ...served, ...others, ...preview];
}
