const { fit, license } = require('imgscript');

const SITE = 'https://www.rawpixel.com';

/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  tags: {
    type: 'string', default: '$publicdomain',
    help: 'Of this tag; those of collections begin with $, such as $usgovernmentworks.',
  },
  sort: { type: 'choice', values: ['curated', 'new', 'popular'] },
};

/** Search and feed; the feed has no text. @param {import('imgscript').Query} q */
function request(q) {
  return {
    url: '/api/v1/search',
    query: { keys: q.text || undefined, page: q.page, pagesize: q.limit, html: 0, ...q.params },
  };
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  const { total, results } = res.json;
  return { total, items: results.map(image) };
}

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'rawpixel',
  name: 'Rawpixel',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Works in the public domain, restored and sorted, with photographs and designs.',
  category: 'museums',
  base: SITE,
  hosts: ['www.rawpixel.com'],
  mediaHosts: ['img.rawpixel.com'],
  // Each request is signed: https://github.com/WordPress/openverse, catalog/dags/providers/provider_api_scripts/rawpixel.py
  auth: {
    type: 'hmac', key: '{key}', sign: '{request.sortedTarget}', encoding: 'base64url', query: { s: '{signature}' },
    help: `${SITE}/`,
  },
  limits: { pageSize: { max: 100, default: 20 }, rate: ['1/1s'], reachable: 100_000 },
  terms: {
    url: `${SITE}/services/licenses`,
    license: 'CC0; other tags: Rawpixel licences',
    attribution: '“{title}”, {author.name}, {page}',
  },

  search: { params: FILTERS, request, parse },
  feed: { params: FILTERS, request, parse },
};

/**
 * Addresses of files are signed by Rawpixel for one size; the original is for its own users.
 *
 * @returns {import('imgscript').Item}
 */
function image(found) {
  const {
    id, url, width, height, title, google_teaser, pinterestImage, metadata, artist_names, display_image_width: shownWidth,
    display_image_height: shownHeight,
  } = found;
  const size = { width: Math.max(width ?? 0, shownWidth ?? 0), height: Math.max(height ?? 0, shownHeight ?? 0) };
  const { description_text, image_alt, info_label, license: licence, licenseUrl, popular_keywords, artists, title: heading } = metadata;
  const [artist] = artists ?? [];
  return {
    id,
    type: 'image',
    title: title || heading?.split(' | ')[0].split(/\. |[.,]$/)[0] || image_alt,
    alt: image_alt || null,
    description: description_text || null,
    page: url,
    author: artist_names ? {
      name: artist_names.replace(/\(Source\)/g, '').trim(),
      id: artist?.uid,
      url: artist?.account_url ? `${SITE}/${artist.account_url}` : null,
    } : null,
    license: license(licenseUrl) ?? (licence ? { id: licence, url: licenseUrl } : null),
    tags: popular_keywords ?? [],
    media: [
      { role: /** @type {const} */ ('large'), url: pinterestImage, ...fit(size, { width: 1200, height: 1200 }) },
      { role: /** @type {const} */ ('thumbnail'), url: google_teaser, ...fit(size, { width: 800 }) },
    ].filter((medium) => medium.url),
    extra: { width: size.width || null, height: size.height || null, label: info_label },
  };
}
