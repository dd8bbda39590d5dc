const { fail, license, parseDate } = require('imgscript');
const iiif = require('./iiif-theme');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  public_domain: {
    type: 'boolean', help: 'Only works that anyone may use.', filter: 'license', filterValues: { cc0: true, pdm: true },
  },
  on_display: { type: 'boolean', help: 'Only works on display.' },
  filters: { type: 'string', help: 'More filters of the museum, such as [creator_gender:FEMALE].' },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  const { public_domain, on_display, filters } = q.params;
  const all = ['[has_image:true]', public_domain && '[public_domain:true]', on_display && '[on_display:true]', filters];
  return {
    url: '/api/v1/art/search/',
    query: { keys: q.text || '*', filters: all.filter(Boolean).join(','), offset: q.offset, rows: q.limit, lang: 'en' },
  };
}

/** Past the end the number stays, without works. @param {import('imgscript').Response} res */
function parse(res) {
  const { items, found } = res.json;
  return { total: items.length ? found : null, items: items.map(image) };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'smk',
  name: 'SMK – National Gallery of Denmark',
  version: '1.1.0',
  homepage: 'https://open.smk.dk/en/',
  summary: 'Paintings, prints, drawings and sculpture in Statens Museum for Kunst in Copenhagen.',
  category: 'museums',
  base: 'https://api.smk.dk',
  hosts: ['api.smk.dk'],
  mediaHosts: ['iip.smk.dk', 'iip-thumb.smk.dk', 'api.smk.dk'],
  limits: { pageSize: { max: 2000, default: 20 }, rate: ['2/1s'] },
  terms: {
    url: 'https://www.smk.dk/en/article/smk-api/',
    license: 'Public domain, or under copyright',
    attribution: '{author.name}, “{title}”, SMK',
  },
  paging: 'offset',

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: '/api/v1/art/', query: { object_number: item.id, lang: 'en' } }),
    parse: (res, item) => {
      const [work] = res.json.items;
      return work ? image(work) : fail('notFound', `SMK has no work ${item.id}.`);
    },
  },

  match: [
    {
      pattern: [
        'https://open.smk.dk/artwork/image/{id}', 'https://open.smk.dk/en/artwork/image/{id}',
        'https://open.smk.dk/{language}/artwork/image/{id}',
      ],
      item: { id: '{id}' },
    },
  ],
};

/** @returns {import('imgscript').Item} */
function image(work) {
  const {
    object_number, titles = [], production = [], rights, public_domain, image_iiif_id, image_native, image_thumbnail,
    image_width: width, image_height: height, image_size: bytes, labels, content_description, object_names,
    content_subject, techniques, production_date, ...extra
  } = work;
  const [maker] = production;
  return {
    id: object_number,
    type: 'image',
    title: titles[0]?.title,
    description: content_description?.join('\n') || labels?.[0]?.text,
    page: object_number && `https://open.smk.dk/en/artwork/image/${encodeURIComponent(object_number)}`,
    tags: [...(object_names ?? []).map(({ name }) => name), ...(techniques ?? []), ...(content_subject ?? [])],
    author: maker?.creator ? { name: nameOf(maker), id: maker.creator_lref } : null,
    license: licenseOf(rights, public_domain),
    media: files(image_iiif_id, image_native, image_thumbnail, { width, height, bytes }),
    extra: {
      ...extra, titles, production, techniques, rights,
      period: production_date?.[0]?.period, started: parseDate(production_date?.[0]?.start),
    },
  };
}

/** “Eckersberg, C.W.” the right way round. */
function nameOf({ creator, creator_forename, creator_surname }) {
  const names = [creator_forename, creator_surname].filter((name) => name && typeof name === 'string');
  return names.length === 2 ? names.join(' ') : creator;
}

/** The page about CC0 stands for CC0 itself. @param {string | undefined} rights @param {boolean | undefined} isFree */
function licenseOf(rights, isFree) {
  if (rights?.includes('/public-domain/cc0')) return license('cc0');
  return license(rights) ?? (isFree ? license('pdm') : { id: 'copyrighted', name: 'Copyrighted' });
}

/**
 * Works photographed long ago are not on the image server.
 * @param {string | undefined} base @param {string | undefined} native @param {string | undefined} thumbnail
 * @param {{ width?: number, height?: number, bytes?: number }} known @returns {import('imgscript').Media[]}
 */
function files(base, native, thumbnail, { width, height, bytes }) {
  if (base) return iiif.media(base, { width, height });
  const escaped = (/** @type {string} */ url) => url.replaceAll(' ', '%20');
  return [
    ...(native ? [{ role: /** @type {const} */ ('original'), url: escaped(native), width, height, bytes }] : []),
    ...(thumbnail ? [{ role: /** @type {const} */ ('thumbnail'), url: escaped(thumbnail) }] : []),
  ];
}
