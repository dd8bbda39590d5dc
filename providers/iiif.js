const { fail, fileFormat, fit, license, parseDate, plainText } = require('imgscript');
const iiif = require('./iiif-theme');

/** Labels under which libraries name who made a work. */
const MAKERS = new RegExp(`^(?:${['artists?', 'auteur', 'authors?', 'autor', 'cartographer', 'contributors?', 'creators?', 'créateur',
  'makers?', 'painter', 'photographers?', 'urheber', 'verfasser'].join('|')})\\b`, 'i');
/** What an entry of a collection that cannot be had is answered with. */
const REFUSED = [401, 403, 404, 410, 451, 500, 502, 503];
/** The most documents that are read for one page. */
const READS = 40;

/** @typedef {{ url: string, at: number }} Step A document, and which of its entries comes next. */

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'iiif',
  name: 'IIIF',
  version: '1.0.0',
  homepage: 'https://iiif.io/',
  summary: 'The pictures of any IIIF manifest, collection or image: books, maps and art of libraries and museums.',
  category: 'museums',
  instance: {
    default: 'https://iiif.io/api/cookbook/recipe/0009-book-1/manifest.json',
    help: 'The address of an IIIF manifest, collection or info.json.',
  },
  hosts: ['{instance}', '*', 'http://*'], // a collection links to manifests wherever they are
  mediaHosts: ['*', 'http://*'],
  limits: { pageSize: { max: 500, default: 50 }, rate: ['5/1s'] },
  terms: { license: 'As each manifest says', attribution: '{credit}' },
  paging: 'cursor',

  feed: { run: (q) => walk(q.instance ?? '', q) },

  // `https://example.org/manifest#3` is the third page of a book, and its file the largest that the server gives.
  details: {
    media: true,
    *run(item) {
      const [, url, number] = /^(.*?)(?:#(\d+))?$/.exec(item.id) ?? [];
      const document = (yield ask(url)).json;
      if (isService(document)) return picture(document, url);
      const place = Number(number ?? 1);
      const canvas = canvases(document)[place - 1] ?? fail('notFound', `The manifest has no page ${place}.`);
      const services = bodies(canvas).map(serviceOf);
      const asked = services.filter((service) => service?.id);
      const answers = yield asked.map((service) => ({ ...ask(`${service.id}/info.json`), allowStatus: REFUSED }));
      const infos = new Map(asked.map(({ id }, index) => [id, answers[index].ok ? answers[index].json : null]));
      return page(document, canvas, place, url, (service) => infos.get(service?.id));
    },
  },

  collection: { run: (item, q) => walk(item.id, q) },

  // Where libraries put their manifests, and the names that the standard's examples give them, however deep they lie; any other
  // address is named by `--instance`.
  match: [
    'iiif/{id}/manifest', 'iiif/{a}/{id}/manifest', 'presentation/{a}/{id}', 'presentation/{a}/{id}/manifest',
    'iiif/{id}/info.json', 'iiif/{a}/{id}/info.json',
    ...Array.from({ length: 7 }, (_, depth) => `${[...'abcdef'.slice(0, depth)].map((name) => `{${name}}/`).join('')}{id}`)
      .flatMap((folder) => [`${folder}/manifest.json`, `${folder}/collection.json`]),
  ].map((path) => ({
    pattern: `https://{host}/${path}`,
    item: { id: `https://{host}/${path}`, type: /** @type {const} */ ('collection') },
  })),
};

/** @param {string} url */
function ask(url) {
  return { url, headers: { Accept: 'application/ld+json, application/json' } };
}

/**
 * The pages of a manifest, or of all manifests of a collection and the collections in it, one manifest after the other.
 * @param {string} root @param {import('imgscript').Query} q @returns {Generator<any, import('imgscript').Page>}
 */
