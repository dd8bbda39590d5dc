const { fileFormat, license } = require('imgscript');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'nappy',
  name: 'Nappy',
  version: '1.0.0',
  homepage: 'https://nappy.co/',
  summary: 'Photographs of Black and Brown people, free for any use.',
  category: 'photographs',
  base: 'https://api.nappy.co',
  hosts: ['api.nappy.co'],
  mediaHosts: ['images.nappy.co'],
  limits: { pageSize: { min: 10, max: 10, default: 10 } },
  terms: { url: 'https://nappy.co/license', license: 'CC0', attribution: 'Photo by {author.name} on Nappy' },

  // The whole catalogue, as Openverse takes it over; there is no search.
  feed: {
    request: (q) => ({ url: '/v1/openverse/images', query: { page: q.page } }),
    parse: (res) => ({
      total: res.json.total_results,
      items: res.json.images.map(image),
      ...(res.json.next_page ? {} : { next: null }),
    }),
  },
};

/** @returns {import('imgscript').Item} */
function image(photo) {
  const {
    foreign_identifier, title, foreign_landing_url, creator, creator_url, tags, license: code,
    url, width, height, filetype, views, downloads, saves, ...extra
  } = photo;
  return {
    id: foreign_identifier,
    type: 'image',
    title,
    page: foreign_landing_url,
    tags: tags?.split(',').filter(Boolean),
    author: { name: creator, url: creator_url },
    license: license(code),
    stats: { views, downloads, saves },
    media: [{ role: 'original', url, width, height, format: fileFormat(filetype) }],
    extra,
  };
}
