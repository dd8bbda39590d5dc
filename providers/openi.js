const { fail, license, plainText } = require('imgscript');

const SITE = 'https://openi.nlm.nih.gov';
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  it: {
    type: 'list',
    values: ['xg', 'xm', 'x', 'u', 'ph', 'p', 'mc', 'm', 'gl', 'g', 'c'],
    join: ',',
    help: 'X-ray: xg, x; MRI: xm, m; CT: c; ultrasound: u; PET: p; microscopy: mc; photographs: ph; graphics: gl, g.',
  },
  coll: {
    type: 'list', values: ['pmc', 'cxr', 'mpx', 'usc', 'hmd'], join: ',',
    help: 'PubMed Central, chest X-rays, MedPix, orthopaedics, history of medicine.',
  },
  lic: { type: 'list', values: ['by', 'bync', 'byncnd', 'byncsa'], join: ',', help: 'Creative Commons licences.' },
  sub: { type: 'string', help: 'A specialty, as the site names it.' },
  favor: { type: 'choice', values: ['r', 'o', 'd', 'e', 'g', 'hc'], help: 'Newest, oldest, diagnosis, etiology, …' },
};

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'openi',
  name: 'Open-i',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Figures, X-rays and photographs of open access articles in medicine.',
  category: 'science',
  base: SITE,
  hosts: ['openi.nlm.nih.gov'],
  mediaHosts: ['openi.nlm.nih.gov'],
  limits: { pageSize: { max: 100, default: 20 }, text: { min: 1 }, rate: ['1/1s'], concurrent: 2 },
  terms: {
    url: `${SITE}/faq`,
    license: 'Creative Commons or open access, as each article says',
    attribution: '{author.name}, “{title}”, {credit}',
  },
  paging: 'offset',

  // `m` and `n` are the first and the last image wanted, from 1.
  search: {
    params: FILTERS,
    request: (q) => (
      { url: '/api/search', query: { query: q.text, ...q.params, m: q.offset + 1, n: q.offset + q.limit } }),
    parse: ({ json: { total, list } }) => {
      if (total > 0 && !Array.isArray(list)) fail('changed', 'There are images, and no list of them.');
      return { total, items: (list ?? []).map(image) };
    },
  },
};

/** @returns {import('imgscript').Item} */
function image(/** @type {any} */ record) {
  const {
    uid, title, authors, abstract, image: figure, MeSH, journal_title, licenseType, licenseURL, detailedQueryURL,
    imgLarge, imgGrid150, imgThumbLarge, imgThumb, pmcid, pmid,
  } = record;
  const img = detailedQueryURL && new URL(detailedQueryURL, SITE).searchParams.get('img');
  const people = (authors ?? '').split(/,\s*/).filter(Boolean);
  return {
    id: img || (uid && figure.id && `${uid}_${figure.id}`),
    type: 'image',
    title: plainText(title),
    description: plainText(figure.caption) ?? plainText(abstract),
    page: img && `${SITE}/detailedresult?img=${encodeURIComponent(img)}`,
    tags: [...MeSH?.major ?? [], ...MeSH?.minor ?? []],
    author: people.length ? { name: people[0] } : null,
    authors: people.length > 1 ? people.map((name) => ({ name })) : null,
    credit: [journal_title, pmcid && `PMC ${String(pmcid).replace(/^PMC/, '')}`].filter(Boolean).join(', ') || null,
    license: license(licenseURL) ?? (licenseType ? { id: licenseType.toLowerCase(), name: licenseType } : null),
    media: [
      ...file('large', imgLarge), ...file('small', imgThumbLarge), ...file('small', imgGrid150),
      ...file('thumbnail', imgThumb),
    ],
    extra: {
      uid, pmcid, pmid, abstract: plainText(abstract), article: record.fulltext_html_url,
      mention: plainText(figure.mention), modality: figure.modalityMajor, problems: record.Problems, source: record.docSource,
    },
  };
}

/** Relative, with the words that were searched for. @param {'large' | 'small' | 'thumbnail'} role */
function file(role, /** @type {string | undefined} */ path) {
  if (!path) return [];
  const url = new URL(path, SITE);
  return [{ role, url: url.origin + url.pathname }];
}