function* walk(root, q) {
  /** @type {Step[]} From the outermost collection to the document that is being read. */
  let path = q.cursor ?? [{ url: root, at: 0 }];
  for (let read = 0; path.length && read < READS; read += 1) {
    const { url, at } = path[path.length - 1];
    const res = yield { ...ask(url), allowStatus: path.length > 1 ? REFUSED : [] };
    const document = res.ok && res.text.trimStart().startsWith('{') ? res.json : null;
    if (!document && path.length === 1) fail('changed', 'The address has no IIIF document (expected JSON).');
    if (document && isService(document)) return { items: [picture(document, url)], next: leave(path) };
    if (document && isCollection(document)) {
      const entries = members(document);
      path = at < entries.length && !path.some((step) => step.url === entries[at])
        ? [...path, { url: entries[at], at: 0 }] : advance(path, entries.length);
    } else if (document) {
      const all = canvases(document);
      const items = all.slice(at, at + q.limit)
        .flatMap((canvas, index) => listed(document, canvas, at + index + 1, url));
      const next = at + q.limit < all.length ? [...path.slice(0, -1), { url, at: at + q.limit }] : leave(path);
      if (items.length || !next) return { total: path.length === 1 ? all.length : null, items, next };
      path = next;
    } else {
      console.warn(`left out ${url}: status ${res.status}`);
      path = leave(path) ?? [];
    }
  }
  return { items: [], next: path.length ? path : null };
}

/**
 * Past an entry that is under way already; to the end of a collection that is read.
 * @param {Step[]} path @param {number} count
 */
function advance(path, count) {
  const { url, at } = path[path.length - 1];
  return at + 1 < count ? [...path.slice(0, -1), { url, at: at + 1 }] : leave(path) ?? [];
}

/** On to what follows a document in the collection that it is in; null after the last. @param {Step[]} path */
function leave(path) {
  if (path.length < 2) return null;
  const { url, at } = path[path.length - 2];
  return [...path.slice(0, -2), { url, at: at + 1 }];
}

/** @param {any} document */
const isCollection = (document) => /(?:^|:)Collection(?:Page)?$/.test(typeOf(document));

