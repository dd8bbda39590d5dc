const { plainText } = require('imgscript');
const iiif = require('./iiif-theme');

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  q_object_title: { type: 'string', help: 'Words in the title.' },
  q_actor: { type: 'string', help: 'Words in the name of the maker.' },
  q_material_technique: { type: 'string' },
  q_place_name: { type: 'string' },
  year_made_from: { type: 'integer' },
  year_made_to: { type: 'integer' },
  order_by: { type: 'choice', values: ['title', 'place', 'date', 'artist', 'location'] },
  order_sort: { type: 'choice', values: ['asc', 'desc'] },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
const request = (q) => ({
  url: '/v2/objects/search',
  query: { q: q.text || null, images_exist: 1, page: q.page, page_size: q.limit, ...q.params },
});

/** @param {import('imgscript').Response} res */
const parse = (res) => ({ total: res.json.info.record_count, items: res.json.records.map(found) });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'vam',
  name: 'Victoria and Albert Museum',
  version: '1.0.0',
  homepage: 'https://collections.vam.ac.uk/',
  summary: 'Art, design and performance of five thousand years, from the V&A in London.',
  category: 'museums',
  base: 'https://api.vam.ac.uk',
  hosts: ['api.vam.ac.uk'],
  mediaHosts: ['framemark.vam.ac.uk'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000 },
  terms: {
    url: 'https://www.vam.ac.uk/info/va-websites-terms-conditions',
    license: 'V&A terms: non-commercial use',
    attribution: '© Victoria and Albert Museum, London',
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: `/v2/museumobject/${encodeURIComponent(item.id)}` }),
    parse: (res) => whole(res.json.record, res.json.meta.images),
  },

  match: [
    {
      pattern: ['https://collections.vam.ac.uk/item/{id}/', 'https://collections.vam.ac.uk/item/{id}/*/'],
      item: { id: '{id}' },
    },
  ],
};

/** What a search says of an object. @returns {import('imgscript').Item} */
function found({ systemNumber, _primaryTitle, _primaryMaker, _primaryPlace, _images, ...extra }) {
  return {
    ...item(systemNumber, _primaryTitle || extra.objectType, _primaryMaker?.name, _primaryPlace),
    media: files(_images?._iiif_image_base_url, _images?._primary_thumbnail),
    extra: { ...extra, images: _images, maker: _primaryMaker },
  };
}

/** What its own page says. @returns {import('imgscript').Item} */
function whole({ systemNumber, titles, artistMakerPerson, placesOfOrigin, categories, ...rest }, images) {
  const { briefDescription, summaryDescription, physicalDescription, ...extra } = rest;
  const maker = artistMakerPerson?.[0]?.name.text;
  return {
    ...item(systemNumber, titles?.[0]?.title || extra.objectType, maker, placesOfOrigin?.[0]?.place.text),
    description: plainText(summaryDescription || physicalDescription || briefDescription),
    tags: categories?.map((category) => category.text),
    media: files(images?._iiif_image, images?._primary_thumbnail),
    extra: { ...extra, images },
  };
}

/**
 * @param {string} id @param {string} title @param {string | undefined} maker @param {string | undefined} place
 * @returns {import('imgscript').Item}
 */
function item(id, title, maker, place) {
  return {
    id,
    type: 'image',
    title,
    page: `https://collections.vam.ac.uk/item/${id}/`,
    author: maker && maker !== 'Unknown' ? { name: maker } : null,
    location: place ? { name: place } : null,
    media: [],
  };
}

/** @param {string} [base] @param {string} [thumbnail] @returns {import('imgscript').Media[]} */
function files(base, thumbnail) {
  const media = iiif.media(base, { sizes: [['large', 1600], ['regular', 768], ['small', 400]] });
  return thumbnail ? [...media, { role: 'thumbnail', url: thumbnail, format: 'jpeg' }] : media;
}
