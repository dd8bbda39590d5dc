const { fail, license } = require('imgscript');
const iiif = require('./iiif-theme');

const SITE = 'https://gallica.bnf.fr';
/** @type {Record<string, string>} What Gallica calls the kinds of documents. */
const KINDS = { image: 'image', map: 'carte', manuscript: 'manuscrit', score: 'partition', book: 'monographie' };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  kind: { type: 'choice', values: Object.keys(KINDS), default: 'image', help: 'Of others than images the first page.' },
  creator: { type: 'string', help: 'Words in the name of the one who made it.' },
  title: { type: 'string', help: 'Words in the title.' },
  subject: { type: 'string' },
  from: { type: 'integer', help: 'A year.' },
  to: { type: 'integer', help: 'A year.' },
  public_domain: { type: 'boolean', help: 'Only documents in the public domain.' },
};

/**
 * Search and feed; the feed has no text.
 * @param {import('imgscript').Query} q @returns {import('imgscript').Request}
 */
function request(q) {
  const { kind, creator, title, subject, from, to, public_domain } = q.params;
  const year = (/** @type {number} */ number) => quoted(String(number).padStart(4, '0'));
  const terms = [
    q.text && `gallica all ${quoted(q.text)}`,
    `dc.type all ${quoted(KINDS[kind])}`,
    'access all "fayes"', // what anyone may see, without the library’s reading rooms
    creator && `dc.creator all ${quoted(creator)}`,
    title && `dc.title all ${quoted(title)}`,
    subject && `dc.subject all ${quoted(subject)}`,
    from && `gallicapublication_date>=${year(from)}`,
    to && `gallicapublication_date<=${year(to)}`,
    public_domain && 'dc.rights all "domaine public"',
  ];
  const words = terms.filter(Boolean).map((term) => `(${term})`).join(' and ');
  return {
    url: '/SRU',
    query: {
      version: '1.2', operation: 'searchRetrieve', query: words, startRecord: q.offset + 1,
      maximumRecords: q.limit, collapsing: false,
    },
    accept: 'xml',
  };
}

/** @param {import('imgscript').Response} res @returns {import('imgscript').Page} */
function parse(res) {
  const total = Number(res.xml.querySelector('srw\\:numberOfRecords')?.textContent ?? NaN);
  if (Number.isNaN(total)) fail('changed', 'The answer does not say how many documents there are.');
  const records = res.xml.querySelectorAll('srw\\:record');
  if (total && !records.length) fail('changed', 'Neither documents nor an end.');
  const items = records.map(image).filter((item) => item.media.length);
  return { total, received: records.length, items };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'gallica',
  name: 'Gallica',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Prints, photographs, maps and manuscripts of the National Library of France and its partners.',
  category: 'museums',
  base: SITE,
  hosts: ['gallica.bnf.fr'],
  mediaHosts: ['gallica.bnf.fr'],
  limits: { pageSize: { max: 50, default: 20 }, concurrent: 1, rate: ['1/1s'] },
  terms: {
    url: 'https://gallica.bnf.fr/edit/und/conditions-dutilisation-des-contenus-de-gallica',
    license: 'Public domain, free except for commercial use; or as the partner says',
    attribution: 'Source gallica.bnf.fr / BnF',
  },
  paging: 'offset',

  // Gallica lets some networks search in a browser only; pictures are sent to all.
  check: (res) => {
    const isRefused = res.status === 403 || /Vérification de sécurité|Access Denied/i.test(res.text.slice(0, 2000));
    if (isRefused) fail('blocked', 'Gallica refuses searches by programs from this network.');
    const [, message] = /<(?:\w+:)?message>([^<]*)/.exec(/diagnostic/.test(res.text) ? res.text : '') ?? [];
    if (message) fail('unsupported', message);
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: '/services/OAIRecord', query: { ark: item.id }, accept: 'xml' }),
    parse: (res, item) => {
      const [record] = res.xml.querySelectorAll('oai_dc\\:dc');
      return record ? image(record) : fail('notFound', `Gallica has no document ${item.id}.`);
    },
  },

  match: [
    {
      pattern: [
        `${SITE}/ark:/12148/{id}.*`, `${SITE}/ark:/12148/{id}`, `${SITE}/ark:/12148/{id}/*`,
      ],
      item: { id: '{id}' },
    },
  ],
};

/** A text in the query language. @param {string} text */
function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * A document by its first picture.
 * @param {import('imgscript').Element} record @returns {import('imgscript').Item}
 */
function image(record) {
  const all = (/** @type {string} */ name, /** @type {string} */ language = '') => (
    record.querySelectorAll(`dc\\:${name}`)
      .filter((field) => !language || field.getAttribute('xml:lang') === language)
      .map((field) => field.textContent.trim()).filter(Boolean));
  const address = all('identifier').find((text) => /\/ark:\/12148\//.test(text));
  const [, id] = /ark:\/12148\/(\w+)/.exec(address ?? '') ?? [];
  const [creator] = all('creator');
  const [date] = all('date');
  const rights = all('rights');
  return {
    id: id ?? fail('changed', 'A document without its address.'),
    type: 'image',
    title: all('title')[0],
    description: all('description').join('\n') || null,
    page: `${SITE}/ark:/12148/${id}`,
    tags: all('subject').flatMap((text) => text.split(' -- ')),
    author: creator ? { name: creator.replace(/\. \p{Lu}[^.]*$/u, '') } : null, // without the part: “. Graveur”
    license: licenseOf(rights),
    created: /^\d{4}(-\d\d){0,2}$/.test(date ?? '') ? date : null,
    media: iiif.media(`${SITE}/iiif/ark:/12148/${id}/f1`, { sizes: SIZES })
      .map((file) => ({ ...file, url: file.url.replace(/default\.jpg$/, 'native.jpg') })),
    extra: {
      creators: all('creator'), contributors: all('contributor'), date, publisher: all('publisher'), types: all('type'),
      formats: all('format'), languages: all('language'), rights, source: all('source'), relation: all('relation'),
    },
  };
}

/** @type {import('./iiif-theme').Sizes} */
const SIZES = [['large', 2000], ['regular', 1000], ['small', 400], ['thumbnail', 200]];

/** @param {string[]} rights @returns {import('imgscript').License | null} */
function licenseOf(rights) {
  if (rights.some((text) => /^domaine public|^public domain/i.test(text))) return license('pdm') ?? null;
  return rights.length ? { id: 'other', name: rights[0] } : null;
}
