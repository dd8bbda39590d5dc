const { fail, fileFormat, plainText } = require('imgscript');
const { entries } = require('./feed-theme');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'apod',
  name: 'Astronomy Picture of the Day',
  version: '1.0.0',
  homepage: 'https://apod.nasa.gov/apod/astropix.html',
  summary: 'Each day another picture of the universe, explained by an astronomer.',
  base: 'https://apod.nasa.gov',
  hosts: ['apod.nasa.gov'],
  mediaHosts: ['apod.nasa.gov'],
  terms: { url: 'https://apod.nasa.gov/apod/lib/about_apod.html', license: 'NASA images; others by their makers' },
  paging: 'none',

  // The last days. Today's link is always astropix.html; the small picture alone has the date in its name.
  feed: {
    request: () => ({ url: '/apod.rss', accept: 'xml' }),
    parse: (res) => {
      const items = entries(res).map((entry) => {
        const id = /S_(\d{6})\./.exec(entry.media[0].url)?.[1] ?? fail('changed', `no date in ${entry.media[0].url}`);
        const small = { ...entry.media[0], role: /** @type {const} */ ('thumbnail') };
        return { ...entry, id, page: pageOf(id), created: dateOf(id), media: [small] };
      });
      return items.length ? { items } : fail('changed', 'The feed shows no picture, of any of the last days.');
    },
  },

  details: {
    media: true,
    request: (item) => ({ url: pageOf(item.id), accept: 'html' }),
    parse: (res, item) => picture(res, item.id),
  },

  match: [
    {
      pattern: ['https://apod.nasa.gov/apod/ap{id}.html', 'http://apod.nasa.gov/apod/ap{id}.html'],
      item: { id: '{id}' },
    },
  ],
};

/** @param {string} id */
function pageOf(id) {
  return `https://apod.nasa.gov/apod/ap${id}.html`;
}

/** The first was on 16 June 1995. @param {string} id */
function dateOf(id) {
  const [year, month, day] = id.match(/\d\d/g) ?? [];
  return `${Number(year) < 95 ? 20 : 19}${year}-${month}-${day}`;
}

/** Pages have had one plain form for thirty years. @param {string} id @returns {import('imgscript').Item} */
function picture(/** @type {import('imgscript').Response} */ { html }, id) {
  const shown = html.querySelector('img[src*="image/"]') ?? fail('unsupported', `That of ${dateOf(id)} is a film.`);
  const large = shown.closest('a[href*="image/"]');
  const credit = html.querySelectorAll('center').find((part) => /Credit|Copyright/.test(part.textContent));
  const lines = (plainText(credit?.innerHTML) ?? '').split('\n').map((line) => line.trim()).filter(Boolean);
  const explained = html.querySelectorAll('p').find((part) => /^\s*Explanation:/.test(part.textContent));
  const by = lines.join(' ').match(/(?:Credit|Copyright)[^:]*:\s*(.+)/)?.[1];
  return {
    id,
    type: 'image',
    title: credit?.querySelector('b')?.textContent.trim() ?? lines[0],
    description: plainText(explained?.innerHTML)?.replace(/\s+/g, ' ').replace(/^Explanation:\s*/, ''),
    page: pageOf(id),
    author: by ? { name: by } : null,
    created: dateOf(id),
    media: [
      ...(large ? [{ role: /** @type {const} */ ('original'), url: large.href, format: fileFormat(large.href) }] : []),
      { role: 'regular', url: shown.src, format: fileFormat(shown.src) },
      { role: 'thumbnail', url: `https://apod.nasa.gov/apod/calendar/S_${id}.jpg`, format: 'jpeg' },
    ],
    extra: { credit: lines.slice(1).join(' '), copyrighted: /Copyright/.test(credit?.textContent ?? '') },
  };
}