/** @param {any} document */
const isService = (document) => /\/image\b/.test(String(document.protocol ?? ''))
  || /^Image(?:Service|API)?\d*$/i.test(typeOf(document))
  || (document.width > 0 && /\/api\/image\//.test(contextOf(document)));

/** @param {any} value */
const typeOf = (value) => String(value?.type ?? value?.['@type'] ?? '');

/** @param {any} value */
const contextOf = (value) => [value?.['@context']].flat().join(' ');

/** @param {any} value @returns {string | undefined} */
const idOf = (value) => (typeof value === 'string' ? value : value?.id ?? value?.['@id']);

/** @returns {any[]} */
const list = (value) => [value].flat().filter((one) => one !== undefined && one !== null);

/**
 * Version 2 has them under three names, and may cut a long list into pages.
 * @param {any} document @returns {string[]}
 */
function members(document) {
  const { items, members: mixed, collections, manifests, first, next } = document;
  const own = items ?? mixed ?? [...list(collections), ...list(manifests)];
  if (!Array.isArray(own)) fail('changed', 'A collection without its list.');
  return [...own, first, next].map(idOf).flatMap((id) => (typeof id === 'string' ? [id] : []));
}

/** @param {any} document @returns {any[]} */
function canvases(document) {
  const found = document.items ?? document.sequences?.[0]?.canvases;
  return Array.isArray(found) ? found : fail('changed', 'Neither a manifest nor a collection of IIIF.');
}

/** What is painted on a page, or may be: a choice is all of it. @param {any} canvas @returns {any[]} */
function bodies(canvas) {
  const painted = canvas.images ? canvas.images.map((annotation) => annotation.resource)
    : list(canvas.items).flatMap((sheet) => list(sheet.items))
      .filter((annotation) => [annotation.motivation].flat().includes('painting'))
      .flatMap((annotation) => annotation.body);
  return painted.flatMap((body) => {
    if (typeOf(body) === 'Choice') return list(body.items);
    if (typeOf(body) === 'oa:Choice') return [body.default, ...list(body.item)];
    return /^(?:oa:)?SpecificResource$/.test(typeOf(body)) ? [body.source ?? body.full] : [body];
  }).filter((body) => idOf(body) && !/Text|Dataset/.test(typeOf(body)));
}

/** The image service behind a picture, with what is said of it in the manifest. @param {any} body */
function serviceOf(body) {
  const found = list(body?.service).find((service) => (
    isService(service) || /\/image\//.test(`${contextOf(service)} ${service.profile}`)));
  const id = idOf(found)?.replace(/\/(?:info\.json)?$/, '');
  return id && { ...found, id };
}

/** A page that shows nothing is none. @returns {import('imgscript').Item[]} */
function listed(document, canvas, place, url) {
  const item = page(document, canvas, place, url, () => null);
  return item.media.length ? [item] : [];
}

/**
 * @param {any} document @param {any} canvas @param {number} place from 1 @param {string} url the manifest's
 * @param {(service: any) => any} info what an image service says of itself, where it has been asked
 * @returns {import('imgscript').Item}
 */
function page(document, canvas, place, url, info) {
  const title = text(document.label);
  const label = text(canvas.label);
  const facts = Object.fromEntries([...list(document.metadata), ...list(canvas.metadata)]
    .map((fact) => [text(fact.label), text(fact.value)]).filter(([name, value]) => name && value));
  const author = Object.entries(facts).find(([name]) => MAKERS.test(name))?.[1];
  const rights = text(canvas.rights) ?? text(document.rights) ?? list(document.license).map(text)[0];
  const statement = document.requiredStatement?.value ?? document.attribution;
  return {
    id: `${url}#${place}`,
    type: 'image',
    title: [title, label].filter((one, index, all) => one && all.indexOf(one) === index).join(', ') || null,
    description: text(canvas.summary ?? canvas.description) ?? text(document.summary ?? document.description),
    page: list(document.homepage ?? document.related).map(idOf).find((address) => URL.canParse(address ?? '')),
    author: author ? { name: author.split('\n')[0] } : null,
    credit: text(statement),
    license: terms(rights),
    created: parseDate(canvas.navDate ?? document.navDate),
    media: bodies(canvas).flatMap((body, index) => files(body, info(serviceOf(body)))
      .map((file) => (index ? { ...file, file: index + 1 } : file)))
      .concat(thumbnails(canvas)),
    extra: { manifest: url, canvas: idOf(canvas), number: place, label, rights, metadata: facts },
  };
}

/** A picture that an image service gives without a manifest. @returns {import('imgscript').Item} */
function picture(info, /** @type {string} */ url) {
  const rights = text(info.rights ?? info.license);
  return {
    id: url,
    type: /** @type {const} */ ('image'),
    page: null,
    credit: text(info.attribution),
    license: terms(rights),
    media: served(info),
    extra: { rights },
  };
}

/** An address, or any words. @param {string | undefined} rights @returns {import('imgscript').License | null} */
function terms(rights) {
  if (!rights) return null;
  const url = URL.canParse(rights) ? rights : null;
  return license(rights) ?? { id: 'other', name: rights.slice(0, 80), url };
}

/** @type {Record<string, import('imgscript').Media['type']>} */
const KINDS = { image: 'image', 'dctypes:image': 'image', video: 'video', sound: 'audio', audio: 'audio' };

/**
 * The file that the manifest names, and other sizes. It is the original where it is whole; else the service behind it
 * has that, and says in `info.json` how large it may be.
 * @param {any} body @param {any} info @returns {import('imgscript').Media[]}
 */
function files(body, info) {
  if (info) return served(info);
  const url = idOf(body) ?? '';
  const { width, height } = body;
  const type = KINDS[typeOf(body).toLowerCase()] ?? null;
  const service = serviceOf(body);
  const size = /\/([^/]+)\/[^/]+\/\w+\.\w+$/.exec(url)?.[1];
  const isWhole = !service || size === 'max' || size === 'full';
  /** @type {import('imgscript').Media} */
  const named = { role: isWhole ? 'original' : 'large', url, type, format: fileFormat(body.format) };
  if (type === 'video' || type === 'audio') return [{ ...named, width: width || null, height: height || null }];
  const sides = isWhole ? { width: width || null, height: height || null } : {};
  const smaller = service && !isPlain(service)
    ? iiif.media(service.id, { width: service.width ?? width, height: service.height ?? height, whole: null }) : [];
  return [{ ...named, ...sides }, ...smaller];
}

/** Whether a service gives the sizes it lists, and no others. @param {any} service */
const isPlain = ({ profile }) => /level0/.test(String([profile].flat()[0] ?? 'level0'));

/**
 * The files of a service by its `info.json`: the largest it gives, which may be less than it has, and smaller ones.
 * @param {any} info @returns {import('imgscript').Media[]}
 */
function served(info) {
  const { width, height, sizes } = info;
  const base = (idOf(info) ?? fail('changed', 'An info.json without its address.')).replace(/\/$/, '');
  if (!(width > 0) || !(height > 0)) fail('changed', 'An info.json without the size of its picture.');
  const isThird = /\/image\/3\//.test(contextOf(info)) || /ImageService3/.test(typeOf(info));
  const rules = [info, ...list(info.profile).filter((rule) => typeof rule === 'object')];
  const allowed = (/** @type {string} */ name) => rules.map((rule) => rule[name]).find((limit) => limit > 0);
  const area = allowed('maxArea');
  const scale = Math.min(1, area ? Math.sqrt(area / (width * height)) : 1);
  const within = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
  const frame = { width: allowed('maxWidth'), height: allowed('maxHeight') ?? allowed('maxWidth') };
  const most = fit(within, frame);
  const isLimited = (most.width ?? 0) < width;
  const listedSizes = list(sizes).filter((size) => size.width > 0 && size.width < (most.width ?? 0))
    .sort((one, other) => other.width - one.width);
  const url = (/** @type {string} */ size) => `${base}/full/${size}/0/default.jpg`;
  const whole = url(isThird || isLimited ? 'max' : 'full');
  const largest = { role: /** @type {const} */ ('original'), url: whole, ...most, format: 'jpeg' };
  if (!isPlain(info)) return [largest, ...iiif.media(base, { ...most, whole: null })];
  return [largest, ...listedSizes.map((size) => ({
    role: roleOf(size.width),
    url: url(isThird ? `${size.width},${size.height}` : `${size.width},`),
    width: size.width,
    height: size.height,
    format: 'jpeg',
  }))];
}

/** @param {number} width @returns {import('imgscript').Media['role']} */
function roleOf(width) {
  if (width > 1000) return 'large';
  if (width > 500) return 'regular';
  return width > 250 ? 'small' : 'thumbnail';
}

/** @param {any} canvas @returns {import('imgscript').Media[]} */
function thumbnails(canvas) {
  return list(canvas.thumbnail).filter(idOf).slice(0, 1).map((one) => ({
    role: 'thumbnail',
    url: idOf(one) ?? '',
    width: one.width || null,
    height: one.height || null,
    format: fileFormat(one.format),
  }));
}

/** Texts come by language, or in two older forms; English where there is a choice. @returns {string | undefined} */
function text(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return plainText(String(value));
  if (Array.isArray(value)) {
    const english = value.filter((one) => String(one?.['@language'] ?? '').startsWith('en'));
    return (english.length ? english : value).map(text).filter(Boolean).join('\n') || undefined;
  }
  if (value['@value'] !== undefined) return text(value['@value']);
  if (value['@id'] ?? value.id) return idOf(value);
  const languages = Object.keys(value);
  const language = languages.find((one) => /^en\b/.test(one)) ?? languages.find((one) => one === 'none') ?? languages[0];
  return language === undefined ? undefined : text(value[language]);
}
