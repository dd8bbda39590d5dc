const { fail, parseDate } = require('imgscript');
const iiif = require('./iiif-theme');

const SITE = 'https://harvardartmuseums.org';
/** Who made a thing stands among those who gave or sold it. */
const MAKER = /artist|author|maker|photographer|designer|painter|printer/i;
/** @type {import('./iiif-theme').Sizes} No picture of a work under copyright may be larger than 256 pixels. */
const SMALL = [['small', 256]];

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  classification: { type: 'string', help: 'Paintings, Prints, Photographs, Drawings, Sculpture, Vessels …' },
  century: { type: 'string', help: 'Such as 19th century.' },
  culture: { type: 'string', help: 'Such as Japanese.' },
  medium: { type: 'string' },
  technique: { type: 'string' },
  person: { type: 'string', help: 'The name, or the number, of the one who made it.' },
  place: { type: 'string' },
  title: { type: 'string', help: 'Words in the title.' },
  yearmade: { type: 'integer' },
  sort: { type: 'string', help: 'A field such as rank, datebegin, totalpageviews; or random.' },
  sortorder: { type: 'choice', values: ['asc', 'desc'] },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
const request = (q) => ({
  url: '/object',
  query: { keyword: q.text || null, hasimage: 1, ...q.params, page: q.page, size: q.limit },
});

/** @param {import('imgscript').Response} res */
const parse = (res) => ({
  total: res.json.info.totalrecords,
  items: res.json.records.flatMap((object) => views(object).slice(0, 1)),
});

/** @param {string} id @returns {import('imgscript').Request} */
const object = (id) => ({ url: `/object/${encodeURIComponent(id)}` });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'harvard',
  name: 'Harvard Art Museums',
  version: '1.1.0',
  homepage: `${SITE}/collections`,
  summary: 'Art of all times and places in the Fogg, Busch-Reisinger and Arthur M. Sackler Museums.',
  category: 'museums',
  base: 'https://api.harvardartmuseums.org',
  hosts: ['api.harvardartmuseums.org'],
  mediaHosts: ['*.harvard.edu'],
  auth: { type: 'query', name: 'apikey', help: `${SITE}/collections/api` },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['2500/1d'] },
  terms: {
    url: `${SITE}/collections/api`,
    license: 'Not stated; © President and Fellows of Harvard College',
    attribution: '{author.name}, “{title}”, Harvard Art Museums',
  },

  search: { params: FILTERS, request, parse },
  feed: { params: { ...FILTERS, sort: { ...FILTERS.sort, default: 'rank' } }, request, parse },
  details: {
    request: (item) => object(item.id.split('/')[0]),
    parse: (res, item) => {
      const found = views(res.json);
      const asked = found.find(({ id }) => String(id) === item.id) ?? found[0];
      return asked ?? fail('notFound', 'The object has no picture.');
    },
  },

  // All pictures of one object.
  collection: {
    request: (item) => object(item.id.replace('views:', '')),
    parse: (res) => {
      const items = views(res.json);
      return items.length ? { items, next: null } : fail('notFound', 'The object has no picture.');
    },
  },

  match: [
    {
      pattern: [
        `${SITE}/collections/object/{id}`, `${SITE}/art/{id}`,
        'https://www.harvardartmuseums.org/collections/object/{id}',
      ],
      item: { id: '{id}' },
    },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** An object’s pictures; the first goes by the object’s own number. @returns {import('imgscript').Item[]} */
function views(work) {
  if (work.imagepermissionlevel === 2) return []; // none may be shown
  const { objectid, primaryimageurl } = work;
  if (objectid === undefined) fail('changed', 'An object without its number.');
  const images = work.images ?? (primaryimageurl ? [{ baseimageurl: primaryimageurl }] : []);
  return images.filter((one) => one.baseimageurl).map((one, place) => image(work, one, place));
}

/** @param {any} work @param {any} picture @param {number} place @returns {import('imgscript').Item} */
function image(work, picture, place) {
  const {
    objectid, title, url, people = [], classification, culture, technique, medium, century, period, worktypes = [],
    colors = [], description, labeltext, copyright, imagepermissionlevel, images, primaryimageurl, ...extra
  } = work;
  const maker = people.find((one) => MAKER.test(one.role)) ?? people[0];
  const isFree = imagepermissionlevel === 0 || imagepermissionlevel === undefined;
  const { width, height } = picture;
  return {
    id: place ? `${objectid}/${place}` : objectid,
    type: 'image',
    title,
    description: description || labeltext || picture.description || picture.publiccaption,
    page: url ?? `${SITE}/collections/object/${objectid}`,
    tags: [...new Set([classification, culture, technique, century, period, ...worktypes.map((one) => one.worktype)])]
      .filter((word) => typeof word === 'string' && word !== ''),
    author: maker?.displayname ? { name: maker.displayname, id: maker.personid } : null,
    license: copyright ? { id: 'copyrighted', name: copyright } : null,
    colors: colors.map((one) => one.color),
    media: isFree
      ? iiif.media(picture.baseimageurl, { width, height })
      : iiif.media(picture.baseimageurl, { width, height, whole: null, sizes: SMALL }),
    extra: {
      ...extra, medium, people, alt_text: picture.alttext, picture_copyright: picture.copyright,
      photographed: parseDate(picture.date), views: images?.length,
    },
  };
}
