const { fail, license } = require('imgscript');

const SITE = 'https://digitalcollections.nypl.org';
const API = '/api/v2/items';
/** @type {[import('imgscript').Media['role'], string, number | null][]} What `t` names, and its longer side. */
const SIZES = [['original', 'g', null], ['large', 'v', 2560], ['regular', 'q', 1600], ['regular', 'w', 760],
  ['small', 'r', 300], ['thumbnail', 't', 150]];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'nypl',
  name: 'New York Public Library',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Prints, photographs, maps and manuscripts of the New York Public Library, many in the public domain.',
  base: 'https://api.repo.nypl.org',
  hosts: ['api.repo.nypl.org'],
  mediaHosts: ['images.nypl.org'],
  auth: {
    type: 'header', name: 'Authorization', template: 'Token token={key}', help: 'https://api.repo.nypl.org/sign_up',
  },
  limits: { pageSize: { max: 500, default: 20 }, rate: ['10000/1d', '5/1s'] },
  terms: {
    url: 'https://www.nypl.org/help/about-nypl/legal-notices/website-terms-and-conditions',
    license: 'CC0, no known restrictions, or under copyright, as each item says',
    attribution: 'From The New York Public Library',
  },

  // Errors come in the same shape as answers, some with status 200.
  check: (res) => {
    if (res.status >= 500 || !res.text.startsWith('{')) return;
    const { code, status, message } = res.json.nyplAPI?.response?.headers ?? {};
    if (text(status) !== 'error') return;
    const number = Number(text(code));
    fail(number >= 400 ? number : 'unsupported', text(message) ?? 'The library reported an error.');
  },

  search: {
    params: {
      public_domain: { type: 'boolean', help: 'Only items that anyone may use.' },
      field: { type: 'string', help: 'Where the words have to be: title, name, topic, genre …' },
    },
    request: (q) => ({
      url: `${API}/search`,
      query: {
        q: q.text, publicDomainOnly: q.params.public_domain, field: q.params.field, page: q.page, per_page: q.limit,
      },
    }),
    parse: (res) => {
      const { numResults, result } = res.json.nyplAPI.response;
      const found = [result].flat().filter(Boolean);
      const total = Number(numResults);
      if (Number.isNaN(total) || (total && !found.length)) fail('changed', 'Neither items nor an end.');
      // Albums are found too, without a picture of their own; an item may stand there twice.
      const shown = found.filter((item, place) => item.imageID && first(found, item) === place);
      return { total, items: shown.map((item) => image(item, {})) };
    },
  },

  details: {
    request: (item) => whole(item.id),
    parse: (res, item) => {
      const found = captures(res);
      return found.find(({ id }) => id === item.id) ?? found[0] ?? fail('notFound', 'The item has no picture.');
    },
  },

  // All pictures of one item: the pages of a book, both sides of a card.
  collection: {
    request: (item) => whole(item.id.replace('views:', '')),
    parse: (res) => {
      const items = captures(res);
      return items.length ? { items, next: null } : fail('notFound', 'The item has no picture.');
    },
  },

  match: [
    { pattern: [`${SITE}/items/{id}`, `${SITE}/items/{id}/*`], item: { id: '{id}' } },
    { pattern: 'views:{id}', item: { id: 'views:{id}', type: 'collection' } },
  ],
};

/** @param {any[]} found @param {any} item */
function first(found, item) {
  return found.findIndex((other) => other.uuid === item.uuid);
}

/** @param {string} id @returns {import('imgscript').Request} */
function whole(id) {
  return { url: `${API}/item_details/${encodeURIComponent(id)}` };
}

/** Here every text is `{ "$": "…" }`, and a list of one is no list. @returns {import('imgscript').Item[]} */
function captures(/** @type {import('imgscript').Response} */ res) {
  const { sibling_captures: siblings, mods = {} } = res.json.nyplAPI.response;
  const names = list(mods.name);
  const about = {
    title: text(list(mods.titleInfo)[0]?.title),
    author: text((names.find((name) => name.usage === 'primary') ?? names[0])?.namePart),
    topics: list(mods.subject).flatMap((subject) => list(subject.topic)).map(text),
    genres: list(mods.genre).map(text),
    date: text(list(mods.originInfo).flatMap((origin) => list(origin.dateCreated ?? origin.dateIssued))[0]),
    notes: list(mods.note).map(text),
  };
  return list(siblings?.capture).filter((one) => text(one.imageID)).map((one) => {
    const plain = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, text(value)]));
    return image(plain, about);
  });
}

/** @returns {any[]} */
function list(value) {
  return [value].flat().filter((one) => one !== undefined && one !== null);
}

/** @returns {string | undefined} */
function text(value) {
  const found = value?.$ ?? value;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** @param {any} item @param {any} about what its record says @returns {import('imgscript').Item} */
function image({ uuid, imageID, title, rightsStatement, rightsStatementURI, typeOfResource, itemLink }, about) {
  const known = license(rightsStatementURI);
  // The largest are there for what anyone may use.
  const isFree = /publicdomain|\/NoC|\/NKC/.test(rightsStatementURI ?? '');
  return {
    id: uuid,
    type: 'image',
    title: title ?? about.title,
    description: about.notes?.filter(Boolean).join('\n') || null,
    page: itemLink?.replace(/^http:/, 'https:') ?? (uuid && `${SITE}/items/${uuid}`),
    tags: [...(about.topics ?? []), ...(about.genres ?? [])].filter(Boolean),
    author: about.author ? { name: about.author } : null,
    license: known ?? (rightsStatement ? { id: 'other', name: rightsStatement.slice(0, 80) } : null),
    created: /^\d{4}(-\d\d){0,2}$/.test(about.date ?? '') ? about.date : null,
    media: SIZES.filter(([, , side]) => isFree || (side && side <= 760)).map(([role, name]) => ({
      role,
      url: `https://images.nypl.org/index.php?id=${encodeURIComponent(imageID)}&t=${name}`,
      format: name === 't' ? 'gif' : 'jpeg',
    })),
    extra: {
      image_id: imageID, kind: typeOfResource, rights: rightsStatement, rights_url: rightsStatementURI,
      date: about.date,
    },
  };
}
