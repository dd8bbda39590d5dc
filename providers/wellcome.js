const { fail, license } = require('imgscript');
const iiif = require('./iiif-theme');

const SITE = 'https://wellcomecollection.org';
const IMAGES = '/catalogue/v2/images';
const INCLUDE = 'source.contributors,source.languages,source.genres,source.subjects';
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  license: {
    type: 'list',
    values: ['pdm', 'cc-0', 'cc-by', 'cc-by-nc', 'cc-by-nd', 'cc-by-nc-nd', 'cc-by-sa', 'cc-by-nc-sa', 'ogl', 'inc'],
    join: ',',
  },
  genre: { type: 'list', join: ',', filter: 'tag', help: 'Kinds of works, such as Etching or Photographs.' },
  subject: { type: 'list', join: ',', help: 'What works are about, such as Anatomy.' },
  contributor: { type: 'list', join: ',', help: 'Who made them.' },
  from: { type: 'string', help: 'Not made before this day: 1850-01-01.' },
  to: { type: 'string', help: 'Not made after this day: 1899-12-31.' },
  color: { type: 'string', help: 'A colour that they have: 8b4513.' },
};

/** @param {import('imgscript').Query} q */
const request = (q) => {
  const { license: licenses, genre, subject, contributor, from, to, color } = q.params;
  return {
    url: IMAGES,
    query: {
      query: q.text || null,
      page: q.page,
      pageSize: q.limit,
      include: INCLUDE,
      'locations.license': licenses,
      'source.genres.label': genre,
      'source.subjects.label': subject,
      'source.contributors.agent.label': contributor,
      'source.production.dates.from': from,
      'source.production.dates.to': to,
      color: color?.replace('#', ''),
    },
  };
};

/** @param {import('imgscript').Response} res */
const parse = (res) => ({ total: res.json.totalResults, items: res.json.results.map(image) });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'wellcome',
  name: 'Wellcome Collection',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Pictures of health, medicine, science and human experience from the Wellcome Collection in London.',
  category: 'museums',
  base: 'https://api.wellcomecollection.org',
  hosts: ['api.wellcomecollection.org'],
  mediaHosts: ['iiif.wellcomecollection.org'],
  limits: { pageSize: { max: 100, default: 20 }, reachable: 10000, rate: ['3/1s'] },
  terms: {
    url: `${SITE}/using-wellcome-collection`,
    license: 'Creative Commons or public domain, as each image says',
    attribution: '“{title}”, {credit}, {license.name}',
  },

  // {"errorType":"http","httpStatus":400,"label":"Bad Request","description":"page: must be greater than 0"}
  check: (res) => {
    if (res.status === 400 && res.text.startsWith('{')) fail('unsupported', res.json.description ?? res.json.label);
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: `${IMAGES}/${encodeURIComponent(item.id)}`, query: { include: INCLUDE } }),
    parse: (res) => image(res.json),
  },

  // `work:abc`: all images of a work; `like:abc`: images that look like one.
  collection: {
    *run(item) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const id = encodeURIComponent(name);
      if (kind === 'like') {
        const { json } = yield { url: `${IMAGES}/${id}`, query: { include: 'withSimilarFeatures' } };
        return { items: json.withSimilarFeatures.map(image), next: null };
      }
      const { images } = (yield { url: `/catalogue/v2/works/${id}`, query: { include: 'images' } }).json;
      if (!images.length) fail('notFound', 'The work has no image of its own; its IIIF manifest may have pages.');
      const query = { include: INCLUDE };
      const found = yield images.slice(0, 100)
        .map((one) => one.id ?? fail('changed', 'An image of the work has no id.'))
        .map((one) => ({ url: `${IMAGES}/${one}`, query, allowStatus: [404, 410] }));
      return { items: found.filter((res) => res.ok).map((res) => image(res.json)), next: null };
    },
  },

  match: [
    { pattern: [`${SITE}/works/{work}/images?id={id}`, `${SITE}/images/{id}`], item: { id: '{id}' } },
    {
      pattern: [`${SITE}/works/{id}`, `${SITE}/works/{id}/items`, 'work:{id}'],
      item: { id: 'work:{id}', type: 'collection' },
    },
    { pattern: 'like:{id}', item: { id: 'like:{id}', type: 'collection' } },
  ],
};

/** @param {any} record @returns {import('imgscript').Item} */
function image({ id, source, thumbnail, locations, averageColor, aspectRatio }) {
  const file = (locations ?? []).find((place) => place.locationType?.id === 'iiif-image') ?? thumbnail;
  const terms = file.license ?? thumbnail?.license;
  const people = (source.contributors ?? []).map(({ agent }) => agent?.label).filter(Boolean);
  return {
    id,
    type: 'image',
    title: source.title,
    page: id && source.id && `${SITE}/works/${source.id}/images?id=${id}`,
    tags: [...source.genres ?? [], ...source.subjects ?? []].map((one) => one.label).filter(Boolean),
    author: people.length ? { name: people[0] } : null,
    authors: people.length > 1 ? people.map((name) => ({ name })) : null,
    credit: file.credit ?? 'Wellcome Collection',
    license: terms ? license(terms.url) ?? { id: terms.id, name: terms.label, url: terms.url } : null,
    colors: averageColor ? [averageColor] : null,
    media: iiif.media(file.url.replace(/\/info\.json$/, '')),
    extra: { work: source.id, aspect_ratio: aspectRatio, languages: source.languages?.map((one) => one.label) },
  };
}
