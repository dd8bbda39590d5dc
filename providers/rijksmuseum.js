const { fail, license } = require('imgscript');
const iiif = require('./iiif-theme');

const SITE = 'https://www.rijksmuseum.nl';
const SEARCH = 'https://data.rijksmuseum.nl/search/collection';
const ENGLISH = 'http://vocab.getty.edu/aat/300388277';
const HEADERS = { Accept: 'application/ld+json' };

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'rijksmuseum',
  name: 'Rijksmuseum',
  version: '1.1.0',
  homepage: `${SITE}/en/collection`,
  summary: 'Dutch art and history in the Rijksmuseum in Amsterdam.',
  category: 'museums',
  hosts: ['data.rijksmuseum.nl', 'id.rijksmuseum.nl'],
  mediaHosts: ['iiif.micr.io'],
  limits: { pageSize: { max: 50, default: 10 } }, // three requests for each object
  terms: {
    url: 'https://data.rijksmuseum.nl/policy/',
    license: 'Public domain, or under copyright',
    attribution: '{author.name}, “{title}”, Rijksmuseum, Amsterdam',
  },
  paging: 'cursor',

  search: {
    params: {
      field: {
        type: 'choice',
        values: ['title', 'description', 'creator', 'aboutActor', 'type', 'material', 'technique', 'objectNumber'],
        default: 'title',
        help: 'Where the text is looked for; there is no search in all.',
      },
      creationDate: { type: 'string', help: 'A year, or the start of one: 1642, 16??.' },
    },
    run: (q) => list(q, { [q.params.field ?? 'title']: q.text, creationDate: q.params.creationDate }),
  },
  feed: {
    params: {
      creator: { type: 'string' },
      type: { type: 'string', help: 'Such as painting, print, drawing.' },
      creationDate: { type: 'string' },
    },
    run: (q) => list(q, q.params),
  },

  // Page URLs have the object's number: SK-C-5.
  *details(item) {
    let url = `https://id.rijksmuseum.nl/${encodeURIComponent(item.id)}`;
    if (!/^\d+$/.test(item.id)) {
      const [found] = (yield { url: SEARCH, query: { objectNumber: item.id }, headers: HEADERS }).json.orderedItems;
      url = found?.id ?? fail('notFound', `The Rijksmuseum has no object ${item.id}.`);
    }
    return (yield* images([url]))[0] ?? fail('notFound', `The Rijksmuseum has no object ${item.id}.`);
  },

  match: [
    { pattern: ['https://id.rijksmuseum.nl/{id}', 'https://data.rijksmuseum.nl/{id}'], item: { id: '{id}' } },
    { pattern: ['collection', 'collectie'].map((word) => `${SITE}/*/${word}/{id}`), item: { id: '{id}' } },
  ],
};

/** A page, of a hundred ids at once. @param {import('imgscript').Query} q @param {Record<string, any>} query */
function* list(q, query) {
  const { token, from = 0 } = q.cursor ?? {};
  const res = yield { url: SEARCH, query: { ...query, imageAvailable: true, pageToken: token }, headers: HEADERS };
  const { orderedItems, partOf, next } = res.json;
  if (!Array.isArray(orderedItems)) {
    const isFormer = res.json.artObjects || res.json.elapsedMilliseconds !== undefined;
    fail('changed', `The Rijksmuseum answers ${isFormer ? 'as its former API did' : 'without a list of objects'}.`);
  }
  const to = from + q.limit;
  const ids = orderedItems.slice(from, to).map(({ id }) => id ?? fail('changed', 'no id'));
  const found = yield* images(ids);
  const following = next && { token: new URL(next.id).searchParams.get('pageToken') };
  return {
    total: partOf?.totalItems,
    items: found.filter(({ media }) => media.length),
    next: to < orderedItems.length ? { token, from: to } : following ?? null,
  };
}

/** An object shows a work, which is shown by a digital object, which is at a place. @param {string[]} urls */
function* images(urls) {
  const objects = yield* documents(urls);
  const works = yield* documents(objects.map((object) => object?.shows?.[0]?.id));
  const files = yield* documents(works.map((work) => work?.digitally_shown_by?.[0]?.id));
  return objects.flatMap((object, index) => (object ? [image(object, works[index], files[index])] : []));
}

/** The documents at URLs, in their order; null where there is none. @param {(string | undefined)[]} urls */
function* documents(urls) {
  const wanted = urls.filter(Boolean).map((url) => ({ url, headers: HEADERS, allowStatus: [404, 410] }));
  const answers = wanted.length ? yield wanted : [];
  const found = answers.map((res) => (res.ok ? res.json : null));
  return urls.map((url) => (url ? found.shift() : null));
}

/** @param {any} object @param {any} work @param {any} file @returns {import('imgscript').Item} */
function image({ id, identified_by = [], produced_by, referred_to_by = [], ...others }, work, file) {
  const reason = others.artObject ? 'as its former API did' : 'with an object without an id';
  const number = identified_by.find((one) => one.type === 'Identifier')?.content;
  const made = [produced_by, ...(produced_by?.part ?? [])].flatMap((one) => one?.referred_to_by ?? []);
  const maker = english(made)?.replace(/^[^:]+: /, '');
  const rights = work?.subject_to?.flatMap((right) => right.classified_as ?? []) ?? [];
  return {
    id: id?.split('/').pop() ?? fail('changed', `The Rijksmuseum answers ${reason}.`),
    type: 'image',
    title: english(identified_by.filter((one) => one.type === 'Name')),
    description: english(referred_to_by),
    page: id, // it leads on to the page for people
    author: maker ? { name: maker } : null,
    license: rights.map((right) => license(right.id)).find(Boolean),
    media: iiif.media(iiif.base(file?.access_point?.[0]?.id), { whole: 'max' }),
    extra: { objectNumber: number, made: produced_by?.timespan }, // a span of time, mostly
  };
}

/** The English text among several, or the first. @returns {string | undefined} */
function english(texts) {
  const found = texts.find((one) => one.language?.some((language) => language.id === ENGLISH));
  return (found ?? texts[0])?.content;
}
