/** @type {import('imgscript').Provider} */
module.exports = require('./philomena-theme')({
  id: 'derpibooru',
  name: 'Derpibooru',
  homepage: 'https://derpibooru.org/',
  summary: 'Fan art of My Little Pony, thoroughly tagged.',
  category: 'boards',
  hosts: ['derpibooru.org'],
  mediaHosts: ['derpicdn.net'],
  help: 'https://derpibooru.org/registrations/edit',
  terms: { url: 'https://derpibooru.org/pages/api', license: 'Of their artists, seldom stated',
    attribution: 'Art by {author.name}, {page}' },
});
