/** @type {import('imgscript').Provider} */
module.exports = require('./danbooru-theme')({
  id: 'danbooru',
  name: 'Danbooru',
  homepage: 'https://danbooru.donmai.us/',
  summary: 'Illustrations in the style of anime with thorough tags; also any other site that runs Danbooru.',
  category: 'boards',
  adult: true,
  instance: { default: 'https://danbooru.donmai.us', help: 'A site that runs Danbooru.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  help: 'https://danbooru.donmai.us/wiki_pages/help:api',
  terms: { url: 'https://danbooru.donmai.us/terms_of_service', license: 'Of their artists, seldom stated' },
});
