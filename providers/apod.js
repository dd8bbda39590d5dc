// https://api.nasa.gov/ names this API, which has taken the place of api.nasa.gov/planetary/apod and apod.nasa.gov.
const { decodeEntities, fail, fileFormat, fit, parseHTML, plainText } = require('imgscript');

const API = '/wp-json/wp/v2/apod-basic';
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
  'november', 'december'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'apod',
  name: 'Astronomy Picture of the Day',
  version: '2.0.0',
  homepage: 'https://science.nasa.gov/apod',
  summary: 'Each day another picture of the universe, explained by an astronomer.',
  category: 'science',
  base: 'https://science.nasa.gov',
  hosts: ['science.nasa.gov'],
  mediaHosts: ['assets.science.nasa.gov'],
  limits: { pageSize: { max: 25 }, rate: ['2/1s'] },
  terms: {
    url: 'https://www.nasa.gov/nasa-brand-center/images-and-media/',
    license: 'NASA images; others by their makers',
    attribution: '{credit}',
  },

  feed: {
    newestFirst: true,
    params: {
      from: { type: 'string', filter: 'since', help: 'The first day: 2026-09-29.' },
      to: { type: 'string', filter: 'until', help: 'The last day.' },
    },
    request: (q) => ({
      url: API,
      query: { page: q.page, per_page: q.limit, date_from: dayOf(q.params.from), date_to: dayOf(q.params.to) },
    }),
    parse: (res) => ({ total: Number(res.headers['x-wp-total'] ?? NaN), items: res.json.map(picture) }),
  },

  details: {
    request: (item) => ({ url: `${API}/${encodeURIComponent(dayOf(item.id) ?? '')}` }),
    parse: (res) => {
      const found = picture(res.json);
      return found.media.length ? found : fail('unsupported', `NASA has no picture of ${res.json.date} any more.`);
    },
  },

  match: [
    {
      pattern: ['https://apod.nasa.gov/apod/ap{id}.html', 'http://apod.nasa.gov/apod/ap{id}.html',
        `https://science.nasa.gov${API}/{id}`, `https://science.nasa.gov${API}/{id}/html`,
        'https://science.nasa.gov/image-article/apod-{id}/'],
      item: { id: '{id}' },
    },
  ],
};

/** A day as YYMMDD, of `2026-09-29`, a time, or the name of an article: `2026-september-29-…`. */
function dayOf(/** @type {string | undefined} */ text) {
  const [, year, month, day] = /^\d\d(\d\d)-(\w+)-(\d+)/.exec(text ?? '') ?? [];
  if (!year) return text;
  const number = /^\d+$/.test(month) ? Number(month) : MONTHS.indexOf(month) + 1;
  return [year, number, day].map((part) => String(part).padStart(2, '0')).join('');
}

/** @param {any} post @returns {import('imgscript').Item} */
function picture({ date, title, permalink, media_type, explanation, credit, alt, hdurl, basic_html, ...extra }) {
  const page = parseHTML(basic_html ?? '');
  const film = page.querySelector('video[src], video source[src]')?.src;
  const embed = page.querySelector('iframe')?.getAttribute('src');
  const by = plainText(credit)?.replace(/\s+/g, ' ').replace(/^[\w\s&,]*(?:Credit|Copyright)[^:]*:\s*/, '');
  return {
    id: dayOf(date) ?? '',
    type: film ? 'video' : 'image', // of a film elsewhere, a still
    title: decodeEntities(title),
    description: plainText(explanation)?.replace(/\s+/g, ' ')
      .replace(/^Explanation:\s*|\s*Tomorrow['’]s picture:.*$/g, ''),
    alt: alt ? decodeEntities(alt) : null,
    page: permalink,
    author: by ? { name: by } : null,
    credit: by,
    created: date,
    media: [
      ...(film ? [{ role: /** @type {const} */ ('original'), url: film }] : []),
      ...sizes(hdurl, page.querySelector('img')?.src, Boolean(film)),
    ],
    extra: { ...extra, media_type, embed: embed ? new URL(embed, permalink).href : null },
  };
}

/**
 * Of some old days the server has but a stand-in; their page may show the picture.
 * @param {string} url @param {string | undefined} shown @param {boolean} isFilm @returns {import('imgscript').Media[]}
 */
function sizes(url, shown, isFilm) {
  const format = fileFormat(url);
  if (!url || /news-thumbnail/.test(url)) {
    return shown ? [{ role: 'original', url: shown, format: fileFormat(shown) }] : [];
  }
  const [place, query] = url.split('?');
  const asked = new URLSearchParams(query);
  const size = { width: Number(asked.get('w')) || null, height: Number(asked.get('h')) || null };
  /** @param {import('imgscript').Media['role']} role @param {number} width @returns {import('imgscript').Media} */
  const smaller = (role, width) => {
    const sides = fit(size, { width });
    return { role, url: `${place}?w=${sides.width ?? width}&h=${sides.height ?? width}&fit=clip`, ...sides, format };
  };
  const thumbnail = smaller('thumbnail', 320);
  return isFilm ? [thumbnail] : [{ role: 'original', url, ...size, format }, smaller('regular', 1280), thumbnail];
}
