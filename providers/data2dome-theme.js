// The feed “Data2Dome” of sites that run Djangoplicity: ESO, ESA/Hubble, ESA/Webb and NOIRLab.
const { fail, fileFormat, license, parseDate, plainText } = require('imgscript');

/** @type {Record<string, import('imgscript').Media['role']>} */
const ROLES = { Original: 'original', Large: 'large', Small: 'regular', Thumbnail: 'small', Icon: 'thumbnail' };

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  order: { type: 'choice', values: ['newest', 'oldest', 'priority'], default: 'newest' },
  after: { type: 'string', filter: 'since', help: 'Published on this day or later: 2026-05-01.' },
  before: { type: 'string', filter: 'until', help: 'Published on this day or earlier.' },
};

/**
 * A site with such a feed at `images/d2d/`; `root` is where its pages lie.
 * @param {any} site @returns {import('imgscript').Provider}
 */
module.exports = ({ root, ...site }) => ({
  contract: 1,
  version: '1.0.0',
  homepage: `${root}/images/`,
  base: new URL(root).origin,
  limits: { pageSize: { max: 100, default: 25 }, rate: ['1/1s'] },

  feed: {
    params: FILTERS,
    request: (q) => {
      const { order, after, before } = q.params;
      const order_by = { newest: '-release_date', oldest: 'release_date', priority: '-priority' }[String(order)];
      const query = { page: q.page, count: q.limit, order_by, after: time(after, '000000'), before: time(before, '235959') };
      return { url: `${root}/images/d2d/`, query };
    },
    parse: ({ json: { Count: total, Next: next, Collections: found } }) => (
      { total, items: found.map((entry) => image(entry, root)), next: next ? undefined : null }),
  },
  ...site,
});

/** A day as `20260501000000`. @param {string | undefined} day @param {string} clock */
function time(day, clock) {
  return day ? `${day.slice(0, 10).replaceAll('-', '')}${clock}` : null;
}

/** @param {any} entry @param {string} root @returns {import('imgscript').Item} */
function image(entry, root) {
  const { ID: id, Title, Headline, Description, Credit, Rights, PublicationDate, CreationDate, Assets, Subject, ...rest } = entry;
  const shown = Assets.find(({ MediaType: type }) => (type ?? 'Image') === 'Image') ?? fail('changed', 'An image without its files.');
  return {
    id,
    type: 'image',
    title: plainText(Title),
    description: plainText(Description) ?? plainText(Headline),
    page: id && `${root}/images/${id}/`,
    tags: [Subject?.Name ?? Subject ?? []].flat().filter((name) => typeof name === 'string'),
    author: Credit ? { name: plainText(Credit) ?? '' } : null,
    credit: plainText(Credit),
    license: /Attribution 4\.0|CC.?BY.?4\.0/i.test(Rights ?? '') ? license('cc-by', '4.0') : license(Rights),
    created: parseDate(CreationDate ?? PublicationDate),
    media: shown.Resources.filter((file) => ROLES[file.ResourceType]).map(file),
    extra: { published: PublicationDate, rights: Rights, reference: rest.ReferenceURL, facility: rest.Facility },
  };
}

/** @returns {import('imgscript').Media} */
function file({ ResourceType: type, URL: url, Dimensions: sides, FileSize: bytes }) {
  const [width, height] = sides ?? [];
  return { role: ROLES[type], url, width: width || null, height: height || null, bytes: bytes || null, format: fileFormat(url) };
}
